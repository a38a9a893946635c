/** A stream without news says something now and then: many a client and proxy gives a silent one up. One timer for all. */
import type { ServerResponse } from 'node:http';

/** Shorter than the shortest patience that is usual: a minute. */
const EVERY_MS = 25_000;

export class KeepAlive {
  readonly #streams = new Set<ServerResponse>();
  #timer: NodeJS.Timeout | undefined;

  add(response: ServerResponse): void {
    this.#streams.add(response);
    this.#timer ??= setInterval(() => this.#beat(), EVERY_MS).unref();
    response.on('close', () => {
      this.#streams.delete(response);
      if (this.#streams.size === 0) this.close();
    });
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #beat(): void {
    for (const stream of this.#streams) if (!stream.writableEnded && !stream.writableNeedDrain) stream.write(': \n\n');
  }
}
