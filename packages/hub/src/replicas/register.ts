/**
 * The hubs that live on one PostgreSQL. Each has a row: who it is, where the others reach it, when it last said that it
 * lives. A hub that is silent is taken for gone: its row goes, and in the same transaction all that it held is set free, by
 * whichever hub notices first. So whatever a hub holds is bound to its life:
 *
 *     register.id, register.life      this hub: the first is the same in every life of it, the second in this one only
 *     register.peers                  the others that live, as of the last look; `onChange` tells when they are others
 *     register.whenGone({ free })     `free(change, hub)` takes back, in the database, what that life held
 *     register.whenGone({ after })    after that, in the one hub that did it: for what is not in the database
 *     register.onReturn(listener)     this hub itself was taken for gone, and is back: what it held may be another's now
 *
 * A row elsewhere that names a life is void once no row of `hubs` has that life. Killed processes are noticed after three
 * seconds, because their connection to the database is gone too; a machine that does not answer after fifteen.
 */

import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { isJunctorError, type JunctorError, VERSION } from '@junctor/core';
import { hubName } from '../store/hub-name.ts';
import { HubRows, type SeenHub } from '../store/hub-rows.ts';
import type { Change, Store } from '../store/store.ts';
import type { HubRow } from '../store/tables.ts';
import { Heartbeat } from './heartbeat.ts';
import { HubProofs, type ProvenRequest } from './hub-proofs.ts';
import { inWords } from './in-words.ts';
import { refuseNamesake } from './namesake.ts';
import type { Notices } from './notices.ts';

/** Another hub on the same database. */
export type Peer = Omit<HubRow, 'seen'>;

export interface GoneListener {
  /** In the transaction that takes it off the register: all of it counts, or nothing. May come twice for one life. */
  free?(change: Change, gone: Peer): Promise<void>;
  after?(gone: Peer): void | Promise<void>;
}

export interface RegisterOptions {
  readonly store: Store;
  readonly notices: Notices;
  readonly dataDirectory: string;
  readonly onProblem: (sentence: string) => void;
}

/** How often the database is asked about hubs that nobody told us of. */
const LOOK_FOR_NEW_MS = 1000;

export class Register {
  readonly id: string;
  readonly life: string;
  readonly #options: RegisterOptions;
  readonly #rows: HubRows;
  readonly #heartbeat: Heartbeat;
  #nextLook = 0;
  #lookingForNew: Promise<unknown> | undefined;
  readonly #proofs: HubProofs;
  readonly #gone: GoneListener[] = [];
  readonly #returned = new Set<() => void>();
  readonly #changed = new Set<() => void>();
  #self: Peer | undefined;
  #peers: readonly Peer[] = [];
  /** How far the clock of the database is ahead of ours. */
  #aheadMs = 0;
  /** While it was away another hub began under its name: said once. */
  #replaced = false;

  constructor(options: RegisterOptions) {
    this.#options = options;
    this.#rows = new HubRows(options.store);
    this.id = hubName(options.dataDirectory);
    this.life = options.store.life;
    this.#proofs = new HubProofs(this.life, () => Date.now() + this.#aheadMs);
    this.#heartbeat = new Heartbeat(() => this.#beat());
  }

  /** This hub, once it has joined. */
  get self(): Peer | undefined {
    return this.#self;
  }

  get peers(): readonly Peer[] {
    return this.#peers;
  }

  /** What this hub shows that life of one, itself included, with one GET of this path. */
  proofFor(life: string, path: string): string {
    return this.#proofs.for(life, path);
  }

  /** The life of the hub that shows us this, if it was there at the last look. A proof counts once. */
  knows(proof: string, request: ProvenRequest): string | undefined {
    return this.#proofs.shownBy(this.#self ? [this.#self, ...this.#peers] : this.#peers, proof, request);
  }

  /** As `knows`, of one that has just begun. */
  async lookUp(proof: string, request: ProvenRequest): Promise<string | undefined> {
    // While the database does not answer, nobody is new.
    await this.#lookForNew().catch(() => {});
    return this.knows(proof, request);
  }

  /** Once a second at most, for all who ask meanwhile: strangers must not make the database work. */
  #lookForNew(): Promise<unknown> {
    this.#lookingForNew ??= sleep(Math.max(0, this.#nextLook - Date.now()), undefined, { ref: false })
      .then(() => this.#look())
      .finally(() => {
        this.#nextLook = Date.now() + LOOK_FOR_NEW_MS;
        this.#lookingForNew = undefined;
      });
    return this.#lookingForNew;
  }

