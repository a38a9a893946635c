import { hash } from 'node:crypto';
import { type ClientName, Session, type SessionOptions } from './session.ts';

/** More sessions than this are not kept: the one unused for longest is forgotten, and its client greets again. */
const MAX_SESSIONS = 10_000;
/** How long clients of the 2026-07-28 era, which never say goodbye, are remembered without a request. */
const MODERN_IDLE_MS = 10 * 60_000;
const SWEEP_MS = 60_000;

/** `hubEnds`: its client did not end it, and may go on with it at another hub. */
type SessionEnd = (session: Session, how: { readonly hubEnds: boolean }) => void;

export class Sessions {
  /** Ordered by last use: a session that is used moves to the end. */
  readonly #sessions = new Map<string, Session>();
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

  open(options: SessionOptions): Session {
    const session = new Session(options);
    this.#sessions.set(session.id, session);
    this.#latest = session;
    if (this.#sessions.size > MAX_SESSIONS) this.#forgetOldest();
    return session;
  }

  /** A session is found at its own door, by whoever opened it. Behind the door may be another room by now. */
  find(
    id: string,
    { door, room, principal }: Pick<SessionOptions, 'door' | 'room' | 'principal'>,
  ): Session | undefined {
    const session = this.#sessions.get(id);
    if (!session || session.door !== door || session.principal !== principal) return undefined;
    session.room = room;
    return this.#used(session);
  }

  /**
   * The session of a request that belongs to none by itself, as all of the 2026-07-28 era over HTTP: its client uses many
   * connections, and says who it is in each request. One token, one client, one door: one session.
   */
  ofClient(options: Omit<SessionOptions, 'id'>, client: ClientName): Session {
    const key = [options.door, options.principal, client.name, client.version ?? ''].join('\0');
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

  close(session: Session, { hubEnds = false } = {}): void {
    if (this.#sessions.get(session.id) === session) this.#sessions.delete(session.id);
    if (this.#latest === session) this.#latest = undefined;
    this.#leftAt = performance.now();
    session.end();
    for (const upstream of [...session.upstreams.values()]) upstream.lender.release(upstream, session);
    this.#onEnd?.(session, { hubEnds });
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

  #forgetOldest(): void {
    const oldest = this.#sessions.values().next().value;
    if (oldest) this.close(oldest);
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
