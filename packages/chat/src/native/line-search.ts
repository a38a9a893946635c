/**
 * Lines that fit a regular expression which a model wrote. A backtracking expression can take years for one line, and
 * nothing else runs on a thread meanwhile, so a thread of its own does the work and is ended when its time is up.
 */
import { Worker } from 'node:worker_threads';
import { NativeFailure } from './native-tool.ts';

/** All files of one search together. A sensible expression takes milliseconds for the largest of them. */
const MAX_MATCHING_MS = 10_000;

/** Longer ones are no expression that somebody thought of. */
const MAX_PATTERN_CHARS = 1000;

/** Written out, because a bundle has no file that a thread could load. */
const WORK = `
const { parentPort, workerData } = require('node:worker_threads');
const pattern = new RegExp(workerData.pattern);
parentPort.on('message', text => {
  const hits = [];
  const lines = text.split('\\n');
  for (let at = 0; at < lines.length && hits.length < workerData.maxHits; at++)
    if (pattern.test(lines[at])) hits.push((at + 1) + ':' + lines[at].slice(0, 300));
  parentPort.postMessage(hits);
});
`;

export class LineSearch implements AsyncDisposable {
  readonly #worker: Worker;
  readonly #signal: AbortSignal;
  #leftMs = MAX_MATCHING_MS;

  constructor(pattern: string, { maxHits, signal }: { readonly maxHits: number; readonly signal: AbortSignal }) {
    if (pattern.length > MAX_PATTERN_CHARS)
      throw new NativeFailure(`The pattern is longer than ${MAX_PATTERN_CHARS} characters.`);
    assertReadable(pattern);
    this.#signal = signal;
    this.#worker = new Worker(WORK, { eval: true, workerData: { pattern, maxHits }, env: {}, execArgv: [] });
    // An error is reported by the search that waits for it.
    this.#worker.on('error', () => {});
    this.#worker.unref();
  }

  /** `number:line` for each line that fits. */
  async hits(text: string): Promise<string[]> {
    this.#signal.throwIfAborted();
    const begun = performance.now();
    const { promise, resolve, reject } = Promise.withResolvers<string[]>();
    const timer = setTimeout(() => reject(tooSlow()), this.#leftMs);
    const onAbort = (): void => reject(this.#signal.reason);
    this.#signal.addEventListener('abort', onAbort, { once: true });
    this.#worker.once('message', resolve).once('error', reject);
    this.#worker.postMessage(text);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#signal.removeEventListener('abort', onAbort);
      this.#worker.off('message', resolve).off('error', reject);
      this.#leftMs = Math.max(0, this.#leftMs - (performance.now() - begun));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker.terminate();
  }
}

function assertReadable(pattern: string): void {
  try {
    new RegExp(pattern);
  } catch (error) {
    throw new NativeFailure((error as Error).message);
  }
}

function tooSlow(): NativeFailure {
  return new NativeFailure(
    `The search was ended: after ${MAX_MATCHING_MS / 1000} s its pattern was still being matched. ` +
      'Repetitions inside repetitions, such as (a+)+, can take for ever. Use a simpler pattern.',
  );
}