  /** Before `join`: what an earlier life of this hub left is set free there. */
  whenGone(listener: GoneListener): void {
    this.#gone.push(listener);
  }

  onReturn(listener: () => void): () => void {
    this.#returned.add(listener);
    return () => this.#returned.delete(listener);
  }

  onChange(listener: () => void): () => void {
    this.#changed.add(listener);
    return () => this.#changed.delete(listener);
  }

  /** Before anything is done in its name. */
  refuseNamesake(): Promise<void> {
    return refuseNamesake(this.#rows, this.id, this.life, KILLED_MS);
  }

  /** From now on the others know of this hub, and reach it at this address. The returned function leaves. */
  async join(url: string): Promise<() => Promise<void>> {
    const { store, notices, dataDirectory } = this.#options;
    this.#self = {
      id: this.id,
      life: this.life,
      url,
      key: this.#proofs.publicKey,
      machine: hostname(),
      data_directory: dataDirectory,
      version: VERSION,
      started: Date.now(),
    };
    await this.#enter();
    await this.#look();
    const deaf = notices.on('hubs', async () => void (await this.#look()));
    this.#heartbeat.begin();
    return async () => {
      deaf();
      await this.#heartbeat.end();
      await this.#rows.remove(store.db, this.id, this.life).catch(() => {});
      await notices.tell('hubs').catch(() => {});
    };
  }

  async #enter(): Promise<void> {
    const { store, notices } = this.#options;
    const self = this.#self as Peer;
    await this.refuseNamesake();
    const before = await store.alone(async change => {
      const earlier = await this.#rows.find(change, this.id);
      if (earlier && earlier.life !== this.life) await this.#free(change, earlier);
      await this.#rows.put(change, self);
      return earlier?.life === this.life ? undefined : earlier;
    });
    if (before) await this.#after(before);
    await notices.tell('hubs');
  }

  async #beat(): Promise<void> {
    if (!(await this.#rows.beat(this.id, this.life))) {
      await this.#enter().catch(error => {
        if (isJunctorError(error, 'hub_running')) this.#tellReplaced(error);
        throw error;
      });
      for (const listener of this.#returned) listener();
    }
    const seen = await this.#look();
    for (const hub of seen) if (hub.id !== this.id && this.#isGone(hub)) await this.#bury(hub);
  }

  #tellReplaced({ message, why, hint }: JunctorError): void {
    if (!this.#replaced) this.#options.onProblem([message, why, hint].join('; '));
    this.#replaced = true;
  }

  /** Only a hub that was heard itself all that time may say that another was not: the database may have been away. */
  #isGone({ silentMs, connected }: SeenHub): boolean {
    const patienceMs = connected ? FROZEN_MS : KILLED_MS;
    return silentMs > patienceMs && this.#heartbeat.steadyMs > patienceMs;
  }

  async #bury({ id, life }: SeenHub): Promise<void> {
    const { store, notices } = this.#options;
    const buried = await store.alone(async change => {
      const hub = (await this.#rows.all(change)).find(one => one.id === id && one.life === life);
      if (!hub || !this.#isGone(hub)) return undefined;
      await this.#free(change, hub);
      await this.#rows.remove(change, id, life);
      return hub;
    });
    if (!buried) return;
    await notices.tell('hubs');
    await this.#look();
    await this.#after(buried);
  }

  async #free(change: Change, hub: Peer): Promise<void> {
    for (const { free } of this.#gone) await free?.(change, hub);
  }

  async #after(hub: Peer): Promise<void> {
    for (const { after } of this.#gone) {
      try {
        await after?.(hub);
      } catch (error) {
        this.#options.onProblem(`what the hub at ${hub.url} left behind cannot be put in order: ${inWords(error)}`);
      }
    }
  }

  async #look(): Promise<readonly SeenHub[]> {
    const seen = await this.#rows.all();
    const [any] = seen;
    if (any) this.#aheadMs = any.seen + any.silentMs - Date.now();
    const lives = (hubs: readonly Peer[]): string => hubs.map(({ life }) => life).join(' ');
    const before = lives(this.#peers);
    this.#peers = seen.filter(({ id }) => id !== this.id);
    if (lives(this.#peers) !== before) for (const listener of this.#changed) listener();
    return seen;
  }
}

/** Three beats that did not come, and no connection either. */
const KILLED_MS = 3000;

/** Its process is connected, and says nothing: it is stopped, or its machine is away. Slow ones must not be buried alive. */
const FROZEN_MS = 15_000;
