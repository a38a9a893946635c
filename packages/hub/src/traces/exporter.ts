/**
 * Sends spans to a collector, many at once and now and then. Calls never wait for it: what the collector does not take in time
 * is given up, and counted.
 */
import { type Span, tracesDocument } from './otlp.ts';

export interface ExporterOptions {
  /** Where traces go, with its path. */
  readonly endpoint: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly serviceName?: string | undefined;
  /** Told once, until it works again. */
  readonly onProblem?: ((sentence: string) => void) | undefined;
}

const SEND_EVERY_MS = 1000;
const MAX_BATCH = 512;
/** More that wait mean that the collector is away, or too slow. */
const MAX_WAITING = 4096;
const TIMEOUT_MS = 10_000;
/** What is left is sent before the hub ends, if the collector is quick. */
const LAST_MS = 2000;

export class Exporter implements AsyncDisposable {
  readonly #options: ExporterOptions;
  #waiting: Span[] = [];
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;
  #failing = false;
  #closed = false;
  sent = 0;
  dropped = 0;

  constructor(options: ExporterOptions) {
    this.#options = options;
  }

  add(span: Span): void {
    if (this.#closed || this.#waiting.length >= MAX_WAITING) {
      this.dropped++;
      return;
    }
    this.#waiting.push(span);
    if (this.#waiting.length >= MAX_BATCH) this.#sendSoon(0);
    else this.#sendSoon(SEND_EVERY_MS);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#sending;
    const late = AbortSignal.timeout(LAST_MS);
    while (this.#waiting.length > 0 && !late.aborted) await this.#send(late);
    this.dropped += this.#waiting.length;
    this.#waiting = [];
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #sendSoon(ms: number): void {
    if (this.#sending || (this.#timer && ms > 0)) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#sending = this.#send(AbortSignal.timeout(TIMEOUT_MS)).finally(() => {
        this.#sending = undefined;
        if (this.#waiting.length > 0 && !this.#closed) this.#sendSoon(SEND_EVERY_MS);
      });
    }, ms);
    this.#timer.unref();
  }

  /** A batch is tried once: whoever monitors us would rather have the next than this one late. Never throws. */
  async #send(signal: AbortSignal): Promise<void> {
    const batch = this.#waiting.splice(0, MAX_BATCH);
    const { endpoint, headers = {}, serviceName = 'junctor-hub', onProblem } = this.#options;
    try {
      const answer = await fetch(endpoint, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(tracesDocument(batch, serviceName)),
        redirect: 'error',
        signal,
      });
      await answer.arrayBuffer();
      if (!answer.ok) throw new Error(`it answers with status ${answer.status}`);
      this.sent += batch.length;
      this.#failing = false;
    } catch (error) {
      this.dropped += batch.length;
      if (!this.#failing)
        onProblem?.(`traces cannot be sent to ${new URL(endpoint).origin}: ${(error as Error).message}`);
      this.#failing = true;
    }
  }
}
