import { randomUUID } from 'node:crypto';

/** One client's conversation with one door. It holds what must end with it and nothing else. */
export interface Session {
  readonly id: string;
  /** The path it was opened on: a session is good at its own door only. */
  readonly door: string;
  /** Requests that run for it, by the client's own id as JSON. */
  readonly running: Map<string, Flight>;
}

/** One request on its way. It can be cancelled from the moment it arrived, also before it was sent on. */
export class Flight {
  #cancelled = false;
  #onCancel: ((reason: string) => void) | undefined;

  get cancelled(): boolean {
    return this.#cancelled;
  }

  cancel(reason: string): void {
    this.#cancelled = true;
    this.#onCancel?.(reason);
  }

  /** Says how to cancel it now that it is under way. */
  sent(onCancel: (reason: string) => void): void {
    this.#onCancel = onCancel;
  }
}

/** More sessions than this are not kept: the one unused for longest is forgotten, and its client greets again. */
const MAX_SESSIONS = 10_000;

export class Sessions {
  /** Ordered by last use: a session that is used moves to the end. */
  readonly #sessions = new Map<string, Session>();

  get size(): number {
    return this.#sessions.size;
  }

  open(door: string): Session {
    const session: Session = { id: randomUUID(), door, running: new Map() };
    this.#sessions.set(session.id, session);
    if (this.#sessions.size > MAX_SESSIONS) this.#forgetOldest();
    return session;
  }

  find(id: string, door: string): Session | undefined {
    const session = this.#sessions.get(id);
    if (!session || session.door !== door) return undefined;
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    return session;
  }

  close(session: Session): void {
    this.#sessions.delete(session.id);
    for (const flight of session.running.values()) flight.cancel('the session was ended');
  }

  #forgetOldest(): void {
    const oldest = this.#sessions.values().next().value;
    if (oldest) this.close(oldest);
  }
}
