/** Which servers a new roster adds, removes or defines otherwise. Pure. */
import type { Roster } from './roster.ts';

export interface ServerChanges {
  readonly added: readonly string[];
  readonly removed: readonly string[];
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
