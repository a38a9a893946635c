/**
 * Life signs of calls that run: at least one every 30 s, whether or not the server says anything, and with values that
 * rise. One timer for all of them; a call that is over in a moment costs two entries in a set.
 */
import { monotonicMs } from '../base/time/monotonic.ts';
import type { ProgressParams } from '../connections/rpc/conversation.ts';

export interface LifeSign extends ProgressParams {
  readonly elapsed_ms: number;
}

const EVERY_MS = 30_000;
/** Looked at more often than told, so that the longest silence stays below the promise. */
const LOOK_EVERY_MS = 5000;
/** Small beside any step a server would count. */
const STEP = 0.001;

export class Heartbeats {
  readonly #running = new Set<Heartbeat>();
  #timer: NodeJS.Timeout | undefined;
  #everyMs: number;

  constructor(everyMs: number = EVERY_MS) {
    this.#everyMs = everyMs;
  }

  /** From now on, for calls that run too. */
  change(everyMs: number = EVERY_MS): void {
    this.#everyMs = everyMs;
    if (this.#timer) this.#begin();
  }

  /** `above`: what was told before, by another heartbeat of the same call. */
  begin(tell: (sign: LifeSign) => void, above = 0): Heartbeat {
    const heartbeat = new Heartbeat(tell, ended => this.#end(ended), above);
    this.#running.add(heartbeat);
    if (!this.#timer) this.#begin();
    return heartbeat;
  }

  #begin(): void {
    clearInterval(this.#timer);
    // Watching must not keep a program from ending.
    this.#timer = setInterval(() => this.#look(), Math.min(LOOK_EVERY_MS, this.#everyMs / 4)).unref();
  }

  #look(): void {
    const now = monotonicMs();
    for (const heartbeat of this.#running) heartbeat.breakSilence(now, this.#everyMs * 0.8);
  }

  #end(heartbeat: Heartbeat): void {
    this.#running.delete(heartbeat);
    if (this.#running.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

export class Heartbeat implements Disposable {
  readonly #tell: (sign: LifeSign) => void;
  readonly #onEnd: (heartbeat: Heartbeat) => void;
  readonly #since = monotonicMs();
  #toldAt = this.#since;
  #progress: number;
  #last: ProgressParams | undefined;

  constructor(tell: (sign: LifeSign) => void, onEnd: (heartbeat: Heartbeat) => void, above: number) {
    this.#tell = tell;
    this.#onEnd = onEnd;
    this.#progress = above;
  }

  /** How far it was told. */
  get value(): number {
    return this.#progress;
  }

  /** What the server said. A value that does not rise is lifted: whoever follows it takes a smaller one for a mistake. */
  progress(params: ProgressParams): void {
    this.#last = params;
    const given = typeof params.progress === 'number' ? params.progress : this.#progress;
    this.#say({ ...params, progress: given });
  }

  breakSilence(now: number, afterMs: number): void {
    if (now - this.#toldAt >= afterMs) this.#say({ ...this.#last, progress: this.#progress });
  }

  [Symbol.dispose](): void {
    this.#onEnd(this);
  }

  #say(params: ProgressParams): void {
    this.#toldAt = monotonicMs();
    this.#progress = params.progress > this.#progress ? params.progress : this.#progress + STEP;
    this.#tell({ ...params, progress: this.#progress, elapsed_ms: Math.round(this.#toldAt - this.#since) });
  }
}
