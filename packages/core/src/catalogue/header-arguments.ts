/**
 * Which arguments of a tool are to be repeated as HTTP headers (`x-mcp-header` in its schema, MCP 2026-07-28), and whether
 * the tool says so in a way the protocol allows. Pure.
 */
import { isObject } from '../base/json/is-object.ts';

export interface HeaderArgument {
  readonly path: readonly string[];
  readonly header: string;
}

export type HeaderArguments =
  | { readonly ok: true; readonly declared: readonly HeaderArgument[] }
  | { readonly ok: false; readonly because: string };

const KEY = 'x-mcp-header';
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const ALLOWED_TYPES = new Set(['string', 'integer', 'boolean']);
/** Deeper than any schema a person writes; a server must not make us climb for ever. */
const MAX_DEPTH = 64;

/** Places of a schema whose value is a schema, a list of schemas, or schemas by name: none of them is reached for certain. */
const UNCERTAIN = [
  ...['items', 'prefixItems', 'contains', 'additionalProperties', 'unevaluatedProperties', 'unevaluatedItems'],
  ...['propertyNames', 'oneOf', 'anyOf', 'allOf', 'not', 'if', 'then', 'else'],
];
const UNCERTAIN_BY_NAME = ['patternProperties', 'dependentSchemas', '$defs', 'definitions'];

export function headerArguments(inputSchema: unknown): HeaderArguments {
  const declared: HeaderArgument[] = [];
  try {
    visit(inputSchema, [], true, declared);
  } catch (error) {
    if (error instanceof Misplaced) return { ok: false, because: error.message };
    throw error;
  }
  return { ok: true, declared };
}

class Misplaced extends Error {}

function visit(node: unknown, path: readonly string[], certain: boolean, found: HeaderArgument[]): void {
  if (typeof node !== 'object' || node === null || path.length > MAX_DEPTH) return;
  const schema = node as Record<string, unknown>;
  if (KEY in schema) found.push({ path, header: checked(schema, path, certain, found) });
  for (const [name, child] of Object.entries(object(schema.properties))) visit(child, [...path, name], certain, found);
  const branches = [
    ...UNCERTAIN.flatMap(key => schema[key] ?? []),
    ...UNCERTAIN_BY_NAME.flatMap(key => Object.values(object(schema[key]))),
  ];
  for (const branch of branches) visit(branch, [...path, '…'], false, found);
}

function checked(
  schema: Record<string, unknown>,
  path: readonly string[],
  certain: boolean,
  found: readonly HeaderArgument[],
): string {
  const where = path.join('.') || 'its schema';
  const header = schema[KEY];
  if (!certain || path.length === 0) throw new Misplaced(`${where} has ${KEY} where an argument may be absent`);
  if (typeof header !== 'string' || !TOKEN.test(header))
    throw new Misplaced(`${where} has an ${KEY} that is no header name`);
  if (!ALLOWED_TYPES.has(schema.type as string)) {
    throw new Misplaced(`${where} has ${KEY} and is neither a string, an integer nor a boolean`);
  }
  if (found.some(other => other.header.toLowerCase() === header.toLowerCase())) {
    throw new Misplaced(`two arguments want the header ${header}`);
  }
  return header;
}

function object(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}
