/** What keeps servers of a host from one agent on one executor and is in no resolution: it was found when the config was read. */

import { holdsEverywhere } from '../resolve/availability.ts';
import { type Whereabouts, waitingPlace } from '../resolve/place-waits.ts';
import type { LeftOut } from '../resolve/roster.ts';
import type { Host } from './host.ts';

export function unusableFor(
  { waiting, loaded, resolution }: Host,
  whereabouts: Whereabouts,
): ReadonlyMap<string, Omit<LeftOut, 'id'>> {
  const place = waitingPlace(waiting, loaded.frame, whereabouts);
  const programs = [...loaded.servers.values()].filter(({ definition }) => definition.command !== undefined);
  // A place that waits concerns only those who are to run there.
  const everywhere = resolution.leftOut.filter(holdsEverywhere);
  return new Map([
    ...(place ? programs.map(({ id }) => [id, place] as const) : []),
    ...everywhere.map(({ id, ...reason }) => [id, reason] as const),
  ]);
}
