/**
 * One kind of list of every server, asked for once and kept while it counts. The last good list stands in where a server
 * cannot say what it has now. The host keeps its lists here, and the hub those of a server's further instances.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { isJunctorError } from '../../base/error.ts';
import type { Clock } from '../../base/time/clock.ts';
import { waitAtMost } from '../../base/time/deadline.ts';
import { monotonicMs } from '../../base/time/monotonic.ts';
import type { ResolvedServer } from '../../resolve/roster.ts';
import { type Held, HeldLists, type Listing } from './held-lists.ts';
import type { ListKind } from './list-kind.ts';
import { type ListSource, readList } from './lists.ts';

/** A connection that lists are read over. */
export interface ListConnection extends ListSource {
  readonly server: ResolvedServer;
}

/** Where the connections come from. */
export interface ListConnections<Connection extends ListConnection> {
  /** The server as the reader of its lists has it. Throws where no such server is defined. */
  expect(server: string): ResolvedServer;
  /** The connection, where there is one now. */
  live(server: string): Connection | undefined;
  ready(server: string): Promise<Connection>;
  /** The first attempt to connect since the server last worked, while that runs. */
  starting?(server: string): { readonly since: number; readonly over: Promise<void> } | undefined;
  /** Whether it is not connected and nothing keeps it from being. */
  isIdle?(server: string): boolean;
  /** What the server said about itself when it was last connected. */
  greeting?(server: string): ListSource['greeting'] | undefined;
}

/** How long a list is waited for, and whether a server is started for it. */
export interface ListWait {
  /** Counted from the moment that the server began to connect or was asked, not from each question. */
  readonly patienceMs: number;
  /** Whether a server that rests is started though an earlier list of it is known. Default: true. */
  readonly wake?: boolean | undefined;
}

/** A list, and whether the server vouches for it now. */
export interface ListRead<Item> {
  readonly list: Held<Item>;
  readonly confirmed: boolean;
}

interface Reading {
  readonly done: Promise<void>;
  readonly since: number;
}

interface ReadFailure<Connection> {
  /** The connection it was read over. */
  readonly connection: Connection;
  readonly times: number;
  readonly againAt: number;
}

export interface ListRules {
  /** How long a list counts. 0: it is asked for each time. */
  readonly ttlMs: number;
  readonly clock: Clock;
  /** A list is another one than before, and its server has not said so, or says so faster than the list can be read. */
  readonly onChanged: (server: string) => void;
}

export interface ListHooks<Item, Connection> {
  /** Why an item cannot be used over this connection, where that is so. */
  refuse?(connection: Connection, item: Item): string | undefined;
  /** What the config lets through. */
  offers?(server: ResolvedServer, item: Item): boolean;
  /** Sees every whole list, as the server gave it. */
  onListed?(server: ResolvedServer, listing: Listing<Item>): void;
  /** A list could not be read. */
  onFailed?(server: string, error: unknown): void;
}

/**
 * A server may change its list while it is being read, as some do right after their greeting: then it is read again, after
 * these waits. A server that still changes it is taken at its last word until somebody asks again.
 */
const WAITS_BEFORE_READING_AGAIN_MS = [0, 50, 500];

/** A connected server that fails to list is asked again after a pause, which doubles with each failure up to the longest. */
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 5 * 60_000;

export class ServerLists<Item, Connection extends ListConnection> {
  readonly #connections: ListConnections<Connection>;
  readonly #kind: ListKind<Item>;
  readonly #rules: ListRules;
  readonly #hooks: ListHooks<Item, Connection>;
  readonly #held = new HeldLists<Item>();
  readonly #reading = new Map<string, Reading>();
  readonly #failures = new Map<string, ReadFailure<Connection>>();

  constructor(
    connections: ListConnections<Connection>,
    kind: ListKind<Item>,
    rules: ListRules,
    hooks: ListHooks<Item, Connection> = {},
  ) {
    this.#connections = connections;
    this.#kind = kind;
    this.#rules = rules;
    this.#hooks = hooks;
  }

