/** The links of one host: opened when first needed, each once however many wait for it, all ended together. */

import { setTimeout as sleep } from 'node:timers/promises';
import { isJunctorError, JunctorError } from '../base/error.ts';
import type { Log } from '../base/log.ts';
import type { LeftOut, ResolvedServer, Roster } from '../resolve/roster.ts';
import { isWorthRetrying, waitAfter } from './backoff.ts';
import type { ClientInfo } from './handshake.ts';
import { type HealthOptions, HealthWatch } from './health.ts';
import type { Link, LinkState } from './link.ts';
import { open } from './open.ts';
import type { Environment } from './process/environment.ts';
import { OrphanGuard } from './process/orphan-guard.ts';
import { unusable } from './unusable.ts';

export interface LinksOptions {
  readonly client: ClientInfo;
  readonly environment: Environment;
  readonly log: Log;
  /** How often in a row a server is tried. */
  readonly attempts: number;
  readonly health: HealthOptions;
  readonly onState: (server: string, state: LinkState) => void;
  readonly onNotification: (server: string, method: string, params: unknown) => void;
}

interface Place {
  readonly server: ResolvedServer;
  state: LinkState;
  link: Link | undefined;
  opening: Promise<Link> | undefined;
  /** Gives up what is being opened. */
  abort: AbortController;
  /** Before this moment a server that failed is not tried again: callers get the failure they would get anyway. */
  restUntil: number;
  health: HealthWatch | undefined;
  /** How often in a row it was lost soon after it had started. */
  losses: number;
}

const REST_AFTER_FAILURE_MS = 1000;

/** A server that lived this long did not end because of how it was started. */
const STEADY_AFTER_MS = 10_000;

export class Links {
  readonly #options: LinksOptions;
  readonly #places = new Map<string, Place>();
  #leftOut: ReadonlyMap<string, LeftOut>;
  readonly #guard = new OrphanGuard();
  readonly #ending = new Set<Promise<void>>();
  #closed = false;

