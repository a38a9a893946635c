/** How many instances of a server there may be, for how long nobody may use one, and the share of each owner of a token. */
import { JunctorError } from '@junctor/core';
import type { Upstream } from './upstream.ts';

export interface InstanceLimits {
  /** A server has at most so many instances at once. */
  readonly maxPerServer?: number | undefined;
  /** An instance that nobody used for this long is ended; the next caller gets a new one. */
  readonly idleMs?: number | undefined;
}

/** Each may be a process: more than this of one server is rather a mistake than a need. */
export const DEFAULT_MAX_PER_SERVER = 64;
export const DEFAULT_IDLE_MS = 10 * 60_000;

/** A quarter is left to others, whatever one owner does. */
export function shareOf(maxPerServer: number): number {
  return maxPerServer - Math.floor(maxPerServer / 4);
}

/** The instance to end where a server has as many as it may: unused, and of the owner with the most, if that has more than `own`. */
export function unusedOfLargest(all: readonly Upstream[], own: number): Upstream | undefined {
  const byOwner = Map.groupBy(all, ({ principal }) => principal);
  const [largest = []] = [...byOwner.values()].sort((one, other) => other.length - one.length);
  if (largest.length <= own + 1) return undefined;
  const unused = largest.filter(({ inUse }) => !inUse);
  return unused.sort((one, other) => one.usedAt - other.usedAt)[0];
}

/** `share`: of one owner, where that is what is used up. */
export function tooMany(id: string, max: number, share?: number): JunctorError {
  const [times, whose] = share === undefined ? [max, ''] : [share, ' for this token'];
  return new JunctorError(
    'too_many_instances',
    `Server '${id}' runs ${times} times already${whose}, once for each session.`,
    {
      server: id,
      why: `no more than ${max} are allowed at once, and ${shareOf(max)} for one token`,
      hint: `end sessions that are not needed, set "mode": "shared" on server '${id}', or start the hub with a higher --max-instances`,
    },
  );
}
