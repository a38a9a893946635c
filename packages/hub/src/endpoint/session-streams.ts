/** The event streams of one session over HTTP: one for news, and one for each answer that is more than a document. */
import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Outlet } from '../visit/session.ts';
import { EventLog } from './event-log.ts';

/** How many answers that are complete can still be taken up again. */
const MAX_COMPLETE = 16;

export class SessionStreams implements Outlet {
  readonly #news = new EventLog('news');
  /** Of calls that run: their clients wait for the answer, so none is dropped. */
  readonly #running = new Map<string, EventLog>();
  readonly #complete = new Map<string, EventLog>();
  /** Another hub that takes the session up names its streams anew: an event id of this hub must match none of them. */
  readonly #mark = randomBytes(6).toString('base64url');
  #count = 0;

  get open(): boolean {
    return this.#news.open;
  }

  get unread(): number {
    return this.#news.unread;
  }

  say(message: object): void {
    this.#news.say(message);
  }

  /** A stream for one answer. */
  forAnswer(response: ServerResponse): EventLog {
    const name = `answer-${this.#mark}-${++this.#count}`;
    const log = new EventLog(name, () => this.#completed(name, log));
    log.attach(response);
    this.#running.set(name, log);
    return log;
  }

  /**
   * Goes on with the stream of that event, or with the notification stream where no event is named. Undefined where the
   * stream is not known. The returned function ends it; it can be taken up again.
   */
  attach(response: ServerResponse, lastEventId: string | undefined): (() => void) | undefined {
    const [, name = '', number] = /^(.*)_(\d+)$/.exec(lastEventId ?? '') ?? [];
    const log = !lastEventId || name === 'news' ? this.#news : (this.#running.get(name) ?? this.#complete.get(name));
    if (!log) return undefined;
    log.attach(response, number === undefined ? undefined : Number(number));
    return () => log.leave(response);
  }

  end(): void {
    this.#news.end();
    for (const log of [...this.#running.values(), ...this.#complete.values()]) log.end();
  }

  #completed(name: string, log: EventLog): void {
    this.#running.delete(name);
    this.#complete.set(name, log);
    if (this.#complete.size <= MAX_COMPLETE) return;
    // An answer that was never written is one that its client will come back for.
    const [oldest] = this.#complete.keys();
    const [dropped] = [...this.#complete].find(([, one]) => one.written) ?? [oldest];
    this.#complete.delete(dropped as string);
  }
}
