/** Every server of the config and how it is, as data: what a table, a page or a program shows. */
import type { JunctorError } from '../base/error.ts';
import { isEnabled, type LayerName } from '../config/layers.ts';
import type { TransportWord } from '../config/schema/server-words.ts';
import { type Availability, availabilityOf, factsOf, whyUnavailable } from '../resolve/availability.ts';
import type { Host } from './host.ts';

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
  const facts = factsOf(host);
  return [...host.loaded.servers.values()].map(server => {
    const { id, definition, layer } = server;
    return {
      id,
      transport: definition.transport,
      source: layer,
      enabled: host.loaded.enabled && isEnabled(server),
      tools: host.resolution.servers.has(id) && isOffered(host, id) ? host.toolCount(id) : 0,
      ...(host.resolution.servers.has(id) ? liveStatus(host, id) : absentStatus(host, id, availabilityOf(id, facts))),
    };
  });
}

/** A server that rests offers what it listed last: it is started when a tool is called. */
function isOffered(host: Host, id: string): boolean {
  return host.links.live(id) !== undefined || host.links.isIdle(id);
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

function absentStatus(
  host: Host,
  id: string,
  availability: Availability,
): Pick<ServerStatus, 'state'> & Partial<ServerStatus> {
  const kind = availability.kind === 'left_out' ? availability.leftOut.kind : 'off';
  const error = whyUnavailable(id, availability);
  if (kind === 'off' || kind === 'policy' || !error) return { state: 'disabled' };
  return { state: kind === 'waiting' ? 'untrusted' : 'error', last_error: described(host, error) };
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
