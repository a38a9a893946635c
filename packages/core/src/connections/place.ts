/** One server's place among the links: whether it is open, being opened, lost or parked, and how it comes back. */

import { setTimeout as sleep } from 'node:timers/promises';
import { isJunctorError, JunctorError } from '../base/error.ts';
import { monotonicMs } from '../base/time/monotonic.ts';
import type { ResolvedServer } from '../resolve/roster.ts';
import { isWorthRetrying, pauseAfter, waitAfter } from './backoff.ts';
import { HealthWatch } from './health.ts';
import type { Link, LinkState } from './link.ts';
import type { Instance, LinksOptions, Outfit } from './links.ts';
import { open } from './open.ts';
import type { OrphanGuard } from './process/orphan-guard.ts';
import type { ProcessTable } from './process/process-table.ts';
import type { Greeting } from './protocol/handshake.ts';
import { closedByUs } from './rpc/failures.ts';
import type { SpawnTurns } from './spawn-turns.ts';

export interface PlaceOptions extends LinksOptions {
  readonly guard: OrphanGuard;
  readonly processes: ProcessTable;
  readonly spawns: SpawnTurns;
  /** Told of what is still being ended after a loss, so that closing can wait for it. */
  readonly onEnding: (ending: Promise<void>) => void;
  /** Asked each time it is opened. */
  readonly outfitOf?: ((instance: Instance) => Outfit | undefined) | undefined;
  readonly onGivenUp?: (() => void) | undefined;
  /** Whether a server that could not be opened is tried again in the background. Default: true. */
  readonly retriesInBackground?: boolean | undefined;
}

/** The first attempt to connect since the server last worked. */
export interface Starting {
  /** When it began, by the monotonic clock. */
  readonly since: number;
  /** Resolves when the attempt is over, however it ended. */
  readonly over: Promise<void>;
}

export interface Vitals {
  readonly lastConnectedAt: Date | undefined;
  readonly lastError: JunctorError | undefined;
  /** How long the last life sign took. */
  readonly latencyMs: number | undefined;
}

const REST_AFTER_FAILURE_MS = 1000;

/** A server that lived this long did not end because of how it was started. */
const STEADY_AFTER_MS = 10_000;

export class Place {
  readonly server: ResolvedServer;
  /** Asked each time: the host that a shared connection is opened for may be another by then. */
  readonly #optionsNow: () => PlaceOptions;
  #state: LinkState = { kind: 'idle' };
  /** The live link. A plain field, since every call reads it. */
  link: Link | undefined;
  /** What the server said about itself when it was last connected. */
  greeting: Greeting | undefined;
  #opening: Promise<Link> | undefined;
  /** Links that take no new calls, and wait for their last answers. */
  readonly #retired = new Set<Link>();
  /** Brings a lost server back. */
  #return: NodeJS.Timeout | undefined;
  /** Gives up what is being opened. */
  #abort = new AbortController();
  /** Before this moment a server that failed is not tried again: callers get the failure they would get anyway. */
  #restUntil = 0;
  #health: HealthWatch | undefined;
  #starting: Starting | undefined;
  /** Why it failed, while it has not worked since. */
  #failing: JunctorError | undefined;
  /** How often in a row it was tried in the background in vain. */
  #pauses = 0;
  /** How often in a row it was lost soon after it had started. */
  #losses = 0;
  #lastConnectedAt: Date | undefined;
  #lastError: JunctorError | undefined;
  /** Nobody comes back to a place that was given up. */
  #givenUp = false;

  constructor(server: ResolvedServer, options: () => PlaceOptions) {
    this.server = server;
    this.#optionsNow = options;
  }