  held(server: string): Held<Item> | undefined {
    return this.#held.get(server);
  }

  /** Whether the held list need not be asked for again. */
  isCurrent(server: string): boolean {
    const held = this.#held.get(server);
    if (held?.standing !== 'confirmed') return false;
    const live = this.#connections.live(server);
    // A server may know that its list grows old sooner, never that it is to be believed for longer.
    const ttlMs = Math.min(this.#rules.ttlMs, held.ttlMs ?? this.#rules.ttlMs);
    const ageMs = this.#rules.clock.now() - held.at;
    // Of the future: the clock was put back, and nobody knows how old it is.
    return (live === undefined || live === held.from) && ageMs >= 0 && ageMs < ttlMs;
  }

  /**
   * The list as it is now. Where the server cannot say, what it said earlier in this run is still better than nothing: it
   * is returned, and is not `confirmed`.
   */
  async read(server: string): Promise<ListRead<Item>> {
    this.#connections.expect(server);
    const known = this.#held.get(server);
    if (known && this.isCurrent(server)) return { list: known, confirmed: true };
    try {
      await this.#readOnce(server);
      const list = this.#held.get(server);
      if (!list) return await this.read(server); // it was forgotten again the moment it was there
      return { list, confirmed: list.standing === 'confirmed' };
    } catch (error) {
      // Whoever asked looked in vain: the next change is news again.
      this.#held.missed(server);
      const earlier = this.#held.get(server);
      if (!earlier || earlier.standing === 'remembered') throw error;
      return { list: earlier, confirmed: false };
    }
  }

  /**
   * The list without waiting for a server that is down, and without starting it again: what is known is returned at once.
   * Waited for are a connected server, and one in its first attempt to connect.
   */
  async soon(server: string, { patienceMs, wake = true }: ListWait): Promise<ListRead<Item> | undefined> {
    const known = this.#held.get(server);
    if (known && this.isCurrent(server)) return { list: known, confirmed: true };
    const live = this.#connections.live(server);
    if (live) return this.#soonOver(live, server, patienceMs);
    const begins = this.#connections.isIdle?.(server) && (wake || this.#isUnknown(server));
    if (!begins && !this.#connections.starting?.(server)) return this.#earlier(server);
    const reading = this.read(server);
    const first = this.#connections.starting?.(server);
    const awaited = first
      ? Promise.race([reading, first.over.then(() => this.#ifConnected(server, reading))])
      : reading;
    return this.#within(server, patienceMs - (first ? monotonicMs() - first.since : 0), awaited);
  }

  /** A new connection: those who got no list, or one of an earlier run, hear of what it offers now. */
  onReady(server: string): void {
    if (this.#held.isAwaited(server)) this.read(server).catch(() => {}); // its state tells the failure
  }

  /** Takes in what an earlier run knew. */
  suggest(server: ResolvedServer, listing: Listing<Item>): void {
    this.#held.suggest(server.id, this.#offered(server, listing));
  }

  /** The server says that its list changed. True where that is news. */
  announce(server: string): boolean {
    return this.#held.announce(server);
  }

  forget(server: string): void {
    this.#held.forget(server);
  }

  /** Whoever comes while a list is being read waits for the same reading. */
  #readOnce(server: string): Promise<void> {
    const reading = this.#reading.get(server);
    if (reading) return reading.done;
    const done = this.#readUntilCalm(server).finally(() => this.#reading.delete(server));
    this.#reading.set(server, { done, since: monotonicMs() });
    done.then(
      () => this.#failures.delete(server),
      error => this.#failed(server, error),
    );
    return done;
  }

  #failed(server: string, error: unknown): void {
    const connection = this.#connections.live(server);
    const before = this.#failures.get(server);
    if (connection) {
      const times = before?.connection === connection ? before.times + 1 : 1;
      const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** (times - 1), LONGEST_PAUSE_MS);
      this.#failures.set(server, { connection, times, againAt: monotonicMs() + pauseMs });
    }
    this.#hooks.onFailed?.(server, error);
  }

  #soonOver(live: Connection, server: string, patienceMs: number): Promise<ListRead<Item> | undefined> {
    const known = this.#held.get(server);
    const failure = this.#failures.get(server);
    const failed = failure?.connection === live;
    // It has only grown old: whoever reads it need not wait, and hears of a change when there is one.
    const isOld = known?.standing === 'confirmed' && known.from === live && this.#rules.ttlMs > 0;
    if (!failed || monotonicMs() >= failure.againAt) {
      const reading = this.read(server);
      const sinceMs = monotonicMs() - (this.#reading.get(server)?.since ?? monotonicMs());
      if (!failed && !isOld) return this.#within(server, patienceMs - sinceMs, reading);
      reading.catch(() => {}); // the hooks report it
    }
    return isOld && !failed ? Promise.resolve({ list: known, confirmed: true }) : this.#earlier(server);
  }

  /** Whether the server has to be asked before anything can be said about its list. */
  #isUnknown(server: string): boolean {
    const known = this.#held.get(server);
    if (known) return known.standing === 'overtaken';
    // A server that has no such list need not be started to find none.
    const capabilities = this.#connections.greeting?.(server)?.capabilities;
    return !capabilities || capabilities[this.#kind.list] !== undefined;
  }

  #ifConnected<Value>(server: string, reading: Promise<Value>): Promise<Value> | undefined {
    return this.#connections.live(server) ? reading : undefined;
  }

  async #within(
    server: string,
    waitMs: number,
    reading: Promise<ListRead<Item> | undefined>,
  ): Promise<ListRead<Item> | undefined> {
    const read = reading.catch(() => undefined);
    return (waitMs > 0 ? await waitAtMost(waitMs, read) : undefined) ?? this.#earlier(server);
  }

  /** What is known, for somebody who asked while the server could not say more. */
  async #earlier(server: string): Promise<ListRead<Item> | undefined> {
    this.#held.missed(server);
    const list = this.#held.get(server);
    return list && { list, confirmed: false };
  }

