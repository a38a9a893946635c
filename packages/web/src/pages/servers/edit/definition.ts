/** The definition of a server while somebody edits it: one text, of which the form and the JSON are views. Pure. */

/** Anything may stand here while it is being written; the hub judges it. */
export type EditedDefinition = Readonly<Record<string, unknown>>;

export function textOf(definition: object): string {
  return JSON.stringify(definition, undefined, 2);
}

export function definitionIn(text: string): { readonly definition: EditedDefinition } | { readonly because: string } {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return { definition: value as EditedDefinition };
    return { because: 'Expected an object: { "transport": "stdio", "command": … }.' };
  } catch (error) {
    return { because: `This is not JSON: ${(error as Error).message}` };
  }
}

/** Empty is the same as not there. */
export function withKey(definition: EditedDefinition, key: string, value: unknown): EditedDefinition {
  const { [key]: _before, ...others } = definition;
  const isEmpty =
    value === undefined ||
    value === '' ||
    (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
  if (isEmpty) return others;
  // In its old place, so that a file which is written anew changes as little as possible.
  return { ...definition, [key]: value };
}

const ONLY_STDIO = ['command', 'args', 'cwd', 'env'];
const ONLY_REMOTE = ['url', 'headers', 'oauth', 'bearer_token_env_var', 'auth_provider', 'account'];

/** Of another kind: what both know is kept. */
export function withTransport(definition: EditedDefinition, transport: string): EditedDefinition {
  const foreign = transport === 'stdio' ? ONLY_REMOTE : definition.transport === 'stdio' ? ONLY_STDIO : [];
  const kept = Object.entries(definition).filter(([key]) => !foreign.includes(key));
  return { ...Object.fromEntries(kept), transport };
}

export interface Difference {
  readonly key: string;
  /** As JSON; undefined where it is not there. */
  readonly began: string | undefined;
  readonly theirs: string | undefined;
  readonly mine: string | undefined;
}

/** Every key that one of the three has otherwise. */
export function differences(began: object, theirs: object, mine: object): Difference[] {
  const keys = new Set([began, theirs, mine].flatMap(Object.keys));
  const shown = (of: object, key: string): string | undefined => JSON.stringify((of as EditedDefinition)[key]);
  return [...keys]
    .map(key => ({ key, began: shown(began, key), theirs: shown(theirs, key), mine: shown(mine, key) }))
    .filter(one => one.theirs !== one.began || one.mine !== one.began);
}

/** Theirs, and on top of it each key that I changed. */
export function joined(began: EditedDefinition, theirs: EditedDefinition, mine: EditedDefinition): EditedDefinition {
  return differences(began, theirs, mine)
    .filter(one => one.mine !== one.began)
    .reduce((result, { key }) => withKey(result, key, mine[key]), theirs);
}
