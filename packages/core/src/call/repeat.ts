/** Which calls are sent again by themselves: those that cannot have run, and those that do no harm twice. Pure. */
import { isJunctorError } from '../base/error.ts';

/** How often a call is sent in all. A server that restarts is back within the waits between. */
export const MAX_SENDINGS = 4;

/** A server that could not be opened was tried often enough: only what failed on an open connection is sent again. */
export function mayRepeat(error: unknown, isRepeatable: () => boolean): boolean {
  if (!isJunctorError(error)) return false;
  const { code, outcome, unsent } = error;
  if (code === 'session_expired' || unsent) return true;
  return code === 'connection_lost' && outcome === 'unknown' && isRepeatable();
}
