import { hash } from 'node:crypto';
import { JunctorError } from '@junctor/core';
import { type ClientName, Session, type SessionOptions } from './session.ts';

/** More sessions than this are not kept: the owner with the most loses one that is not in use. */
const MAX_SESSIONS = 10_000;
/** One owner of a token has at most so many: the one of them unused for longest is forgotten, and its client greets again. */
const MAX_PER_OWNER = 1000;
/** How long clients of the 2026-07-28 era, which never say goodbye, are remembered without a request. */
const MODERN_IDLE_MS = 10 * 60_000;
const SWEEP_MS = 60_000;
/** A client that keeps no connection open and asked nothing for so long may be gone: over HTTP few say goodbye. */
export const QUIET_MS = 60_000;

/** `hubEnds`: its client did not end it, and may go on with it at another hub. `evicted`: it made way for another. */
type SessionEnd = (session: Session, how: { readonly hubEnds: boolean; readonly evicted: boolean }) => void;

export class Sessions {
  /** Ordered by last use: a session that is used moves to the end. */
  readonly #sessions = new Map<string, Session>();
  /** By principal. */
  readonly #owned = new Map<string, Set<Session>>();
  /** The one that was used last. */
  #latest: Session | undefined;
  readonly #onEnd: SessionEnd | undefined;
  readonly #sweeper: NodeJS.Timeout;
  #leftAt = performance.now();

  constructor(onEnd?: SessionEnd) {
    this.#onEnd = onEnd;
    this.#sweeper = setInterval(() => this.#endIdle(), SWEEP_MS).unref();
  }

  get all(): IterableIterator<Session> {
    return this.#sessions.values();
  }

  /** Since when no client is here, by `performance.now()`. Undefined while one is connected, or waits for an answer. */
  get unusedSince(): number | undefined {
    let last = this.#leftAt;
    for (const { outlet, running, usedAt } of this.#sessions.values()) {
      if (outlet?.open || running.size > 0) return undefined;
      last = Math.max(last, usedAt);
    }
    return last;
  }

  has(id: string): boolean {
    return this.#sessions.has(id);
  }

  /** Whether its client is there: it has a connection open, waits for an answer, or asked a moment ago. */
  isConnected(id: string): boolean {
    const session = this.#sessions.get(id);
    if (!session) return false;
    return session.outlet?.open || session.running.size > 0 || performance.now() - session.usedAt < QUIET_MS;
  }

  /** Throws `rate_limited` where its owner has as many as it may, and all of them are in use. */
  open(options: SessionOptions): Session {
    this.#makeWayFor(options.owner);
    const session = new Session(options);
    this.#sessions.set(session.id, session);
    const owned = this.#owned.get(session.principal);
    if (owned) owned.add(session);
    else this.#owned.set(session.principal, new Set([session]));
    this.#latest = session;
    return session;
  }

  /** A session is found at its own door, by whoever opened it. Behind the door may be another room by now. */
  find(id: string, { door, room, owner }: Pick<SessionOptions, 'door' | 'room' | 'owner'>): Session | undefined {
    const session = this.#sessions.get(id);
    if (!session || session.door !== door || session.principal !== owner.principal) return undefined;
    session.room = room;
    return this.#used(session);
  }

  /**
   * The session of a request that belongs to none by itself, as all of the 2026-07-28 era over HTTP: its client uses many
   * connections, and says who it is in each request. One token, one client, one door: one session.
   */
  ofClient(options: Omit<SessionOptions, 'id'>, client: ClientName): Session {
    const key = [options.door, options.owner.principal, client.name, client.version ?? ''].join('\0');
    const id = `client-${hash('sha256', key, 'base64url')}`;
    const known = this.#sessions.get(id);
    if (known) {
      known.room = options.room;
      return this.#used(known);
    }
    const session = this.open({ ...options, id });
    session.client = client;
    return session;
  }

  close(session: Session, { hubEnds = false, evicted = false } = {}): void {
    if (this.#sessions.get(session.id) === session) this.#sessions.delete(session.id);
    const owned = this.#owned.get(session.principal);
    owned?.delete(session);
    if (owned?.size === 0) this.#owned.delete(session.principal);
    if (this.#latest === session) this.#latest = undefined;
    this.#leftAt = performance.now();
    session.end();
    for (const upstream of [...session.upstreams.values()]) upstream.lender.release(upstream, session);
    this.#onEnd?.(session, { hubEnds, evicted });
  }

  closeAll(): void {
    clearInterval(this.#sweeper);
    for (const session of [...this.#sessions.values()]) this.close(session, { hubEnds: true });
  }

  #used(session: Session): Session {
    session.usedAt = performance.now();
    if (session === this.#latest) return session;
    this.#latest = session;
    this.#sessions.delete(session.id);
    this.#sessions.set(session.id, session);
    return session;
  }

  /** Nobody loses a session because another owner opens many, and none is closed while calls run in it. */
  #makeWayFor({ principal, bearer }: SessionOptions['owner']): void {
    const own = this.#owned.get(principal);
    // Another hub speaks for many clients, which that hub has counted.
    if (bearer.kind !== 'hub' && own && own.size >= MAX_PER_OWNER) return this.#evictOne(own);
    if (this.#sessions.size < MAX_SESSIONS) return;
    let most = own;
    for (const owned of this.#owned.values()) if (owned.size > (most?.size ?? 0)) most = owned;
    if (most) this.#evictOne(most);
  }

  #evictOne(owned: ReadonlySet<Session>): void {
    let unused: Session | undefined;
    for (const session of owned)
      if (session.running.size === 0 && (!unused || session.usedAt < unused.usedAt)) unused = session;
    if (!unused) throw tooMany();
    this.close(unused, { evicted: true });
  }

  #endIdle(): void {
    const before = performance.now() - MODERN_IDLE_MS;
    for (const session of [...this.#sessions.values()]) {
      // Ordered by last use: from here on all are younger.
      if (session.usedAt > before) return;
      if (session.era === 'modern' && session.running.size === 0) this.close(session);
    }
  }
}

function tooMany(): JunctorError {
  return new JunctorError('rate_limited', 'Too many sessions are open, and calls run in each of them.', {
    why: `one token has at most ${MAX_PER_OWNER} sessions, the hub ${MAX_SESSIONS}`,
    hint: 'end sessions that are not needed',
  });
}
