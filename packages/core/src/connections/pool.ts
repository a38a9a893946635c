/**
 * The managed connections of one process. Hosts with an equal server use one connection of it: equal means the same id,
 * endpoint, credentials, executor, mode and limits. A connection ends when its last host lets go of it. What a host offers,
 * lists and permits stays its own.
 */
import type { Log } from '../base/log/log.ts';
import type { ResolvedServer } from '../resolve/roster.ts';
import type { LinkState } from './link.ts';
import type { Instance, LinksOptions, Outfit } from './links.ts';
import { Place, type PlaceOptions } from './place.ts';
import { OrphanGuard } from './process/orphan-guard.ts';
import { ProcessTable } from './process/process-table.ts';
import { SpawnTurns } from './spawn-turns.ts';

/** One host, as far as its connections are concerned. */
export type PoolUser = LinksOptions;

interface Entry {
  readonly place: Place;
  /** The first of them opens the connection: with its log, its credentials and its limits. */
  readonly users: Set<PoolUser>;
  /** Further instances, by the host they were opened for. */
  readonly others: Map<Place, PoolUser>;
}

export class ConnectionPool implements AsyncDisposable {
  readonly #entries = new Map<string, Entry>();
  readonly #guard = new OrphanGuard();
  readonly #processes = new ProcessTable();
  /** One for all hosts: they block the same event loop. */
  readonly #spawns = new SpawnTurns();
  readonly #ending = new Set<Promise<void>>();
  #outfitOf: ((instance: Instance) => Outfit | undefined) | undefined;

  /** Says what servers are opened with from now on: for a program that answers them on behalf of others. */
  equip(outfitOf: (instance: Instance) => Outfit | undefined): void {
    this.#outfitOf = outfitOf;
  }

  /** The connection of a server, for one more host. It is opened when it is needed. */
  acquire(server: ResolvedServer, user: PoolUser): Place {
    const known = this.#entries.get(server.connection);
    if (known) {
      known.users.add(user);
      // What became of it so far is news to this host only. Its parts are complete after this turn.
      if (known.place.state.kind !== 'idle')
        queueMicrotask(() => known.users.has(user) && user.onState(server.id, known.place.state));
      return known.place;
    }
    const users = new Set([user]);
    const lead = (): PoolUser => users.values().next().value ?? user;
    const told = {
      onState: (id: string, state: LinkState) => {
        for (const one of users) one.onState(id, state);
      },
      onNotification: (id: string, method: string, params: unknown) => {
        for (const one of users) one.onNotification(id, method, params);
      },
    };
    const place = new Place(server, () => this.#optionsFor(lead(), told));
    this.#entries.set(server.connection, { place, users, others: new Map() });
    return place;
  }

  /** A host lets go: with the last one the server ends, and with each host what was opened for it alone. */
  async release(place: Place, user: PoolUser): Promise<void> {
    const entry = this.#entries.get(place.server.connection);
    if (entry?.place !== place) return;
    const led = entry.users.values().next().value === user;
    const own = [...entry.others].flatMap(([other, of]) => (of === user ? [other] : []));
    const ended = own.map(other => other.giveUp());
    if (led && entry.users.size === 1) {
      this.#entries.delete(place.server.connection);
      // The last host still hears that its server has ended.
      ended.push(place.giveUp().finally(() => entry.users.delete(user)));
    } else if (entry.users.delete(user)) {
      if (place.state.kind !== 'idle') user.onState(place.server.id, { kind: 'idle' });
      if (led) place.handOver();
    }
    await Promise.all(ended);
  }

  /** Another instance of a server beside the first. It ends when it is given up, or its host lets go of the server. */
  another(place: Place, user: PoolUser, outfit: Outfit): Place {
    const entry = this.#entries.get(place.server.connection);
    const options: PlaceOptions = {
      ...this.#optionsFor(user, { onState: () => {}, onNotification: () => {} }),
      outfitOf: () => outfit,
      onGivenUp: () => entry?.others.delete(other),
      retriesInBackground: false,
    };
    const other = new Place(place.server, () => options);
    entry?.others.set(other, user);
    return other;
  }

  /** What a line to a server is opened with that nobody manages. */
  lineOptions(user: PoolUser): PlaceOptions {
    return this.#optionsFor(user, { onState: () => {}, onNotification: () => {} });
  }

  /** Waits until everything that ends has ended. */
  async close(): Promise<void> {
    for (const { place, others } of this.#entries.values())
      for (const one of [place, ...others.keys()]) this.#awaitEnd(one.giveUp());
    this.#entries.clear();
    // What was just being opened may have to be ended as well, and is known only then.
    while (this.#ending.size > 0) await Promise.all(this.#ending);
    await this.#guard.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #optionsFor(user: PoolUser, told: Pick<LinksOptions, 'onState' | 'onNotification'>): PlaceOptions {
    return {
      ...user,
      ...told,
      guard: this.#guard,
      processes: this.#processes,
      spawns: this.#spawns,
      onEnding: ending => this.#awaitEnd(ending, user.log),
      outfitOf: instance => this.#outfitOf?.(instance),
    };
  }

  #awaitEnd(ending: Promise<void>, log?: Log): void {
    const noted = ending
      .catch(leak => log?.warn('could not close cleanly', { leak }))
      .finally(() => this.#ending.delete(noted));
    this.#ending.add(noted);
  }
}