  get #options(): PlaceOptions {
    return this.#optionsNow();
  }

  get state(): LinkState {
    return this.#state;
  }

  /** Whether it was ended for good. A server that comes back gets another one. */
  get givenUp(): boolean {
    return this.#givenUp;
  }

  /** Undefined where it is connected, rests, or has failed already: then a list does not wait for it. */
  get starting(): Starting | undefined {
    return this.#starting;
  }

  get vitals(): Vitals {
    return { lastConnectedAt: this.#lastConnectedAt, lastError: this.#lastError, latencyMs: this.#health?.latencyMs };
  }

  /** Whoever comes while it opens waits for the same opening. */
  ready(): Promise<Link> {
    if (this.link) return Promise.resolve(this.link);
    const { state } = this;
    if (state.kind === 'error' && monotonicMs() < this.#restUntil) return Promise.reject(state.lastError);
    return this.#openWithin(this.#options.pace.numbers.attempts);
  }

  #openWithin(attempts: number): Promise<Link> {
    clearTimeout(this.#return);
    this.#opening ??= this.#open(attempts).finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  /** Begins afresh, whatever became of it before. */
  async reconnect(): Promise<Link> {
    await this.end();
    this.#restUntil = 0;
    this.#losses = 0;
    this.#pauses = 0;
    this.#failing = undefined;
    this.#options.wallet.forget(this.server.id);
    if (this.#state.kind === 'auth_required') this.#move({ kind: 'idle' });
    return this.ready();
  }

  /** Ends it on purpose: it is idle afterwards, not broken. */
  async end(): Promise<void> {
    this.#abort.abort(abandoned(this.server.id));
    clearTimeout(this.#return);
    await this.#opening?.catch(() => {});
    const link = this.link;
    if (link) {
      this.link = undefined;
      this.#health?.end();
      this.#move({ kind: 'idle' });
    }
    const ending = [...this.#retired, ...(link ? [link] : [])];
    for (const { conversation } of ending) conversation.onClosed(closedByUs(this.server.id));
    await Promise.all(ending.map(one => one.close()));
  }

  /**
   * The host that opened it is gone, and another goes on with it. A process lives on; a connection with credentials of that
   * host takes no new requests, and the next one is opened with those of the other.
   */
  handOver(): void {
    const { link } = this;
    if (link && link.server.endpoint.transport !== 'stdio') link.conversation.onRetired(handedOver(this.server.id));
  }

  /** Ends it for good. */
  giveUp(): Promise<void> {
    this.#givenUp = true;
    this.#options.onGivenUp?.();
    return this.end();
  }

  /** Tries until it is open, or until there is no sense in trying further. */
  async #open(attempts: number): Promise<Link> {
    if (this.#givenUp) throw closedForGood(this.server.id);
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    // Parked: asking again makes sense once somebody has signed in.
    const { state } = this;
    if (state.kind === 'auth_required' && !(await this.#options.wallet.renewed(this.server))) throw state.lastError;
    // It may have been ended while the sign-in was looked up.
    signal.throwIfAborted();
    for (let failures = 1; ; failures++) {
      const opening = this.#openOnce(failures);
      if (!this.#failing) this.#starting = { since: monotonicMs(), over: over(opening) };
      try {
        return await opening;
      } catch (error) {
        this.#starting = undefined;
        if (!signal.aborted) {
          this.#failing = this.#asError(error);
          if (failures >= attempts || !isWorthRetrying(error)) throw this.#failed(this.#failing);
          await sleep(waitAfter(failures, this.#options.pace.numbers.backoff), undefined, { signal }).catch(() => {});
        }
        if (!signal.aborted) continue;
        this.#move({ kind: 'idle' });
        throw signal.reason;
      }
    }
  }

  async #openOnce(attempt: number): Promise<Link> {
    const { id } = this.server;
    this.#move({ kind: 'connecting', attempt, ...(this.#failing ? { lastError: this.#failing } : {}) });
    let link: Link | undefined;
    const { reach, answers, era, onNotification, onReady, onlooker } = this.#options.outfitOf?.(this) ?? {};
    const options = this.#options;
    link = await open(reach ? await reach(this.server) : this.server, {
      ...options,
      ...(answers ? { answers } : {}),
      ...(era ? { era } : {}),
      onlooker: onlooker?.(),
      signal: this.#abort.signal,
      onNotification: (method, params, during) => {
        options.onNotification(id, method, params);
        onNotification?.(method, params, during);
      },
      onRetired: () => this.#retire(link),
      onClosed: error => this.#lost(link, error),
    });
    // It may have ended between its greeting and this moment, when nobody was told yet.
    const ended = link.conversation.ended;
    if (ended) {
      this.#options.onEnding(link.close());
      throw ended;
    }
    this.link = link;
    this.greeting = link.greeting;
    this.#starting = undefined;
    this.#failing = undefined;
    this.#pauses = 0;
    const opened = link;
    // Told to the calls that wait before it is ended: else they would hear only that, and that was us.
    const onGone = (): void => opened.conversation.onClosed(silentTooLong(id));
    this.#health = new HealthWatch(opened, this.#options.pace, onGone);
    this.#lastConnectedAt = new Date();
    this.#move({ kind: 'ready', since: this.#lastConnectedAt });
    onReady?.(opened);
    return link;
  }

  #asError(error: unknown): JunctorError {
    const { id } = this.server;
    if (isJunctorError(error)) return error;
    return new JunctorError('internal', `Server '${id}' could not be opened.`, { server: id, cause: error });
  }

  #failed(lastError: JunctorError): JunctorError {
    this.#restUntil = monotonicMs() + REST_AFTER_FAILURE_MS;
    this.#move({ kind: lastError.code === 'auth_required' ? 'auth_required' : 'error', lastError });
    if (isWorthRetrying(lastError)) this.#retryLater();
    return lastError;
  }

  /** One attempt in the background after a pause, and a longer pause after each that fails. */
  #retryLater(): void {
    const { retriesInBackground = true, pace } = this.#options;
    if (!retriesInBackground || pace.numbers.attempts === 0 || this.#givenUp) return;
    this.#pauses++;
    this.#openAfter(pauseAfter(this.#pauses), 1);
  }

  #openAfter(waitMs: number, attempts: number): void {
    clearTimeout(this.#return);
    this.#return = setTimeout(() => {
      if (!this.#givenUp && !this.link && !this.#opening) this.#openWithin(attempts).catch(() => {});
    }, waitMs).unref();
  }

  /** A link that takes no new calls makes room for the next; its last answers are still awaited. */
  #retire(link: Link | undefined): void {
    if (!link || this.link !== link) return;
    this.link = undefined;
    this.#health?.end();
    this.#retired.add(link);
    const because = link.conversation.ended;
    const parked = because?.code === 'auth_required';
    this.#move(parked ? { kind: 'auth_required', lastError: because } : { kind: 'idle' });
    link.retire();
  }

  #lost(link: Link | undefined, lastError: JunctorError): void {
    if (!link) return;
    this.#retired.delete(link);
    // The process may be gone while its children are not.
    this.#options.onEnding(link.close());
    if (this.link !== link) return; // another link has taken its place
    const livedMs = this.#state.kind === 'ready' ? Date.now() - this.#state.since.getTime() : 0;
    this.link = undefined;
    this.#health?.end();
    if (this.#givenUp) return this.#move({ kind: 'idle' });
    this.#failing = lastError;
    this.#move({ kind: 'error', lastError });
    this.#comeBack(livedMs);
  }

  /** Opens a lost server again by itself, after ever longer pauses where it ends as soon as it has started. */
  #comeBack(livedMs: number): void {
    const { attempts, backoff } = this.#options.pace.numbers;
    this.#losses = livedMs < STEADY_AFTER_MS ? this.#losses + 1 : 1;
    if (this.#losses > attempts) this.#retryLater();
    else this.#openAfter(waitAfter(this.#losses, backoff), attempts);
  }

  #move(state: LinkState): void {
    this.#state = state;
    if ('lastError' in state) this.#lastError = state.lastError;
    this.#options.onState(this.server.id, state);
  }
}

function over(work: Promise<unknown>): Promise<void> {
  return work.then(
    () => {},
    () => {},
  );
}

function abandoned(id: string): JunctorError {
  return new JunctorError('cancelled', `Server '${id}' was closed before it had started.`, { server: id });
}

function handedOver(id: string): JunctorError {
  return new JunctorError('connection_lost', `Server '${id}' is connected anew.`, {
    server: id,
    why: 'the agent or project that it was connected for no longer uses it',
    hint: 'try again',
  });
}

function closedForGood(id: string): JunctorError {
  return new JunctorError('cancelled', `Server '${id}' was closed for good, and takes no more calls.`, {
    server: id,
    why: 'its host was closed, or a reload took it out of the config',
    hint: 'make the call before host.close(), or create another host',
  });
}

function silentTooLong(id: string): JunctorError {
  return new JunctorError('connection_lost', `Server '${id}' no longer answers.`, {
    server: id,
    why: 'two pings in a row stayed without an answer',
    hint: 'it is started anew; if that repeats, see what it is doing',
  });
}
