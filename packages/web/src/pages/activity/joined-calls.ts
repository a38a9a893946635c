/** Calls that were read page by page, newest first, and how newer ones join them. Pure. */
import type { Call, Calls } from '@junctor/hub/answers';

export interface ReadCalls {
  readonly calls: readonly Call[];
  /** Where to read on; null at the end. */
  readonly next: number | null;
}

type Newest = Pick<Calls, 'calls' | 'next'>;

/** How many of the newest are not among those that were read. */
export function newerCount({ calls: [first] }: ReadCalls, newest: Newest): number {
  const at = newest.calls.findIndex(({ call_id: id }) => id === first?.call_id);
  return at === -1 ? newest.calls.length : at;
}

/** Where so much happened that pages do not meet, reading begins anew: a list with a hole in it would lie. */
export function withNewer(read: ReadCalls, newest: Newest): ReadCalls {
  const newer = newerCount(read, newest);
  if (newer === 0) return read;
  if (newer === newest.calls.length) return newest;
  return { ...read, calls: [...newest.calls.slice(0, newer), ...read.calls] };
}

export function withOlder({ calls }: ReadCalls, older: Newest): ReadCalls {
  return { calls: [...calls, ...older.calls], next: older.next };
}
