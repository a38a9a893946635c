/** What a request of the 2026-07-28 era carries about its sender, and the names it carries it under. */
import type { ClientInfo } from './handshake.ts';

export type EraName = 'legacy' | 'modern';

/** Newest first: versions without a handshake, where every request says who sends it. */
export const MODERN_VERSIONS: readonly string[] = ['2026-07-28'];

export const META = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  logLevel: 'io.modelcontextprotocol/logLevel',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  subscriptionId: 'io.modelcontextprotocol/subscriptionId',
  /** Of the older era: the task that a question or a result belongs to. */
  relatedTask: 'io.modelcontextprotocol/related-task',
} as const;

export interface Sender {
  readonly version: string;
  readonly client: ClientInfo;
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly logLevel?: string | undefined;
}

/** Params with the envelope in them. What the caller put there itself stays: a hub speaks for its own callers. */
export function enveloped(sender: Sender): (params: object) => object {
  const envelope = {
    [META.protocolVersion]: sender.version,
    [META.clientInfo]: sender.client,
    [META.clientCapabilities]: sender.capabilities,
    ...(sender.logLevel === undefined ? {} : { [META.logLevel]: sender.logLevel }),
  };
  return params => ({ ...params, _meta: { ...envelope, ...(params as { _meta?: object })._meta } });
}
