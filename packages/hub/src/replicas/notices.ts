/**
 * What hubs on one PostgreSQL tell each other: that something of a kind changed, and which one of it, never what it is now.
 * Whoever hears it reads the database. A notice can be lost, when the connection breaks: once it is back, every listener is
 * told `undefined`, anything may have changed, and reads all of its kind. So a listener must be able to do that, and to hear
 * the same twice; then a lost notice loses nothing. A hub does not hear itself. On SQLite nothing is told and nothing heard.
 *
 *     notices.tell('tokens')                          after the change is written
 *     notices.on('agents', agent => refresh(agent))   undefined: anything may have changed
 */
import type { Store } from '../store/store.ts';
import { inWords } from './in-words.ts';

/** One word each: what changed. A new kind is added here. */
export type Topic =
  | 'hubs'
  | 'agents'
  | 'approvals'
  | 'tokens'
  | 'sign-ins'
  | 'leases'
  | 'secrets'
  | 'page-logins'
  | 'questions';

/** `about`: which one of its kind; undefined where it may be any. */
export type NoticeListener = (about: string | undefined) => void | Promise<void>;

const EVERYTHING = '*';

export class Notices {
  readonly #store: Store;
  readonly #onProblem: (sentence: string) => void;

  constructor(store: Store, onProblem: (sentence: string) => void) {
    this.#store = store;
    this.#onProblem = onProblem;
  }

  /** Fails where the database does not answer: what was changed is written nevertheless, and found by the next reader. */
  tell(topic: Topic, about?: string): Promise<void> {
    return this.#store.announce(about === undefined ? topic : `${topic} ${about}`);
  }

  /** The returned function stops. */
  on(topic: Topic, listener: NoticeListener): () => void {
    return this.#store.onAnnounced(words => {
      const [heard, ...about] = words.split(' ');
      if (heard !== topic && heard !== EVERYTHING) return;
      void this.#hear(listener, about.length === 0 ? undefined : about.join(' '));
    });
  }

  async #hear(listener: NoticeListener, about: string | undefined): Promise<void> {
    try {
      await listener(about);
    } catch (error) {
      this.#onProblem(`what another hub changed cannot be read: ${inWords(error)}`);
    }
  }
}
