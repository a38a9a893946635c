/** Which servers a new roster adds, removes or defines otherwise. Pure. */
import type { Roster } from './roster.ts';

/** What a reload changed, as ids of servers. */
export interface ServerChanges {
  /** New ones. */
  readonly added: readonly string[];
  /** Those that are gone, and were ended. */
  readonly removed: readonly string[];
  /** Those that are defined otherwise. They were restarted if they ran, unless only what is offered of them changed. */
  readonly changed: readonly string[];
}

export function compareRosters(before: Roster, after: Roster): ServerChanges {
  const added = [...after.servers.keys()].filter(id => !before.servers.has(id));
  const removed = [...before.servers.keys()].filter(id => !after.servers.has(id));
  const changed = [...after.servers.values()]
    .filter(({ id, definition }) => {
      const old = before.servers.get(id);
      return old !== undefined && old.definition !== definition;
    })
    .map(({ id }) => id);
  return { added, removed, changed };
}
