/** How many lives of a server there may be, and for how long nobody may use one. */
import { JunctorError } from '@junctor/core';

export interface InstanceLimits {
  /** A server has at most so many lives at once. */
  readonly maxPerServer?: number | undefined;
  /** A life that nobody used for this long is ended; whoever comes next has a new one. */
  readonly idleMs?: number | undefined;
}

/** Each may be a process: more than this of one server is rather a mistake than a need. */
export const DEFAULT_MAX_PER_SERVER = 64;
export const DEFAULT_IDLE_MS = 10 * 60_000;

export function tooMany(id: string, max: number): JunctorError {
  return new JunctorError('too_many_instances', `Server '${id}' runs ${max} times already, once for each session.`, {
    server: id,
    why: `no more than ${max} are allowed at once`,
    hint: `end sessions that are not needed, set "mode": "shared" on server '${id}', or start the hub with a higher --max-instances`,
  });
}
