/** The event streams of one session over HTTP: one for news, and one for each answer that is more than a document. */
import type { ServerResponse } from 'node:http';
import type { Outlet } from '../visit/session.ts';
import { EventLog } from './event-log.ts';

/** How many answers can still be taken up again. */
const MAX_ANSWERS = 16;

export class SessionStreams implements Outlet {
  readonly #news = new EventLog('news');
  readonly #answers = new Map<string, EventLog>();
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
    const name = `answer-${++this.#count}`;
    const log = new EventLog(name);
    log.attach(response);
    this.#answers.set(name, log);
    const [oldest] = this.#answers.keys();
    if (this.#answers.size > MAX_ANSWERS && oldest !== undefined) this.#answers.delete(oldest);
    return log;
  }

  /** Without an event, or with one of a stream that is forgotten, the news. The returned function ends it; it can be taken up again. */
  attach(response: ServerResponse, lastEventId: string | undefined): () => void {
    const [, name = '', number] = /^(.*)_(\d+)$/.exec(lastEventId ?? '') ?? [];
    const known = name === 'news' ? this.#news : this.#answers.get(name);
    const log = known ?? this.#news;
    log.attach(response, known && Number(number));
    return () => log.leave(response);
  }

  end(): void {
    this.#news.end();
    for (const log of this.#answers.values()) log.end();
  }
}
