/**
 * A hub on PostgreSQL holds a lock for as long as it is connected. A process that is killed loses it at once, one that is
 * only slow keeps it: so the two are told apart sooner than by silence alone.
 */
import { hash } from 'node:crypto';

/** The first of the two numbers of such a lock. */
export const PRESENCE = 77_17;

/** The second one: small enough to be positive everywhere. */
export function presenceKey(life: string): number {
  return Number.parseInt(hash('sha256', life, 'hex').slice(0, 7), 16);
}
