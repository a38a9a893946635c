/** One numbered stream of events: a client that lost it can take it up where it broke. */
import type { ServerResponse } from 'node:http';
import { EVENT_STREAM } from './port.ts';

/** A client that is away for longer than this many events has lost the oldest. */
const MAX_KEPT = 200;

/** How long a client is asked to wait before it takes the stream up again. */
const RETRY_MS = 50;

interface NumberedEvent {
  readonly number: number;
  readonly text: string;
}

export class EventStream {
  readonly #id: string;
  readonly #kept: NumberedEvent[] = [];
  #count = 0;
  #sent = 0;
  #over = false;
  #response: ServerResponse | undefined;

  constructor(id: string) {
    this.#id = id;
  }

  /** Goes on over this response: with what nobody got yet, or with all that came after an event. */
  attach(response: ServerResponse, after: number = this.#sent): void {
    this.#response?.end();
    this.#response = response;
    response.on('close', () => {
      if (this.#response === response) this.#response = undefined;
    });
    response.writeHead(200, EVENT_STREAM);
    response.flushHeaders();
    for (const event of this.#kept) if (event.number > after) this.#write(event);
    if (this.#over) response.end();
  }

  /** An event without a message: from here on the stream can be taken up again. */
  prime(): void {
    this.#response?.write(`id: ${this.#id}_0\nretry: ${RETRY_MS}\ndata: \n\n`);
  }

  send(message: object): void {
    const event = { number: ++this.#count, text: JSON.stringify(message) };
    this.#kept.push(event);
    if (this.#kept.length > MAX_KEPT) this.#kept.shift();
    this.#write(event);
  }

  /** Ends the response but not the stream. */
  breakOff(): void {
    this.#response?.end();
    this.#response = undefined;
  }

  end(): void {
    this.#over = true;
    this.breakOff();
  }

  #write({ number, text }: NumberedEvent): void {
    if (!this.#response) return;
    this.#sent = Math.max(this.#sent, number);
    this.#response.write(`id: ${this.#id}_${number}\nevent: message\ndata: ${text}\n\n`);
  }
}

/** How many answered requests can still be taken up again. */
const MAX_STREAMS = 50;

/** The streams of one session: one for news, and one for each answer that is more than a document. */
export class SessionStreams {
  readonly news: EventStream = new EventStream('news');
  readonly #answers = new Map<string, EventStream>();
  #count = 0;

  open(): EventStream {
    const id = `answer-${++this.#count}`;
    const stream = new EventStream(id);
    this.#answers.set(id, stream);
    const [oldest] = this.#answers.keys();
    if (this.#answers.size > MAX_STREAMS && oldest !== undefined) this.#answers.delete(oldest);
    return stream;
  }

  /** Without an event, or with one of a stream that is forgotten, the news. */
  resume(lastEventId: string | undefined, response: ServerResponse): void {
    const [, id = '', number] = /^(.*)_(\d+)$/.exec(lastEventId ?? '') ?? [];
    const stream = id === 'news' ? this.news : this.#answers.get(id);
    if (stream) stream.attach(response, Number(number));
    else this.news.attach(response);
  }

  end(): void {
    this.news.end();
    for (const stream of this.#answers.values()) stream.end();
  }
}
