/** How long a life of a server is kept that nobody uses. */
import type { Upstream } from './upstream.ts';

/** A run whose last connection is gone has this long to come back; most are over. */
const RETURN_MS = 30_000;

export function patienceWith({ owner, server, users }: Upstream, idleMs: number): number {
  const isDeserted = owner?.ended || (server.site && users.size === 0);
  return isDeserted ? Math.min(idleMs, RETURN_MS) : idleMs;
}

/**
 * Whether ending the instance that lists tools frees something: a process, a container, what one session left there. A mere
 * connection to a server elsewhere costs little, and brings the news of its lists.
 */
export function isWorthEnding({ owner, server: { endpoint, site }, live }: Upstream): boolean {
  if (owner !== undefined) return true;
  return live !== undefined && (site !== undefined || endpoint.transport === 'stdio' || endpoint.program !== undefined);
}
