/** What is wrong with a value, by its schema: at once, before the hub is asked. Pure. */
import { belowKey, formsOf, isKind, type JsonSchema, wordsOf } from './json-schema.ts';

export interface Wrong {
  /** Such as `servers.fs.args[0]`. */
  readonly path: string;
  readonly message: string;
  readonly severity: 'error' | 'warning';
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'a text',
  boolean: 'true or false',
  integer: 'a whole number',
  number: 'a number',
  array: 'a list',
  object: 'an object',
};

export function judge(schemas: readonly JsonSchema[], value: unknown, path = ''): Wrong[] {
  const forms = schemas.flatMap(schema => formsOf(schema, value));
  const wrong = wrongItself(forms, value);
  if (wrong !== undefined) return [{ path, message: wrong, severity: 'error' }];
  if (Array.isArray(value)) {
    const items = forms.flatMap(({ items }) => items ?? []);
    return items.length === 0 ? [] : value.flatMap((item, index) => judge(items, item, `${path}[${index}]`));
  }
  if (typeof value !== 'object' || value === null || forms.length === 0) return [];
  const keys = Object.entries(value).flatMap(([key, inner]) => judgeKey(forms, key, inner, path));
  return [...missing(forms, value, path), ...keys];
}

function wrongItself(forms: readonly JsonSchema[], value: unknown): string | undefined {
  if (forms.length === 0) return undefined;
  const kinds = forms.map(({ type }) => type);
  if (!kinds.some(kind => isKind(kind, value)))
    return `Expected ${[...new Set(kinds.map(kind => KINDS[kind ?? ''] ?? kind))].join(' or ')}.`;
  const words = forms.filter(({ type }) => isKind(type, value)).map(wordsOf);
  if (words.some(some => some === undefined || some.includes(value))) return undefined;
  const all = new Set(words.flatMap(some => some ?? []).map(word => JSON.stringify(word)));
  return `Expected ${all.size === 1 ? '' : 'one of '}${[...all].join(', ')}.`;
}

function judgeKey(forms: readonly JsonSchema[], key: string, value: unknown, path: string): Wrong[] {
  const at = path === '' ? key : `${path}.${key}`;
  const pattern = forms[0]?.propertyNames?.pattern;
  if (pattern !== undefined && !new RegExp(pattern).test(key))
    return [{ path: at, message: `'${key}' cannot be used as a key here: it must fit ${pattern}.`, severity: 'error' }];
  const below = belowKey(forms, key);
  const isOpen = forms.some(({ additionalProperties }) => additionalProperties !== false);
  if (below.length === 0) return isOpen ? [] : [{ path: at, message: `Unknown key '${key}'.`, severity: 'error' }];
  return judge(below, value, at);
}

function missing(forms: readonly JsonSchema[], value: object, path: string): Wrong[] {
  const [first = { required: [] }, ...others] = forms;
  const needed = (first.required ?? []).filter(key => others.every(form => form.required?.includes(key)));
  return needed
    .filter(key => !Object.hasOwn(value, key))
    .map(key => ({ path, message: `Missing '${key}'.`, severity: 'error' as const }));
}