  constructor(roster: Roster, options: LinksOptions) {
    this.#options = options;
    this.#leftOut = new Map(roster.leftOut.map(one => [one.id, one]));
    for (const server of roster.servers.values()) this.#places.set(server.id, newPlace(server));
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

  /** The live link, opened if need be. Whoever comes while it opens waits for the same opening. */
  ready(id: string): Promise<Link> {
    const place = this.#place(id);
    if (place.link) return Promise.resolve(place.link);
    if ('lastError' in place.state && performance.now() < place.restUntil) return Promise.reject(place.state.lastError);
    place.opening ??= this.#open(place).finally(() => {
      place.opening = undefined;
    });
    return place.opening;
  }

  /** Takes a server out of this run, for a reason that was found later. */
  async leaveOut(leftOut: LeftOut): Promise<void> {
    const place = this.#places.get(leftOut.id);
    this.#places.delete(leftOut.id);
    this.#leftOut = new Map([...this.#leftOut, [leftOut.id, leftOut]]);
    if (place) await this.#end(place);
  }

  close(id: string): Promise<void> {
    return this.#end(this.#place(id));
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
      ended.push(this.#end(place));
    }
    for (const server of roster.servers.values()) {
      if (!this.#places.has(server.id)) this.#places.set(server.id, newPlace(server));
    }
    await Promise.all(ended);
  }

  async closeAll(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.ids.map(id => this.close(id)));
    await Promise.all(this.#ending);
    await this.#guard.close();
  }

  /** Ends a server on purpose: it is idle afterwards, not broken. */
  async #end(place: Place): Promise<void> {
    place.abort.abort(abandoned(place.server.id));
    await place.opening?.catch(() => {});
    const { link } = place;
    if (!link) return;
    place.link = undefined;
    place.health?.end();
    this.#move(place, { kind: 'idle' });
    await link.close();
  }

  /** Tries until it is open, or until there is no sense in trying further. */
  async #open(place: Place): Promise<Link> {
    const { id } = place.server;
    if (this.#closed) throw abandoned(id);
    place.abort = new AbortController();
    const { signal } = place.abort;
    for (let failures = 1; ; failures++) {
      try {
        return await this.#openOnce(place, failures);
      } catch (error) {
        if (signal.aborted) {
          this.#move(place, { kind: 'idle' });
          throw error;
        }
        if (failures >= this.#options.attempts || !isWorthRetrying(error)) throw this.#failed(place, error);
        await sleep(waitAfter(failures), undefined, { signal }).catch(() => {});
      }
    }
  }

  async #openOnce(place: Place, attempt: number): Promise<Link> {
    const { id } = place.server;
    this.#move(place, { kind: 'connecting', attempt });
    let link: Link | undefined;
    link = await open(place.server, {
      ...this.#options,
      guard: this.#guard,
      signal: place.abort.signal,
      onNotification: (method, params) => this.#options.onNotification(id, method, params),
      onRetired: () => this.#retire(place, link),
      onClosed: error => this.#lost(place, link, error),
    });
    // It may have ended between its greeting and this moment, when nobody was told yet.
    const ended = link.conversation.ended;
    if (ended) throw ended;
    place.link = link;
    const opened = link;
    place.health = new HealthWatch(opened, this.#options.health, () => this.#lost(place, opened, silentTooLong(id)));
    this.#move(place, { kind: 'ready', since: new Date() });
    return link;
  }

  #failed(place: Place, error: unknown): JunctorError {
    const { id } = place.server;
    const lastError = isJunctorError(error)
      ? error
      : new JunctorError('internal', `Server '${id}' could not be opened.`, { server: id, cause: error });
    place.restUntil = performance.now() + REST_AFTER_FAILURE_MS;
    this.#move(place, { kind: lastError.code === 'auth_required' ? 'auth_required' : 'error', lastError });
    return lastError;
  }

  /** A link that takes no new calls makes room for the next; its last answers are still awaited. */
  #retire(place: Place, link: Link | undefined): void {
    if (!link || place.link !== link) return;
    place.link = undefined;
    place.health?.end();
    this.#move(place, { kind: 'idle' });
  }

  #lost(place: Place, link: Link | undefined, lastError: JunctorError): void {
    if (!link) return;
    // The process may be gone while its children are not.
    const ending = link.close().finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
    if (place.link !== link) return; // another link has taken its place
    const livedMs = place.state.kind === 'ready' ? Date.now() - place.state.since.getTime() : 0;
    place.link = undefined;
    place.health?.end();
    if (this.#closed) return this.#move(place, { kind: 'idle' });
    this.#move(place, { kind: 'error', lastError });
    this.#comeBack(place, livedMs);
  }

  /** Opens a lost server again by itself, but not for ever one that ends as soon as it has started. */
  #comeBack(place: Place, livedMs: number): void {
    place.losses = livedMs < STEADY_AFTER_MS ? place.losses + 1 : 1;
    if (place.losses > this.#options.attempts) return;
    setTimeout(() => {
      const unneeded = this.#closed || place.link || place.opening || this.#places.get(place.server.id) !== place;
      if (!unneeded) this.ready(place.server.id).catch(() => {});
    }, waitAfter(place.losses)).unref();
  }

  #move(place: Place, state: LinkState): void {
    place.state = state;
    this.#options.onState(place.server.id, state);
  }

  #place(id: string): Place {
    const place = this.#places.get(id);
    if (place) return place;
    const leftOut = this.#leftOut.get(id);
    if (leftOut) throw unusable(leftOut);
    throw new JunctorError('server_unknown', `There is no server '${id}'.`, {
      server: id,
      why: this.#places.size > 0 ? `known servers: ${this.ids.join(', ')}` : 'no MCP servers configured',
      hint: 'junctor mcp list',
    });
  }
}

function newPlace(server: ResolvedServer): Place {
  return {
    server,
    state: { kind: 'idle' },
    link: undefined,
    opening: undefined,
    abort: new AbortController(),
    restUntil: 0,
    health: undefined,
    losses: 0,
  };
}

/** Equal in everything a connection depends on. */
function sameServer(a: ResolvedServer, b: ResolvedServer): boolean {
  return a.definition === b.definition;
}

function abandoned(id: string): JunctorError {
  return new JunctorError('cancelled', `Server '${id}' was closed before it had started.`, { server: id });
}

function silentTooLong(id: string): JunctorError {
  return new JunctorError('connection_lost', `Server '${id}' no longer answers.`, {
    server: id,
    why: 'two pings in a row stayed without an answer',
    hint: 'it is started anew; if that repeats, see what it is doing',
  });
}
