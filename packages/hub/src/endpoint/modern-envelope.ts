/** What a request of the 2026-07-28 era says about its sender, and whether its headers agree with it. */
import type { IncomingHttpHeaders } from 'node:http';
import type { ServerLogLevel, ToolDefinition } from '@junctor/core';
import {
  headerArguments,
  isObject,
  isRawNumber,
  META,
  MODERN_VERSIONS,
  nameIn,
  type RawNumber,
  Refusal,
  RPC_CODE,
} from '@junctor/core/internal';
import type { Message } from '../visit/message.ts';
import { isLogLevel } from '../visit/party.ts';
import type { ClientName } from '../visit/session.ts';
import { clientName } from './legacy-talk.ts';

/** Why a request is refused. */
export class Unfit extends Refusal {}

export interface Envelope {
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly client: ClientName;
  readonly logLevel: ServerLogLevel | undefined;
}

export function openEnvelope({ params = {} }: Message): Envelope {
  const meta = isObject(params._meta) ? params._meta : {};
  const version = meta[META.protocolVersion];
  if (typeof version !== 'string') throw missing(META.protocolVersion);
  if (!MODERN_VERSIONS.includes(version))
    throw new Unfit(RPC_CODE.unsupportedVersion, `Unsupported protocol version: ${version}`, {
      supported: MODERN_VERSIONS,
      requested: version,
    });
  const capabilities = meta[META.clientCapabilities];
  if (!isObject(capabilities)) throw missing(META.clientCapabilities);
  const logLevel = meta[META.logLevel];
  return {
    capabilities,
    client: clientName(meta[META.clientInfo]),
    logLevel: isLogLevel(logLevel) ? logLevel : undefined,
  };
}

function missing(key: string): Unfit {
  return new Unfit(RPC_CODE.invalidParams, `The request has no _meta["${key}"].`);
}

/** The version is compared before anything is said about it: headers that lie are the worse mistake. */
export function checkVersionHeader({ params = {} }: Message, headers: IncomingHttpHeaders): void {
  const version = isObject(params._meta) ? params._meta[META.protocolVersion] : undefined;
  if (typeof version === 'string') compare('MCP-Protocol-Version', headers['mcp-protocol-version'], version);
}

export function checkHeaders({ method = '', params = {} }: Message, headers: IncomingHttpHeaders): void {
  compare('Mcp-Method', headers['mcp-method'], method);
  const name = nameIn(method, params);
  if (name !== undefined) compare('Mcp-Name', headers['mcp-name'], name);
}

/** Arguments whose schema says so travel in a header too. */
export function checkArguments({ inputSchema }: ToolDefinition, args: unknown, headers: IncomingHttpHeaders): void {
  const found = headerArguments(inputSchema);
  for (const { path, header } of found.ok ? found.declared : []) {
    const value = path.reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), args);
    if (value !== undefined && value !== null)
      compare(`Mcp-Param-${header}`, headers[`mcp-param-${header.toLowerCase()}`], value);
  }
}

function compare(name: string, header: string | string[] | undefined, value: unknown): void {
  if (header === undefined) throw mismatch(`the header ${name} is missing`);
  const said = decoded(String(header).trim());
  if (said === undefined) throw mismatch(`the header ${name} is no valid base64`);
  const same = isRawNumber(value)
    ? said === value.rawJSON || (isExact(value) && Number(said) === Number(value.rawJSON))
    : typeof value === 'number'
      ? said !== '' && Number(said) === value
      : said === String(value);
  if (!same) throw mismatch(`the header ${name} says '${said}', and the body something else`);
}

/** Whether it is the same number in another notation, `1.0` say, and not one that would be rounded. */
function isExact({ rawJSON }: RawNumber): boolean {
  return Number.isSafeInteger(Number(rawJSON));
}

/** Undefined where the value claims to be base64 and is not. */
function decoded(value: string): string | undefined {
  const [, base64] = /^=\?base64\?(.*)\?=$/s.exec(value) ?? [];
  if (base64 === undefined) return value;
  const bytes = Buffer.from(base64, 'base64');
  // Node reads base64 generously: what it read must be written as it came.
  return bytes.toString('base64') === base64 ? bytes.toString('utf8') : undefined;
}

function mismatch(what: string): Unfit {
  return new Unfit(RPC_CODE.headerMismatch, `Header mismatch: ${what}.`);
}
