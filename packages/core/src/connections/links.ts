/** The connections of one host: opened when first needed, each once however many wait for it. A pool manages them. */

import { JunctorError } from '../base/error.ts';
import type { Log } from '../base/log/log.ts';
import type { Scope } from '../base/scope.ts';
import { waitAtMost } from '../base/time/deadline.ts';
import { monotonicMs } from '../base/time/monotonic.ts';
import type { Memory } from '../catalogue/lists/memory.ts';
import type { Problem } from '../config/problem.ts';
import { availabilityOf, whyUnavailable } from '../resolve/availability.ts';
import type { LeftOut, ResolvedServer, Roster } from '../resolve/roster.ts';
import type { Wallet } from './auth/tokens/wallet.ts';
import type { Answers } from './client-features/answers.ts';
import type { Link, LinkState } from './link.ts';
import { openLine } from './open.ts';
import type { Pace } from './pace.ts';
import type { Place, Starting, Vitals } from './place.ts';
import { ConnectionPool } from './pool.ts';
import type { Environment } from './process/environment.ts';
import type { EraName } from './protocol/envelope.ts';
import type { ClientInfo, Greeting } from './protocol/handshake.ts';
import type { Channel } from './rpc/channel.ts';
import type { Onlooker } from './rpc/onlooker.ts';

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
  /** What is wrong with the config, which may be why a server is missing. */
  readonly problems: () => readonly Problem[];
  /** Manages the connections of several hosts. Default: this host has a pool for itself. */
  readonly pool?: ConnectionPool | undefined;
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
export type Instance = Pick<Place, 'server' | 'state' | 'link' | 'ready' | 'reconnect' | 'end' | 'giveUp' | 'givenUp'>;

export class Links {
  readonly #options: LinksOptions;
  readonly #pool: ConnectionPool;
  readonly #places = new Map<string, Place>();
  /** The servers as this host has them: a connection that hosts share knows another host's. */
  readonly #servers = new Map<string, ResolvedServer>();
  #leftOut: ReadonlyMap<string, LeftOut>;
  /** Nothing is opened any more, by whoever still comes. */
  #closed = false;

  constructor(roster: Roster, options: LinksOptions) {
    this.#options = options;
    this.#pool = options.pool ?? new ConnectionPool();
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

  /** Never throws: a config change may remove a server while somebody still waits for it. */
  state(id: string): LinkState {
    return this.#places.get(id)?.state ?? { kind: 'disabled' };
  }

  /** Throws where no such server exists: nobody is asked about a call that cannot be. */
  expect(id: string): ResolvedServer {
    return this.#servers.get(id) ?? this.#place(id).server;
  }

  /** The live link if there is one: lets a hot path go on without waiting. */
  live(id: string): Link | undefined {
    return this.#places.get(id)?.link;
  }

  /** What a server said about itself when it was last connected in this run. */
  greeting(id: string): Greeting | undefined {
    return this.#places.get(id)?.greeting;
  }

  /** The first attempt to connect since it last worked, while that runs. */
  starting(id: string): Starting | undefined {
    return this.#places.get(id)?.starting;
  }

  /** Waits for that attempt, until it has lasted so long. */
  async whenTried(id: string, patienceMs: number): Promise<void> {
    const starting = this.starting(id);
    const leftMs = starting ? patienceMs - (monotonicMs() - starting.since) : 0;
    if (starting && leftMs > 0) await waitAtMost(leftMs, starting.over);
  }

  /** Whether it is not connected and nothing keeps it from being: it is opened when it is needed. */
  isIdle(id: string): boolean {
    return this.state(id).kind === 'idle';
  }

  /** The live link, opened if need be. */
  ready(id: string): Promise<Link> {
    return this.#place(id).ready();
  }

  /** The first life of a server, which lists what it offers. */
  first(id: string): Instance {
    return this.#place(id);
  }

  /** Another life of a server beside the first, opened when it is needed. It ends with the host, or when it is given up. */
  another(id: string, outfit: Outfit): Instance {
    const place = this.#pool.another(this.#place(id), this.#options, outfit);
    if (this.#closed) void place.giveUp();
    return place;
  }

  /** A line of its own to a server, for whoever speaks for itself: nobody is greeted on it, and nothing is tried again. */
  line(id: string, scope: Scope): Promise<Channel> {
    const { server } = this.#place(id);
    const unheard = { onNotification: () => {}, onRetired: () => {}, onClosed: () => {} };
    return openLine(server, scope, { ...this.#pool.lineOptions(this.#options), ...unheard, signal: scope.signal });
  }

  /** Takes a server out of this run, for a reason that was found later. */
  async leaveOut(leftOut: LeftOut): Promise<void> {
    this.#leftOut = new Map([...this.#leftOut, [leftOut.id, leftOut]]);
    await this.#remove(leftOut.id);
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
      if (next?.connection !== place.server.connection) ended.push(this.#remove(id));
    }
    for (const server of roster.servers.values()) {
      if (this.#places.has(server.id)) this.#servers.set(server.id, server);
      else this.#add(server);
    }
    await Promise.all(ended);
  }

  /** Lets go of every server. One that another host uses as well lives on. */
  async closeAll(): Promise<void> {
    this.#closed = true;
    const { log, pool } = this.#options;
    const released = [...this.#places.values()].map(place => this.#pool.release(place, this.#options));
    for (const { reason } of (await Promise.allSettled(released)).filter(one => one.status === 'rejected'))
      log.warn('could not close cleanly', { leak: reason });
    if (!pool) await this.#pool.close();
  }

  #add(server: ResolvedServer): void {
    const place = this.#pool.acquire(server, this.#options);
    this.#places.set(server.id, place);
    this.#servers.set(server.id, server);
    // A config that was being read as we closed names it.
    if (this.#closed) void this.#pool.release(place, this.#options);
  }

  async #remove(id: string): Promise<void> {
    const place = this.#places.get(id);
    this.#places.delete(id);
    this.#servers.delete(id);
    if (place) await this.#pool.release(place, this.#options);
  }

  #place(id: string): Place {
    const place = this.#places.get(id);
    if (place) return place;
    const leftOut = [...this.#leftOut.values()];
    const facts = { servers: this.#places, leftOut, problems: this.#options.problems() };
    throw whyUnavailable(id, availabilityOf(id, facts));
  }
}