  async #readUntilCalm(server: string): Promise<void> {
    for (const waitMs of [...WAITS_BEFORE_READING_AGAIN_MS, undefined]) {
      const mark = this.#held.mark(server);
      const { connection, listing } = await this.#ask(server);
      const reader = this.#connections.expect(server);
      const outcome = this.#held.put(server, this.#offered(reader, listing), connection, mark);
      if (outcome.silentlyChanged) this.#rules.onChanged(server);
      if (outcome.confirmed) return this.#hooks.onListed?.(reader, listing);
      if (waitMs !== undefined) await sleep(waitMs);
    }
    // What was just read is outdated already. Whoever wants to know better is told to ask again.
    if (this.#held.announce(server)) this.#rules.onChanged(server);
  }

  /** A session or connection that ended between two pages took its cursors along: the list is begun anew, once. */
  async #ask(server: string): Promise<{ connection: Connection; listing: Listing<Item> }> {
    const connection = await this.#connections.ready(server);
    try {
      return { connection, listing: await this.#listing(connection) };
    } catch (error) {
      if (!isJunctorError(error, 'session_expired') && !isJunctorError(error, 'connection_lost')) throw error;
      const again = await this.#connections.ready(server);
      return { connection: again, listing: await this.#listing(again) };
    }
  }

  async #listing(connection: Connection): Promise<Listing<Item>> {
    const refuse = this.#hooks.refuse?.bind(undefined, connection);
    return { ...(await readList(connection, this.#kind, refuse)), at: this.#rules.clock.now() };
  }

  #offered(server: ResolvedServer, listing: Listing<Item>): Listing<Item> {
    const { offers } = this.#hooks;
    if (!offers || !server.filtered) return listing;
    return { ...listing, items: listing.items.filter(item => offers(server, item)) };
  }
}
