/** The HTTP headers that repeat what a request of the 2026-07-28 era says in its body, so that others can route by them. */
import { isRawNumber } from '../../base/json/exact-json.ts';
import type { HeaderArgument } from '../../catalogue/header-arguments.ts';

/** Which field of the params `Mcp-Name` repeats. */
const NAMED_BY: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
};

export function standardHeaders(version: string, method: string, params: object): Record<string, string> {
  const name = nameIn(method, params);
  return {
    'mcp-protocol-version': version,
    'mcp-method': method,
    ...(name === undefined ? {} : { 'mcp-name': fieldValue(name) }),
  };
}

/** What `Mcp-Name` repeats of a request. Undefined: it has no such header. */
export function nameIn(method: string, params: object): string | undefined {
  const field = Object.hasOwn(NAMED_BY, method) ? NAMED_BY[method] : undefined;
  const name = field === undefined ? undefined : (params as Record<string, unknown>)[field];
  return typeof name === 'string' ? name : undefined;
}

export function argumentHeaders(declared: readonly HeaderArgument[], args: unknown): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const { path, header } of declared) {
    const text = asText(valueAt(args, path));
    if (text !== undefined) headers[`mcp-param-${header.toLowerCase()}`] = fieldValue(text);
  }
  return headers;
}

function asText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  if (isRawNumber(value)) return value.rawJSON;
  // A number that JSON may have rounded would not equal the one in the body.
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined;
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? undefined : String(value);
}

function valueAt(args: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined),
    args,
  );
}

const PLAIN = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/;
const ENCODED = /^=\?base64\?.*\?=$/;

/** A value as an HTTP field can carry it: plain ASCII as it is, everything else in base64. */
export function fieldValue(text: string): string {
  if (PLAIN.test(text) && !ENCODED.test(text)) return text;
  return `=?base64?${Buffer.from(text, 'utf8').toString('base64')}?=`;
}
