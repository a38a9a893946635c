/**
 * Which sessions opened and closed, for whoever listens: told once they are written, together for each door. A crowd that
 * comes at once is one event, and whoever reads the sessions then finds what was told.
 */
import type { SessionRow } from '../store/tables.ts';

export interface SessionEvent {
  readonly type: 'session-opened' | 'session-closed';
  /** The agent whose door they are at. */
  readonly agent?: string;
  /** The server whose own door they are at. */
  readonly server?: string;
  readonly sessions: readonly string[];
}

export interface SessionListener {
  readonly heard: boolean;
  emit(event: SessionEvent): void;
}

export class SessionNews {
  readonly #listener: SessionListener | undefined;
  #untold = new Map<string, SessionEvent & { readonly sessions: string[] }>();

  constructor(listener: SessionListener | undefined) {
    this.#listener = listener;
  }

  note(type: SessionEvent['type'], { id, agent, server }: SessionRow): void {
    if (!this.#listener?.heard) return;
    const key = `${type} ${agent} ${server}`;
    const event = this.#untold.get(key);
    if (event) event.sessions.push(id);
    else this.#untold.set(key, { type, ...(agent && { agent }), ...(server && { server }), sessions: [id] });
  }

  tell(): void {
    if (this.#untold.size === 0) return;
    const events = this.#untold.values();
    this.#untold = new Map();
    for (const event of events) this.#listener?.emit(event);
  }
}
