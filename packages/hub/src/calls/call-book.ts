/**
 * Every call that passes the hub: kept in memory while it runs, in the journal as soon as it is to be sent, in the database
 * in batches. A door pays for one small object and one line of text; all else is done when nobody waits for it.
 */
import { JunctorError } from '@junctor/core';
import { type CountedTool, countsInStatistics, Passing } from '@junctor/core/internal';
import { Call, type CallHouse, callNames } from './call.ts';
import type { CallAbout, CallEnd, OpenCall, RunningCall } from './call-record.ts';
import type { HubCounts } from './hub-counts.ts';
import type { Journal } from './journal.ts';

export interface CallBookOptions {
  readonly journal: Journal;
  readonly counts: HubCounts;
  /** Told of each call as it begins and ends, where anybody listens. */
  readonly listener?: CallListener | undefined;
  /** There is something to write. */
  readonly onNews: () => void;
}

export interface CallListener {
  readonly heard: boolean;
  emit(event: CallEvent): void;
}

export interface CallEvent {
  readonly type: 'tool-call-begin' | 'tool-call-end';
  readonly server: string;
  readonly tool: string;
  readonly call_id: string;
  readonly agent?: string;
  readonly person?: string;
  /** The folder of the project it was made in. */
  readonly project?: string;
  readonly session?: string;
  readonly is_error?: boolean;
  readonly code?: string;
  readonly ms?: number;
  readonly bytes?: number;
}

/** Calls, and what they add to the statistics: written together or not at all, and given up together. */
export interface CallBatch {
  readonly calls: readonly Call[];
  readonly counts: readonly CountedTool[];
}

const NO_CALLS: CallBatch = { calls: [], counts: [] };

/** So many wait behind those that the database did not take yet; then those are given up, and the next are tried. */
const MAX_WAITING = 20_000;

export class CallBook {
  readonly #options: CallBookOptions;
  readonly #running = new Passing<string, Call>();
  #ended: Call[] = [];
  /** Handed over to be written. */
  #taken = NO_CALLS;
  readonly #newName = callNames();
  readonly #house: CallHouse;
  #dropped = 0;
  #closing = false;
  #onIdle: (() => void) | undefined;

  constructor(options: CallBookOptions) {
    this.#options = options;
    const running = this.#running;
    this.#house = {
      journal: options.journal,
      get inFlight() {
        return running.size;
      },
      onEnd: (call, end) => this.#onEnd(call, end),
    };
  }

  /** A call has arrived. */
  begin(about: CallAbout): OpenCall {
    if (this.#closing)
      throw new JunctorError('hub_closing', 'The hub is about to end and takes no new calls.', {
        hint: 'call again once it is back',
      });
    const call = new Call(this.#newName(), about, this.#house);
    this.#running.set(call.id, call);
    const { listener } = this.#options;
    if (listener?.heard) listener.emit({ type: 'tool-call-begin', ...call.named });
    return call;
  }

  /** What runs now, oldest first. */
  running(): RunningCall[] {
    return this.#running.values().map(call => call.running);
  }

  get closing(): boolean {
    return this.#closing;
  }

  /** From now on nothing is begun. Resolves when all that runs has ended, or once this time is up. */
  async finish(ms: number): Promise<void> {
    this.#closing = true;
    if (this.#running.size === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onIdle = resolve;
    const timer = setTimeout(resolve, ms);
    await promise;
    clearTimeout(timer);
  }

  get inFlight(): number {
    return this.#running.size;
  }

  /** Calls that ended and are not in the database yet. */
  get unwritten(): number {
    return this.#taken.calls.length + this.#ended.length;
  }

  /** Calls that were given up because the database did not take them. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Hands over what has ended since, to be written. It is so again, the same and by itself, until it is settled. */
  take(): CallBatch {
    if (this.#taken.calls.length > 0) return this.#taken;
    this.#taken = { calls: this.#ended, counts: this.#options.counts.take() };
    this.#ended = [];
    return this.#taken;
  }

  /** What was handed over could not be written, as far as anybody knows. It is tried again, unless too many wait. */
  failed(): void {
    if (this.#ended.length <= MAX_WAITING) return;
    this.#dropped += this.#taken.calls.length;
    this.#taken = NO_CALLS;
  }

  /** What was handed over is in the database: the journal need not say it any more. */
  settled(): void {
    this.#taken = NO_CALLS;
    const { journal } = this.#options;
    if (this.#running.size === 0 && this.#ended.length === 0) return journal.empty();
    if (journal.isLong) journal.rewrite([...this.#running.values(), ...this.#ended].map(call => call.whole()));
  }

  #onEnd(call: Call, end: CallEnd): void {
    const { failed, bytes, code } = end;
    this.#running.take(call.id);
    this.#ended.push(call);
    this.#options.counts.note(call.about.server, end.outcome);
    if (countsInStatistics(end))
      this.#options.counts.count(
        { agent: call.about.caller.agent, server: call.about.server, tool: call.about.tool },
        { failed, bytes, ms: call.ms },
      );
    const { listener, onNews } = this.#options;
    if (listener?.heard) {
      const why = code === undefined ? {} : { code };
      listener.emit({ type: 'tool-call-end', ...call.named, is_error: failed, ...why, ms: call.ms, bytes });
    }
    onNews();
    if (this.#running.size === 0) this.#onIdle?.();
  }
}
