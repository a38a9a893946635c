/** The links of one host: opened when first needed, each once however many wait for it, all ended together. */

import type { Log } from '../base/log.ts';
import type { LeftOut, ResolvedServer, Roster } from '../resolve/roster.ts';
import type { Wallet } from './auth/wallet.ts';

import type { EraName } from './era/envelope.ts';
import type { ClientInfo } from './handshake.ts';
import type { HealthOptions } from './health.ts';
import type { Answers } from './inbound/answers.ts';
import type { Link, LinkState } from './link.ts';
import type { Memory } from './memory.ts';
import { Place, type PlaceOptions, type Vitals } from './place.ts';
import type { Environment } from './process/environment.ts';
import { OrphanGuard } from './process/orphan-guard.ts';
import type { StartSlots } from './slots.ts';
import { unknownServer } from './unknown-server.ts';
import { unusable } from './unusable.ts';

export interface LinksOptions {
  readonly client: ClientInfo;
  readonly environment: Environment;
  readonly log: Log;
  /** How often in a row a server is tried. */
  readonly attempts: number;
  readonly health: HealthOptions;
  readonly answers: Answers;
  readonly memory: Memory;
  readonly slots: StartSlots;
  readonly era: EraName;
  readonly wallet: Wallet;
  readonly onState: (server: string, state: LinkState) => void;
  readonly onNotification: (server: string, method: string, params: unknown) => void;
}

export class Links {
  readonly #options: PlaceOptions;
  readonly #places = new Map<string, Place>();
  #leftOut: ReadonlyMap<string, LeftOut>;
  readonly #guard = new OrphanGuard();
  readonly #ending = new Set<Promise<void>>();

  constructor(roster: Roster, options: LinksOptions) {
    this.#options = { ...options, guard: this.#guard, onEnding: ending => this.#awaitEnd(ending) };
    this.#leftOut = new Map(roster.leftOut.map(one => [one.id, one]));
    for (const server of roster.servers.values()) this.#add(server);
  }

  get ids(): string[] {
    return [...this.#places.keys()];
  }

  state(id: string): LinkState {
    return this.#place(id).state;
  }

  /** Throws where no such server exists: nobody is asked about a call that cannot be. */
  expect(id: string): ResolvedServer {
    return this.#place(id).server;
  }

  /** The live link if there is one: lets a hot path go on without waiting. */
  live(id: string): Link | undefined {
    return this.#places.get(id)?.link;
  }

  /** The live link, opened if need be. */
  ready(id: string): Promise<Link> {
    return this.#place(id).ready();
  }

  /** Takes a server out of this run, for a reason that was found later. */
  async leaveOut(leftOut: LeftOut): Promise<void> {
    const place = this.#places.get(leftOut.id);
    this.#places.delete(leftOut.id);
    this.#leftOut = new Map([...this.#leftOut, [leftOut.id, leftOut]]);
    await place?.giveUp();
  }

  close(id: string): Promise<void> {
    return this.#place(id).end();
  }

  /** Begins afresh with a server, whatever became of it before. */
  reconnect(id: string): Promise<Link> {
    return this.#place(id).reconnect();
  }

  vitals(id: string): Vitals {
    return this.#place(id).vitals;
  }

  /**
   * Goes over to another roster: servers that are new are known from now on, those that are gone or defined otherwise are
   * ended, all others live on untouched.
   */
  async update(roster: Roster): Promise<void> {
    this.#leftOut = new Map(roster.leftOut.map(one => [one.id, one]));
    const ended: Promise<void>[] = [];
    for (const [id, place] of this.#places) {
      const next = roster.servers.get(id);
      if (next && sameServer(next, place.server)) continue;
      this.#places.delete(id);
      ended.push(place.giveUp());
    }
    for (const server of roster.servers.values()) {
      if (!this.#places.has(server.id)) this.#add(server);
    }
    await Promise.all(ended);
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.#places.values()].map(place => place.giveUp()));
    await Promise.all(this.#ending);
    await this.#guard.close();
  }

  #add(server: ResolvedServer): void {
    this.#places.set(server.id, new Place(server, this.#options));
  }

  #awaitEnd(ending: Promise<void>): void {
    const noted = ending.finally(() => this.#ending.delete(noted));
    this.#ending.add(noted);
  }

  #place(id: string): Place {
    const place = this.#places.get(id);
    if (place) return place;
    const leftOut = this.#leftOut.get(id);
    if (leftOut) throw unusable(leftOut);
    throw unknownServer(id, this.ids, [...this.#leftOut.keys()]);
  }
}

/** Equal in everything a connection depends on. */
function sameServer(a: ResolvedServer, b: ResolvedServer): boolean {
  return a.definition === b.definition;
}
