/** How long to wait before the next attempt, and after which failures there is no next. Pure. */
import { isJunctorError } from '../base/error.ts';

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 10_000;

/** 100 ms after the first failure, twice as long after each further one. */
export function waitAfter(failures: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** (failures - 1), LONGEST_WAIT_MS);
}

/** A server that is not there yet may come; a missing program, a sign-in or a plain no will not change by asking again. */
export function isWorthRetrying(error: unknown): boolean {
  if (isJunctorError(error, 'timeout')) return true;
  if (!isJunctorError(error, 'connection_failed') && !isJunctorError(error, 'connection_lost')) return false;
  const status = (error.cause as { status?: unknown } | undefined)?.status;
  return typeof status !== 'number' || status >= 500 || status === 429;
}
