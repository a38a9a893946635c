/** The greeting of the 2025 era: initialize, then initialized. Says who we are and learns what the server can do. */
import { JunctorError } from '../../base/error.ts';
import type { Timeouts } from '../../resolve/roster.ts';
import type { Conversation } from '../rpc/conversation.ts';
import { request } from '../rpc/request.ts';
import { type EraName, MODERN_VERSIONS } from './envelope.ts';

/** Newest first: the versions with a handshake. A server may answer with any of them. */
export const PROTOCOL_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;
export const LATEST_PROTOCOL_VERSION: string = PROTOCOL_VERSIONS[0];

export interface ClientInfo {
  readonly name: string;
  readonly version: string;
}

export interface Greeting {
  readonly era: EraName;
  readonly protocolVersion: string;
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly serverInfo: { readonly name: string; readonly version: string };
  readonly instructions?: string;
}

export interface HandshakeOptions {
  readonly client: ClientInfo;
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly timeouts: Timeouts;
  readonly signal: AbortSignal;
}

export async function handshake(
  server: string,
  conversation: Conversation,
  { client, capabilities, timeouts, signal }: HandshakeOptions,
): Promise<Greeting> {
  const params = { protocolVersion: LATEST_PROTOCOL_VERSION, capabilities, clientInfo: client };
  const patience = { idleMs: timeouts.connectMs, totalMs: timeouts.connectMs };
  return asGreeting(server, await request(conversation, 'initialize', params, patience, { signal }));
}

function asGreeting(server: string, answer: unknown): Greeting {
  const { protocolVersion, capabilities, serverInfo, instructions } = (answer ?? {}) as Partial<Greeting>;
  if (typeof protocolVersion !== 'string') {
    throw new JunctorError('malformed_response', `Server '${server}' greeted without a protocol version.`, { server });
  }
  if (!PROTOCOL_VERSIONS.includes(protocolVersion as (typeof PROTOCOL_VERSIONS)[number])) {
    throw new JunctorError('protocol_unsupported', `Server '${server}' speaks MCP ${protocolVersion}.`, {
      server,
      why: `Junctor speaks ${[...MODERN_VERSIONS, ...PROTOCOL_VERSIONS].join(', ')}`,
      hint: 'update Junctor, or the server',
    });
  }
  return {
    era: 'legacy',
    protocolVersion,
    capabilities: capabilities ?? {},
    serverInfo: serverInfo ?? { name: server, version: 'unknown' },
    ...(typeof instructions === 'string' ? { instructions } : {}),
  };
}
