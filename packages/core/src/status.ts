/** Every server of the config and how it is, as data: what a table, a page or a program shows. */
import type { JunctorError } from './base/error.ts';
import { isEnabled, type LayerName } from './config/layers.ts';
import type { TransportWord } from './config/server-words.ts';
import type { Host } from './host.ts';
import { unusable } from './link/unusable.ts';
import type { LeftOut } from './resolve/roster.ts';

/** How a server is, in one word. */
export type ServerState = 'disabled' | 'untrusted' | 'idle' | 'connecting' | 'auth_required' | 'ready' | 'error';

/** One server and how it is. */
export interface ServerStatus {
  /** Its id in the config. */
  readonly id: string;
  /** `untrusted` waits for a person's approval, `idle` is started when it is needed. */
  readonly state: ServerState;
  /** The word the config uses. */
  readonly transport: TransportWord;
  /** The layer that defines it. */
  readonly source: LayerName;
  /** As it is written; false also where the whole file is switched off. */
  readonly enabled: boolean;
  /** How many of its tools are available now. */
  readonly tools: number;
  /** What went wrong last, also where it is mended since. */
  readonly last_error?: StatusError;
  /** When it last became ready, as an ISO date. */
  readonly last_connected_at?: string;
  /** The version of MCP that is spoken with it now. */
  readonly protocol_version?: string;
  /** How long its last answer to a ping took. */
  readonly latency_ms?: number;
}

export interface StatusError {
  readonly code: string;
  readonly message: string;
  readonly why?: string;
  readonly hint?: string;
}

export function statusOf(host: Host): ServerStatus[] {
  const leftOut = new Map(host.resolution.leftOut.map(one => [one.id, one]));
  return [...host.loaded.servers.values()].map(server => {
    const { id, definition, layer } = server;
    return {
      id,
      transport: definition.transport,
      source: layer,
      enabled: host.loaded.enabled && isEnabled(server),
      tools: host.resolution.servers.has(id) && host.links.live(id) ? host.toolCount(id) : 0,
      ...(host.resolution.servers.has(id) ? liveStatus(host, id) : leftOutStatus(host, leftOut.get(id))),
    };
  });
}

function liveStatus(host: Host, id: string): Pick<ServerStatus, 'state'> & Partial<ServerStatus> {
  const { kind } = host.links.state(id);
  const { lastConnectedAt, latencyMs, lastError } = host.links.vitals(id);
  const greeting = host.links.live(id)?.greeting;
  return {
    state: kind,
    ...(lastError ? { last_error: described(host, lastError) } : {}),
    ...(lastConnectedAt ? { last_connected_at: lastConnectedAt.toISOString() } : {}),
    ...(greeting ? { protocol_version: greeting.protocolVersion } : {}),
    ...(latencyMs === undefined ? {} : { latency_ms: Math.round(latencyMs * 10) / 10 }),
  };
}

function leftOutStatus(host: Host, leftOut: LeftOut | undefined): Pick<ServerStatus, 'state'> & Partial<ServerStatus> {
  if (!leftOut || leftOut.kind === 'off' || leftOut.kind === 'policy') return { state: 'disabled' };
  return { state: leftOut.kind === 'waiting' ? 'untrusted' : 'error', last_error: described(host, unusable(leftOut)) };
}

function described(host: Host, error: JunctorError): StatusError {
  const { code, message, why } = error;
  const hint = host.nextStep(error);
  return {
    code,
    message: host.mask(message),
    ...(why === undefined ? {} : { why: host.mask(why) }),
    ...(hint === undefined ? {} : { hint }),
  };
}
