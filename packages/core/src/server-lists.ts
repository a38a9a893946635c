/** One kind of list of every server, asked for once and kept while it counts: held lists and links, joined. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from './base/clock.ts';
import { isJunctorError } from './base/error.ts';
import { RPC_CODE } from './base/rpc-code.ts';
import { type Collected, collect, type Page } from './catalogue/collect.ts';
import { type Held, HeldLists, type Listing } from './catalogue/held-lists.ts';
import type { ListKind } from './catalogue/list-kind.ts';
import type { Link } from './link/link.ts';
import type { Links } from './link/links.ts';
import type { ResolvedServer } from './resolve/roster.ts';

export interface ListRules {
  /** How long a list counts. 0: it is asked for each time. */
  readonly ttlMs: number;
  readonly clock: Clock;
  /** A list is another one than before, and its server has not said so, or says so faster than the list can be read. */
  readonly onChanged: (server: string) => void;
}

export interface ListHooks<Item> {
  /** Why an item cannot be used over this link, where that is so. */
  refuse?(link: Link, item: Item): string | undefined;
  /** What the config lets through. */
  offers?(server: ResolvedServer, item: Item): boolean;
  /** Sees every whole list, as the server gave it. */
  onListed?(server: ResolvedServer, listing: Listing<Item>): void;
}

/**
 * A server may change its list while it is being read, as some do right after their greeting: then it is read again, after
 * these waits. A server that still changes it is taken at its last word until somebody asks again.
 */
const WAITS_BEFORE_READING_AGAIN_MS = [0, 50, 500];

export class ServerLists<Item> {
  readonly #links: Links;
  readonly #kind: ListKind<Item>;
  readonly #rules: ListRules;
  readonly #hooks: ListHooks<Item>;
  readonly #held = new HeldLists<Item>();
  readonly #reading = new Map<string, Promise<void>>();

  constructor(links: Links, kind: ListKind<Item>, rules: ListRules, hooks: ListHooks<Item> = {}) {
    this.#links = links;
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
    const live = this.#links.live(server);
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
  async read(server: string): Promise<{ readonly list: Held<Item>; readonly confirmed: boolean }> {
    this.#links.expect(server);
    const known = this.#held.get(server);
    if (known && this.isCurrent(server)) return { list: known, confirmed: true };
    try {
      await this.#readOnce(server);
      const list = this.#held.get(server);
      if (!list) return await this.read(server); // it was forgotten again the moment it was there
      return { list, confirmed: list.standing === 'confirmed' };
    } catch (error) {
      const earlier = this.#held.get(server);
      if (!earlier || earlier.standing === 'remembered') throw error;
      return { list: earlier, confirmed: false };
    }
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
    let reading = this.#reading.get(server);
    if (!reading) {
      reading = this.#readUntilCalm(server).finally(() => this.#reading.delete(server));
      this.#reading.set(server, reading);
    }
    return reading;
  }

  async #readUntilCalm(server: string): Promise<void> {
    for (const waitMs of [...WAITS_BEFORE_READING_AGAIN_MS, undefined]) {
      const mark = this.#held.mark(server);
      const { link, listing } = await this.#ask(server);
      const outcome = this.#held.put(server, this.#offered(link.server, listing), link, mark);
      if (outcome.silentlyChanged) this.#rules.onChanged(server);
      if (outcome.confirmed) return this.#hooks.onListed?.(link.server, listing);
      if (waitMs !== undefined) await sleep(waitMs);
    }
    // What was just read is outdated already. Whoever wants to know better is told to ask again.
    if (this.#held.announce(server)) this.#rules.onChanged(server);
  }

  /** A session or connection that ended between two pages took its cursors along: the list is begun anew, once. */
  async #ask(server: string): Promise<{ link: Link; listing: Listing<Item> }> {
    const link = await this.#links.ready(server);
    try {
      return { link, listing: { ...(await this.#collect(link)), at: this.#rules.clock.now() } };
    } catch (error) {
      if (!isJunctorError(error, 'session_expired') && !isJunctorError(error, 'connection_lost')) throw error;
      const again = await this.#links.ready(server);
      return { link: again, listing: { ...(await this.#collect(again)), at: this.#rules.clock.now() } };
    }
  }

  async #collect(link: Link): Promise<Collected<Item>> {
    const { method, list, optional } = this.#kind;
    // No capability, no list: asking would be a fault of ours, and no list is no error.
    if (link.greeting.capabilities[list] === undefined) return EMPTY;
    const refuse = this.#hooks.refuse?.bind(undefined, link);
    const fetchPage = async (cursor?: string): Promise<Page> =>
      (await link.request(method, cursor === undefined ? {} : { cursor })) as Page;
    try {
      return await collect(link.server.id, this.#kind, fetchPage, refuse);
    } catch (error) {
      if (optional && isUnknownMethod(error)) return EMPTY;
      throw error;
    }
  }

  #offered(server: ResolvedServer, listing: Listing<Item>): Listing<Item> {
    const { offers } = this.#hooks;
    if (!offers || !server.filtered) return listing;
    return { ...listing, items: listing.items.filter(item => offers(server, item)) };
  }
}

const EMPTY: Collected<never> = { items: [], skipped: [] };

function isUnknownMethod(error: unknown): boolean {
  return isJunctorError(error, 'server_error') && (error.cause as { code?: unknown }).code === RPC_CODE.methodNotFound;
}
