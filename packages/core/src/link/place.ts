/** One server's place among the links: whether it is open, being opened, lost or parked, and how it comes back. */

import { setTimeout as sleep } from 'node:timers/promises';
import { isJunctorError, JunctorError } from '../base/error.ts';
import { monotonicMs } from '../base/monotonic.ts';
import type { ResolvedServer } from '../resolve/roster.ts';
import { isWorthRetrying, waitAfter } from './backoff.ts';
import { closedByUs } from './failures.ts';
import { HealthWatch } from './health.ts';
import type { Link, LinkState } from './link.ts';
import type { LinksOptions, Outfit } from './links.ts';
import { open } from './open.ts';
import type { OrphanGuard } from './process/orphan-guard.ts';
import type { ProcessTable } from './process/process-table.ts';

export interface PlaceOptions extends LinksOptions {
  readonly guard: OrphanGuard;
  readonly processes: ProcessTable;
  /** Told of what is still being ended after a loss, so that closing can wait for it. */
  readonly onEnding: (ending: Promise<void>) => void;
  /** Asked each time it is opened. */
  readonly outfitOf?: ((server: ResolvedServer) => Outfit | undefined) | undefined;
  readonly onGivenUp?: (() => void) | undefined;
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
  readonly #options: PlaceOptions;
  #state: LinkState = { kind: 'idle' };
  /** The live link. A plain field, since every call reads it. */
  link: Link | undefined;
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
  /** How often in a row it was lost soon after it had started. */
  #losses = 0;
  #lastConnectedAt: Date | undefined;
  #lastError: JunctorError | undefined;
  /** Nobody comes back to a place that was given up. */
  #givenUp = false;

  constructor(server: ResolvedServer, options: PlaceOptions) {
    this.server = server;
    this.#options = options;
  }

  get state(): LinkState {
    return this.#state;
  }

  get vitals(): Vitals {
    return { lastConnectedAt: this.#lastConnectedAt, lastError: this.#lastError, latencyMs: this.#health?.latencyMs };
  }

  /** Whoever comes while it opens waits for the same opening. */
  ready(): Promise<Link> {
    if (this.link) return Promise.resolve(this.link);
    const { state } = this;
    if (state.kind === 'error' && monotonicMs() < this.#restUntil) return Promise.reject(state.lastError);
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  /** Begins afresh, whatever became of it before. */
  async reconnect(): Promise<Link> {
    await this.end();
    this.#restUntil = 0;
    this.#losses = 0;
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

  /** Ends it for good. */
  giveUp(): Promise<void> {
    this.#givenUp = true;
    this.#options.onGivenUp?.();
    return this.end();
  }

  /** Tries until it is open, or until there is no sense in trying further. */
  async #open(): Promise<Link> {
    if (this.#givenUp) throw closedForGood(this.server.id);
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    // Parked: asking again makes sense once somebody has signed in.
    const { state } = this;
    if (state.kind === 'auth_required' && !(await this.#options.wallet.renewed(this.server))) throw state.lastError;
    for (let failures = 1; ; failures++) {
      try {
        return await this.#openOnce(failures);
      } catch (error) {
        if (!signal.aborted) {
          if (failures >= this.#options.pace.numbers.attempts || !isWorthRetrying(error)) throw this.#failed(error);
          await sleep(waitAfter(failures), undefined, { signal }).catch(() => {});
        }
        if (!signal.aborted) continue;
        this.#move({ kind: 'idle' });
        throw signal.reason;
      }
    }
  }

  async #openOnce(attempt: number): Promise<Link> {
    const { id } = this.server;
    this.#move({ kind: 'connecting', attempt });
    let link: Link | undefined;
    const { reach, answers, era, onNotification, onReady, onlooker } = this.#options.outfitOf?.(this.server) ?? {};
    link = await open(reach ? await reach(this.server) : this.server, {
      ...this.#options,
      ...(answers ? { answers } : {}),
      ...(era ? { era } : {}),
      onlooker: onlooker?.(),
      signal: this.#abort.signal,
      onNotification: (method, params, during) => {
        this.#options.onNotification(id, method, params);
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
    const opened = link;
    // Told to the calls that wait before it is ended: else they would hear only that, and that was us.
    const onGone = (): void => opened.conversation.onClosed(silentTooLong(id));
    this.#health = new HealthWatch(opened, this.#options.pace, onGone);
    this.#lastConnectedAt = new Date();
    this.#move({ kind: 'ready', since: this.#lastConnectedAt });
    onReady?.(opened);
    return link;
  }

  #failed(error: unknown): JunctorError {
    const { id } = this.server;
    const lastError = isJunctorError(error)
      ? error
      : new JunctorError('internal', `Server '${id}' could not be opened.`, { server: id, cause: error });
    this.#restUntil = monotonicMs() + REST_AFTER_FAILURE_MS;
    this.#move({ kind: lastError.code === 'auth_required' ? 'auth_required' : 'error', lastError });
    return lastError;
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
    this.#move({ kind: 'error', lastError });
    this.#comeBack(livedMs);
  }

  /** Opens a lost server again by itself, but not for ever one that ends as soon as it has started. */
  #comeBack(livedMs: number): void {
    this.#losses = livedMs < STEADY_AFTER_MS ? this.#losses + 1 : 1;
    if (this.#losses > this.#options.pace.numbers.attempts) return;
    this.#return = setTimeout(() => {
      if (!this.#givenUp && !this.link && !this.#opening) this.ready().catch(() => {});
    }, waitAfter(this.#losses)).unref();
  }

  #move(state: LinkState): void {
    this.#state = state;
    if ('lastError' in state) this.#lastError = state.lastError;
    this.#options.onState(this.server.id, state);
  }
}

function abandoned(id: string): JunctorError {
  return new JunctorError('cancelled', `Server '${id}' was closed before it had started.`, { server: id });
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
