/** The opening of the 2026-07-28 era: the server is asked what it speaks and can do. There is nothing to say hello to. */

import { isJunctorError, JunctorError } from '../../base/error.ts';
import { RPC_CODE } from '../../base/rpc-code.ts';
import type { Conversation, Patience } from '../rpc/conversation.ts';
import { request } from '../rpc/request.ts';
import { enveloped, META, MODERN_VERSIONS, type Sender } from './envelope.ts';
import type { Greeting, HandshakeOptions } from './handshake.ts';
import { standardHeaders } from './request-headers.ts';

export interface DiscoverOptions extends HandshakeOptions {
  readonly logLevel?: string | undefined;
}

/** Undefined where the server answers, but speaks no version of this era with us. */
export async function discover(
  server: string,
  conversation: Conversation,
  options: DiscoverOptions,
): Promise<Greeting | undefined> {
  const { connectMs } = options.timeouts;
  const patience = { idleMs: connectMs, totalMs: connectMs };
  for (const version of MODERN_VERSIONS) {
    const found = await askOnce(server, conversation, version, patience, options);
    if (found) return found;
  }
  return undefined;
}

async function askOnce(
  server: string,
  conversation: Conversation,
  version: string,
  patience: Patience,
  options: DiscoverOptions,
): Promise<Greeting | undefined> {
  const ask = (): Promise<unknown> => {
    speakModern(conversation, { version, ...options });
    return request(conversation, 'server/discover', {}, patience, { signal: options.signal });
  };
  try {
    return asGreeting(server, version, await ask());
  } catch (error) {
    if (!namesVersion(error, version)) throw error;
    // It speaks this version after all, as one does that was only choosy about the first request.
    return asGreeting(server, version, await ask());
  }
}

/** From now on every request carries who sends it. */
export function speakModern(conversation: Conversation, sender: Sender): void {
  conversation.speak({
    dress: enveloped(sender),
    headersFor: (method, params) => standardHeaders(sender.version, method, params),
    cancelsByHangingUp: false,
  });
}

function asGreeting(server: string, version: string, answer: unknown): Greeting | undefined {
  const { supportedVersions, capabilities, serverInfo, instructions, _meta } = (answer ?? {}) as Discovered;
  if (!Array.isArray(supportedVersions)) {
    throw new JunctorError('malformed_response', `Server '${server}' did not say which versions of MCP it speaks.`, {
      server,
      why: 'its answer to server/discover has no list supportedVersions',
    });
  }
  if (!supportedVersions.includes(version)) return undefined;
  return {
    era: 'modern',
    protocolVersion: version,
    capabilities: capabilities ?? {},
    serverInfo: _meta?.[META.serverInfo] ?? serverInfo ?? { name: server, version: 'unknown' },
    ...(typeof instructions === 'string' ? { instructions } : {}),
  };
}

interface Discovered {
  readonly supportedVersions?: unknown;
  readonly capabilities?: Greeting['capabilities'];
  readonly serverInfo?: Greeting['serverInfo'];
  readonly instructions?: unknown;
  readonly _meta?: { readonly [META.serverInfo]?: Greeting['serverInfo'] };
}

function namesVersion(error: unknown, version: string): boolean {
  if (!isJunctorError(error, 'server_error')) return false;
  const { code, data } = error.cause as { code?: unknown; data?: { supported?: unknown } };
  return code === RPC_CODE.unsupportedVersion && Array.isArray(data?.supported) && data.supported.includes(version);
}
