/** What keeps servers of a host from one agent on one executor and is in no resolution: it was found when the config was read. */
import type { Host } from './host.ts';
import { type Whereabouts, waitingPlace } from './resolve/place-waits.ts';
import type { LeftOut } from './resolve/roster.ts';

export function unusableFor(
  { waiting, loaded, resolution }: Host,
  whereabouts: Whereabouts,
): ReadonlyMap<string, Omit<LeftOut, 'id'>> {
  const place = waitingPlace(waiting, loaded.frame, whereabouts);
  const programs = [...loaded.servers.values()].filter(({ definition }) => definition.command !== undefined);
  // A missing variable, or a server nobody approved, holds everywhere; a place that waits only for who is to run there.
  const everywhere = resolution.leftOut.filter(
    ({ kind, forRules }) => kind === 'broken' || (kind === 'waiting' && !forRules),
  );
  return new Map([
    ...(place ? programs.map(({ id }) => [id, place] as const) : []),
    ...everywhere.map(({ id, ...reason }) => [id, reason] as const),
  ]);
}
