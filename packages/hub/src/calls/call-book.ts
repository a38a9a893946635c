/**
 * Every call that passes the hub: kept in memory while it runs, in the journal as soon as it is to be sent, in the database
 * in batches. A door pays for one small object and one line of text; all else is done when nobody waits for it.
 */
import { randomBytes } from 'node:crypto';
import type { CallRow } from '../store/tables.ts';
import type { CallAbout, CallEnd, OpenCall, RunningCall } from './call-record.ts';
import type { Journal } from './journal.ts';
import { shownArguments } from './shown-arguments.ts';
import type { Tallies } from './tallies.ts';

export interface CallBookOptions {
  readonly journal: Journal;
  readonly tallies: Tallies;
  /** Told of each call as it begins and ends: where somebody listens. */
  readonly onEvent?: ((event: CallEvent) => void) | undefined;
  /** There is something to write. */
  readonly onNews: () => void;
}

export interface CallEvent {
  readonly type: 'tool-call-begin' | 'tool-call-end';
  readonly server: string;
  readonly tool: string;
  readonly call_id: string;
  readonly agent?: string;
  readonly session?: string;
  readonly is_error?: boolean;
  readonly code?: string;
  readonly ms?: number;
  readonly bytes?: number;
}

/** So many ended calls are kept for a database that does not answer; then the oldest are given up. */
const MAX_WAITING = 20_000;

export class CallBook {
  readonly #options: CallBookOptions;
  readonly #running = new Map<string, Call>();
  #ended: Call[] = [];
  /** Ids begin with the moment the hub started: no two lives of a hub give the same. */
  readonly #prefix = `${Date.now().toString(36)}${randomBytes(3).toString('hex')}`;
  #count = 0;
  #dropped = 0;

  constructor(options: CallBookOptions) {
    this.#options = options;
  }

  /** A call has arrived. */
  begin(about: CallAbout): OpenCall {
    const call = new Call(`${this.#prefix}-${++this.#count}`, about, this.#options.journal, (ended, end) =>
      this.#end(ended, end),
    );
    this.#running.set(call.id, call);
    this.#options.onEvent?.({ type: 'tool-call-begin', ...call.named });
    return call;
  }

  /** What runs now, oldest first. */
  running(): RunningCall[] {
    return [...this.#running.values()].map(call => call.running);
  }

  get inFlight(): number {
    return this.#running.size;
  }

  /** Calls that were given up because the database did not take them. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Takes what has ended since, to be written. What cannot be written is given back. */
  take(): readonly Call[] {
    const taken = this.#ended;
    this.#ended = [];
    return taken;
  }

  giveBack(calls: readonly Call[]): void {
    this.#ended = [...calls, ...this.#ended];
    const surplus = this.#ended.length - MAX_WAITING;
    if (surplus <= 0) return;
    this.#dropped += surplus;
    this.#ended = this.#ended.slice(surplus);
  }

  /** What was taken is in the database: the journal need not say it any more. */
  settled(): void {
    const { journal } = this.#options;
    if (this.#running.size === 0 && this.#ended.length === 0) return journal.empty();
    if (journal.isLong) journal.rewrite([...this.#running.values(), ...this.#ended].flatMap(call => call.lines()));
  }

  #end(call: Call, end: CallEnd): void {
    this.#running.delete(call.id);
    this.#ended.push(call);
    // A call that was never made says nothing about its tool.
    if (end.outcome !== 'not_sent')
      this.#options.tallies.count(call.about, { failed: end.failed, bytes: end.bytes, ms: call.ms });
    this.#options.onEvent?.({
      type: 'tool-call-end',
      ...call.named,
      is_error: end.failed,
      ...(end.code === undefined ? {} : { code: end.code }),
      ms: call.ms,
      bytes: end.bytes,
    });
    this.#options.onNews();
  }
}

/** One call. */
class Call implements OpenCall {
  readonly id: string;
  readonly about: CallAbout;
  readonly #journal: Journal;
  readonly #onEnd: (call: Call, end: CallEnd) => void;
  readonly #startedAt = performance.now();
  readonly #started = Date.now();
  #verdict = '';
  #because = '';
  #sent = false;
  #end: CallEnd | undefined;
  ms = 0;

  constructor(id: string, about: CallAbout, journal: Journal, onEnd: (call: Call, end: CallEnd) => void) {
    this.id = id;
    this.about = about;
    this.#journal = journal;
    this.#onEnd = onEnd;
    journal.write(this.#beginLine());
  }

  judged(verdict: string, because: string): void {
    this.#verdict = verdict;
    this.#because = because;
  }

  sending(): Promise<void> {
    this.#sent = true;
    return this.#journal.write(this.#sentLine());
  }

  ended(end: CallEnd): void {
    if (this.#end) return;
    this.#end = end;
    this.ms = Math.round((performance.now() - this.#startedAt) * 1000) / 1000;
    void this.#journal.write(this.#endLine(end));
    this.#onEnd(this, end);
  }

  get named(): { server: string; tool: string; call_id: string; agent?: string; session: string } {
    const { server, tool, agent, session } = this.about;
    return { server, tool, call_id: this.id, ...(agent === undefined ? {} : { agent }), session };
  }

  get running(): RunningCall {
    const { bearer, agent = '', session, server, tool } = this.about;
    return { call_id: this.id, bearer, agent, session, server, tool, started: this.#started, sent: this.#sent };
  }

  row(): CallRow {
    const { outcome = 'unknown', failed = true, code = null, bytes = 0 } = this.#end ?? {};
    return {
      ...this.#said(),
      verdict: this.#verdict,
      because: this.#because,
      ms: this.ms,
      bytes_out: bytes,
      outcome,
      failed: failed ? 1 : 0,
      code,
      arguments: shownArguments(this.about),
    };
  }

  /** Everything the journal has to say about it. */
  lines(): string[] {
    const sent = this.#sent ? [this.#sentLine()] : [];
    return [this.#beginLine(), ...sent, ...(this.#end ? [this.#endLine(this.#end)] : [])];
  }

  #said(): Pick<CallRow, 'call_id' | 'bearer' | 'agent' | 'session' | 'server' | 'tool' | 'started' | 'bytes_in'> {
    const { bearer, agent = '', session, server, tool, bytes } = this.about;
    return { call_id: this.id, bearer, agent, session, server, tool, started: this.#started, bytes_in: bytes };
  }

  #beginLine(): string {
    return `${JSON.stringify(this.#said())}\n`;
  }

  #sentLine(): string {
    return `{"sent":"${this.id}"}\n`;
  }

  #endLine({ outcome, failed, code, bytes }: CallEnd): string {
    return `${JSON.stringify({ ended: this.id, outcome, failed, code, bytes, ms: this.ms, verdict: this.#verdict, because: this.#because })}\n`;
  }
}

export type { Call };
