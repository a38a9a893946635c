/** How long to wait before the next attempt, and after which failures there is no next. Pure. */
import { isJunctorError } from '../base/error.ts';

export interface Backoff {
  readonly firstMs: number;
  /** How many times longer each further wait is. */
  readonly factor: number;
  readonly longestMs: number;
}

/** How long to wait after so many failures in a row: longer after each further one. */
export function waitAfter(failures: number, { firstMs, factor, longestMs }: Backoff): number {
  return Math.min(firstMs * factor ** (failures - 1), longestMs);
}

const FIRST_PAUSE_MS = 10_000;
const LONGEST_PAUSE_MS = 5 * 60_000;

/** Between attempts in the background: 10 s, twice as long after each further failure, 5 min at most. */
export function pauseAfter(failures: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS);
}

/**
 * A server that is not there yet may come; a missing program, a sign-in or a plain no will not change by asking again. One
 * that took its whole connect timeout in vain is tried again only when somebody asks for it.
 */
export function isWorthRetrying(error: unknown): boolean {
  if (!isJunctorError(error, 'connection_failed') && !isJunctorError(error, 'connection_lost')) return false;
  const status = (error.cause as { status?: unknown } | undefined)?.status;
  return typeof status !== 'number' || status >= 500 || status === 429;
}
