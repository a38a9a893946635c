/** What a server says about the credentials it wants, in its `WWW-Authenticate` header (RFC 6750, RFC 9728). Pure. */
export interface BearerChallenge {
  readonly resourceMetadata?: string;
  readonly scope?: string;
  readonly error?: string;
}

/** Where the words of the next scheme begin, in a header that offers several. */
const NEXT_SCHEME = /,\s*(?:basic|digest|dpop|negotiate|ntlm|hoba|mutual|vapid|scram-[\w-]+)\b/i;
/** A name is looked for where a word begins, and not once more at each of its letters. */
const PARAMETER = /(?<![\w-])([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/g;

export function readChallenge(header: string | undefined): BearerChallenge {
  const at = header?.search(/\bbearer\b/i) ?? -1;
  if (header === undefined || at < 0) return {};
  const [own = ''] = header.slice(at + 'bearer'.length).split(NEXT_SCHEME);
  const found = new Map<string, string>();
  for (const [, name = '', quoted, plain = ''] of own.matchAll(PARAMETER)) {
    found.set(name.toLowerCase(), quoted?.replace(/\\(.)/g, '$1') ?? plain);
  }
  const resourceMetadata = found.get('resource_metadata');
  const scope = found.get('scope');
  const error = found.get('error');
  return {
    ...(resourceMetadata && URL.canParse(resourceMetadata) ? { resourceMetadata } : {}),
    ...(scope ? { scope } : {}),
    ...(error ? { error } : {}),
  };
}

/** Every scope of all lists, each once, in the order they are first named; undefined where there is none. */
export function joinScopes(...lists: readonly (string | undefined)[]): string | undefined {
  const words = new Set(lists.flatMap(list => list?.split(/\s+/).filter(Boolean) ?? []));
  return words.size > 0 ? [...words].join(' ') : undefined;
}

/** Whether `wanted` names a scope that `held` does not. */
export function widens(held: string | undefined, wanted: string | undefined): boolean {
  const have = new Set(held?.split(/\s+/) ?? []);
  return (wanted?.split(/\s+/) ?? []).some(scope => scope !== '' && !have.has(scope));
}
