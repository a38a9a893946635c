/** The links of one host: opened when first needed, each once however many wait for it, all ended together. */

import { JunctorError } from '../base/error.ts';
import type { Log } from '../base/log.ts';
import type { Scope } from '../base/scope.ts';
import type { LeftOut, ResolvedServer, Roster } from '../resolve/roster.ts';
import type { Wallet } from './auth/wallet.ts';

import type { Channel } from './channel.ts';
import type { EraName } from './era/envelope.ts';
import type { ClientInfo } from './handshake.ts';
import type { Answers } from './inbound/answers.ts';
import type { Link, LinkState } from './link.ts';
import type { Memory } from './memory.ts';
import type { Onlooker } from './onlooker.ts';
import { openLine } from './open.ts';
import type { Pace } from './pace.ts';
import { Place, type PlaceOptions, type Vitals } from './place.ts';
import type { Environment } from './process/environment.ts';
import { OrphanGuard } from './process/orphan-guard.ts';
import { ProcessTable } from './process/process-table.ts';
import { unknownServer } from './unknown-server.ts';
import { unusable } from './unusable.ts';

export interface LinksOptions {
  readonly client: ClientInfo;
  readonly environment: Environment;
  /** Folders of ours that no server needs to see. */
  readonly secluded: readonly string[];
  readonly log: Log;
  readonly pace: Pace;
  readonly answers: Answers;
  readonly memory: Memory;
  readonly era: EraName;
  readonly wallet: Wallet;
  /** A server has been started, and for a moment there is nothing to do but wait for it. */
  readonly onLaunched?: () => void;
  readonly onState: (server: string, state: LinkState) => void;
  readonly onNotification: (server: string, method: string, params: unknown) => void;
  /** Why there is no such server, where somebody meant to define one. */
  readonly whyMissing?: (id: string) => JunctorError | undefined;
}

/** What one life of a server is opened with, where that is not the same for all. */
export interface Outfit {
  /** Where it is opened, asked each time. Default: where the config says. */
  readonly reach?: ((server: ResolvedServer) => Promise<ResolvedServer>) | undefined;
  readonly answers?: Answers | undefined;
  readonly era?: EraName | undefined;
  /** Told after the host. `during`: the request on whose own stream it came, where the transport tells. */
  readonly onNotification?: ((method: string, params: unknown, during?: number) => void) | undefined;
  /** Who looks at what is said, asked with each new connection. */
  readonly onlooker?: (() => Onlooker | undefined) | undefined;
  /** Told of each new connection. */
  readonly onReady?: ((link: Link) => void) | undefined;
}

/** One life of a server: the one that lists what it offers, or another beside it. */
export type Instance = Pick<Place, 'server' | 'state' | 'link' | 'ready' | 'reconnect' | 'end' | 'giveUp'>;

export class Links {
  readonly #options: PlaceOptions;
  readonly #places = new Map<string, Place>();
  /** Lives of servers beside the first. */
  readonly #instances = new Set<Place>();
  #outfitOf: ((server: ResolvedServer) => Outfit | undefined) | undefined;
  #leftOut: ReadonlyMap<string, LeftOut>;
  readonly #guard = new OrphanGuard();
  readonly #ending = new Set<Promise<void>>();
  /** Nothing is opened any more, by whoever still comes. */
  #closed = false;

  constructor(roster: Roster, options: LinksOptions) {
    this.#options = {
      ...options,
      guard: this.#guard,
      processes: new ProcessTable(),
      onEnding: ending => this.#awaitEnd(ending),
      outfitOf: server => this.#outfitOf?.(server),
    };
    this.#leftOut = new Map(roster.leftOut.map(one => [one.id, one]));
    for (const server of roster.servers.values()) this.#add(server);
  }

  get ids(): string[] {
    return [...this.#places.keys()];
  }

  /** Throws once all are closed: what was known of them is no answer any more. */
  expectOpen(): void {
    if (!this.#closed) return;
    throw new JunctorError('cancelled', 'The host was closed, and answers no more questions.', {
      hint: 'ask before host.close(), or create another host',
    });
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

  /** Says what servers are opened with from now on: for a program that answers them on behalf of others. */
  equip(outfitOf: (server: ResolvedServer) => Outfit | undefined): void {
    this.#outfitOf = outfitOf;
  }

  /** The first life of a server, which lists what it offers. */
  first(id: string): Instance {
    return this.#place(id);
  }

  /** Another life of a server beside the first, opened when it is needed. It ends with the host, or when it is given up. */
  another(id: string, outfit: Outfit): Instance {
    const place = new Place(this.#place(id).server, {
      ...this.#options,
      // What becomes of it concerns whoever asked for it: the server as others see it is the first.
      onState: () => {},
      onNotification: () => {},
      outfitOf: () => outfit,
      onGivenUp: () => this.#instances.delete(place),
    });
    this.#instances.add(place);
    if (this.#closed) void place.giveUp();
    return place;
  }

  /** A line of its own to a server, for whoever speaks for itself: nobody is greeted on it, and nothing is tried again. */
  line(id: string, scope: Scope): Promise<Channel> {
    const { server } = this.#place(id);
    const unheard = { onNotification: () => {}, onRetired: () => {}, onClosed: () => {} };
    return openLine(server, scope, { ...this.#options, ...unheard, signal: scope.signal });
  }

  /** Takes a server out of this run, for a reason that was found later. */
  async leaveOut(leftOut: LeftOut): Promise<void> {
    const place = this.#places.get(leftOut.id);
    this.#places.delete(leftOut.id);
    this.#leftOut = new Map([...this.#leftOut, [leftOut.id, leftOut]]);
    await Promise.all([place?.giveUp(), ...this.#others(leftOut.id).map(one => one.giveUp())]);
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
      ended.push(place.giveUp(), ...this.#others(id).map(one => one.giveUp()));
    }
    for (const server of roster.servers.values()) {
      if (!this.#places.has(server.id)) this.#add(server);
    }
    await Promise.all(ended);
  }

  async closeAll(): Promise<void> {
    this.#closed = true;
    for (const place of [...this.#places.values(), ...this.#instances]) this.#awaitEnd(place.giveUp());
    // What was just being opened may have to be ended as well, and is known only then.
    while (this.#ending.size > 0) await Promise.all(this.#ending);
    await this.#guard.close();
  }

  #others(id: string): Place[] {
    return [...this.#instances].filter(({ server }) => server.id === id);
  }

  #add(server: ResolvedServer): void {
    const place = new Place(server, this.#options);
    this.#places.set(server.id, place);
    // A config that was being read as we closed names it.
    if (this.#closed) void place.giveUp();
  }

  #awaitEnd(ending: Promise<void>): void {
    const { log } = this.#options;
    const noted = ending
      .catch(leak => log.warn('could not close cleanly', { leak }))
      .finally(() => this.#ending.delete(noted));
    this.#ending.add(noted);
  }

  #place(id: string): Place {
    const place = this.#places.get(id);
    if (place) return place;
    const leftOut = this.#leftOut.get(id);
    if (leftOut) throw unusable(leftOut);
    throw this.#options.whyMissing?.(id) ?? unknownServer(id, this.ids, [...this.#leftOut.keys()]);
  }
}

/** Equal in everything a connection depends on. */
function sameServer(a: ResolvedServer, b: ResolvedServer): boolean {
  return a.definition === b.definition;
}
