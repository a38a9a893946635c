/** Tells clients that a list changed: sessions of the older era on their stream, others where they listen. */
import type { Host } from '@junctor/core';
import type { Upstream } from '../relay/upstream.ts';
import type { Session } from '../visit/session.ts';
import type { Sessions } from '../visit/sessions.ts';

export interface Listener {
  readonly session: Session;
  changed(method: string): void;
  /** The hub is closing. */
  over(): void;
}

export class News {
  readonly #sessions: Sessions;
  readonly #listeners = new Set<Listener>();

  constructor(sessions: Sessions) {
    this.#sessions = sessions;
  }

  /** Tells what this host learns from its servers, until the returned function is called. */
  follow(host: Host): () => void {
    return host.events.on('list-changed', ({ server, list }) =>
      this.#tell(host, server, `notifications/${list}/list_changed`),
    );
  }

  /** A list changed in an instance of a server: tells those who are shown its lists. `news`: since it was read last. */
  changedIn(upstream: Upstream, method: string, news: boolean): void {
    const { id } = upstream.server;
    this.#announce(
      method,
      session => session.upstreams.get(id) === upstream && session.room.showsListsOf(upstream, news),
    );
  }

  /** All servers of these sessions are others now. */
  replacedFor(sessions: ReadonlySet<Session>): void {
    for (const list of LISTS) this.#announce(`notifications/${list}/list_changed`, session => sessions.has(session));
  }

  /** Returns the way out. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    for (const listener of [...this.#listeners]) listener.over();
  }

  #tell(host: Host, server: string, method: string): void {
    this.#announce(method, session => session.room.shows(host, server, session, method));
  }

  #announce(method: string, concerns: (session: Session) => boolean): void {
    for (const session of this.#sessions.all)
      if (session.era === 'legacy' && concerns(session)) session.announce(method);
    for (const listener of this.#listeners) if (concerns(listener.session)) listener.changed(method);
  }
}

const LISTS = ['tools', 'prompts', 'resources'] as const;
