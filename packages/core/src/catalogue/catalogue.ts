/** Numbers the snapshots: while what the servers offer is the same, so is the snapshot of each view. */
import type { Entry, ToolDefinition } from './entry.ts';
import { Shelves } from './shelves.ts';
import { entryNamed, type Snapshot, type ToolList, takeSnapshot } from './snapshot.ts';
import type { View } from './view.ts';

/** A host has few readers; a program that names a new one for each run must not keep them all. */
const MAX_VIEWS = 32;

export class Catalogue {
  readonly #shelves = new Shelves();
  /** By view, the one used last at the end. */
  readonly #taken = new Map<string, Snapshot>();
  #lists: ReadonlyMap<string, ToolList> | undefined;
  #latest: Snapshot | undefined;
  #number = 0;

  /** The last snapshot that anybody took: lets a hot path go on without waiting. */
  get latest(): Snapshot | undefined {
    return this.#latest;
  }

  /** What a public name means, in whichever view it was given: a name that was published means one tool and no other. */
  find(name: string): Entry | undefined {
    const entry = this.#latest && entryNamed(this.#latest, name);
    if (entry || this.#taken.size < 2) return entry;
    for (const snapshot of [...this.#taken.values()].reverse()) {
      const earlier = entryNamed(snapshot, name);
      if (earlier) return earlier;
    }
    return undefined;
  }

  /** Tools of a server that are not those everybody gets, under the names they have in this view. */
  shelve(server: string, tools: readonly ToolDefinition[], view: View, servers: Iterable<string>): readonly Entry[] {
    return this.#shelves.ofOne(server, tools, view, servers);
  }

  /** `servers`: the ids of every server that could be there. */
  snapshot(view: View, lists: ReadonlyMap<string, ToolList>, servers: Iterable<string>): Snapshot {
    if (!this.#lists || !sameLists(this.#lists, lists)) {
      this.#lists = lists;
      this.#number++;
    }
    const earlier = this.#taken.get(view.key);
    const current = earlier?.number === this.#number ? earlier : undefined;
    const snapshot = current ?? takeSnapshot(lists, { number: this.#number, view, servers, shelves: this.#shelves });
    this.#taken.delete(view.key);
    this.#taken.set(view.key, snapshot);
    this.#latest = snapshot;
    if (this.#taken.size > MAX_VIEWS) this.#taken.delete(this.#taken.keys().next().value as string);
    return snapshot;
  }
}

/** Lists are never changed in place: two that are equal are one. */
function sameLists(a: ReadonlyMap<string, ToolList>, b: ReadonlyMap<string, ToolList>): boolean {
  if (a.size !== b.size) return false;
  return [...a].every(([server, one]) => {
    const other = b.get(server);
    return (
      other?.tools === one.tools &&
      other.skipped === one.skipped &&
      other.hidden === one.hidden &&
      other.staleSince?.getTime() === one.staleSince?.getTime()
    );
  });
}
