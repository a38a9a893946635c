/** HTTP headers repeat what a request of the modern era says in its body, so that others can route by them: both must agree. */
import type { IncomingHttpHeaders } from 'node:http';
import { CODE, type Message, type Params, RpcError, record } from '../../rpc.ts';
import type { SharedState } from '../../shared-state.ts';
import { claimedVersion, openEnvelope } from './envelope.ts';

/** Which field of the params `Mcp-Name` repeats. */
const NAMED_BY: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
};

export function checkHeaders(message: Message, headers: IncomingHttpHeaders, shared: SharedState): void {
  const { method = '', params = {} } = message;
  const version = claimedVersion(params);
  if (version !== undefined) compare('MCP-Protocol-Version', headers['mcp-protocol-version'], version);
  openEnvelope(params);
  compare('Mcp-Method', headers['mcp-method'], method);
  const field = Object.hasOwn(NAMED_BY, method) ? NAMED_BY[method] : undefined;
  const name = field === undefined ? undefined : params[field];
  if (typeof name === 'string') compare('Mcp-Name', headers['mcp-name'], name);
  if (method === 'tools/call') checkArguments(params, headers, shared);
}

/** Arguments whose schema says so travel in a header too. */
function checkArguments(params: Params, headers: IncomingHttpHeaders, shared: SharedState): void {
  const schema = record(shared.tools.find(params.name)?.definition.inputSchema);
  const args = record(params.arguments);
  for (const [argument, property] of Object.entries(record(schema.properties))) {
    const suffix = record(property)['x-mcp-header'];
    const value = args[argument];
    if (suffix === undefined || value === undefined || value === null) continue;
    compare(`Mcp-Param-${suffix}`, headers[`mcp-param-${suffix}`.toLowerCase()], value);
  }
}

function compare(name: string, header: string | string[] | undefined, value: unknown): void {
  if (header === undefined) throw mismatch(`the header ${name} is missing`);
  const said = decoded(String(header).trim());
  if (said === undefined) throw mismatch(`the header ${name} is no valid base64`);
  const same = typeof value === 'number' ? Number(said) === value : said === String(value);
  if (!same) throw mismatch(`the header ${name} says '${said}', the body says '${value}'`);
}

/** Undefined where the value claims to be base64 and is not. */
function decoded(value: string): string | undefined {
  const [, base64] = /^=\?base64\?(.*)\?=$/s.exec(value) ?? [];
  if (base64 === undefined) return value;
  const bytes = Buffer.from(base64, 'base64');
  // Node reads base64 generously; what it reads must be written as it came.
  return bytes.toString('base64') === base64 ? bytes.toString('utf8') : undefined;
}

function mismatch(what: string): RpcError {
  return new RpcError(CODE.headerMismatch, `Header mismatch: ${what}.`, { status: 400 });
}
