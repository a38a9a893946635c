/** How long a life of a server is kept that nobody uses. */
import type { Upstream } from './upstream.ts';

/** A run whose last connection is gone has this long to come back; most are over. */
const RETURN_MS = 30_000;

export function patienceWith({ owner, server, users }: Upstream, idleMs: number): number {
  const isDeserted = owner?.ended || (server.site && users.size === 0);
  return isDeserted ? Math.min(idleMs, RETURN_MS) : idleMs;
}

/**
 * Whether the life that lists tools is not for all who may come: it is one session's, or runs elsewhere, where it holds a
 * container or a connection to another machine.
 */
export function isKeptForSome({ owner, server, live }: Upstream): boolean {
  return owner !== undefined || (server.site !== undefined && live !== undefined);
}
