import { randomBytes } from 'node:crypto';
import type { CallRow } from '../store/tables.ts';
import type { CallAbout, CallEnd, OpenCall, RunningCall } from './call-record.ts';
import type { Journal, JournalEntry } from './journal.ts';
import { beginLine, endLine, sentLine } from './journal-lines.ts';
import { shownArguments } from './shown-arguments.ts';

/** Where calls are kept while they run. */
export interface CallHouse {
  readonly journal: Journal;
  /** How many run. */
  readonly inFlight: number;
  readonly onEnd: (call: Call, end: CallEnd) => void;
}

/** One call from its arrival to its end. A door pays for this object; all else is done when nobody waits for it. */
export class Call implements OpenCall, JournalEntry {
  readonly id: string;
  readonly about: CallAbout;
  readonly #house: CallHouse;
  readonly #startedAt = performance.now();
  readonly #started = Date.now();
  #verdict = '';
  #because = '';
  #sent = false;
  #end: CallEnd | undefined;
  ms = 0;
  isPending = false;
  /** How much of it the journal has. */
  #told: 'nothing' | 'begin' | 'sent' = 'nothing';

  constructor(id: string, about: CallAbout, house: CallHouse) {
    this.id = id;
    this.about = about;
    this.#house = house;
    house.journal.note(this);
  }

  judged(verdict: string, because: string): void {
    this.#verdict = verdict;
    this.#because = because;
  }

  sending(): Promise<void> | undefined {
    const { journal, inFlight } = this.#house;
    this.#sent = true;
    journal.note(this);
    // Lines of calls that run side by side are written together; one that runs alone would only wait.
    if (inFlight > 1) return journal.written();
    journal.writeNow();
    return undefined;
  }

  ended(end: CallEnd): void {
    if (this.#end) return;
    this.#end = end;
    this.ms = Math.round((performance.now() - this.#startedAt) * 1000) / 1000;
    this.#house.journal.note(this);
    this.#house.onEnd(this, end);
  }

  /** What the journal does not have yet: mostly one line when it is sent, and one when it ends. */
  news(): string {
    let text = '';
    if (this.#told === 'nothing') {
      text = this.#beginLine();
      this.#told = this.#sent ? 'sent' : 'begin';
    } else if (this.#sent && this.#told === 'begin') {
      text = sentLine(this.id);
      this.#told = 'sent';
    }
    return this.#end ? text + endLine(this.id, this.#end, this.ms) : text;
  }

  /** Everything the journal has to say about it. */
  whole(): string {
    this.#told = this.#sent ? 'sent' : 'begin';
    return this.#beginLine() + (this.#end ? endLine(this.id, this.#end, this.ms) : '');
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
    const { bearer, agent = '', session, server, tool } = this.about;
    const { outcome, failed, code = null, bytes } = this.#end as CallEnd;
    const shown = shownArguments(this.about);
    return {
      call_id: this.id,
      bearer,
      agent,
      session,
      server,
      tool,
      verdict: this.#verdict,
      because: this.#because,
      started: this.#started,
      ms: this.ms,
      bytes_in: shown.bytes,
      bytes_out: bytes,
      outcome,
      failed: failed ? 1 : 0,
      code,
      arguments: shown.text,
    };
  }

  #beginLine(): string {
    const { bearer, agent = '', session, server, tool } = this.about;
    return beginLine(this.id, {
      started: this.#started,
      bearer,
      agent,
      session,
      server,
      tool,
      verdict: this.#verdict,
      sent: this.#sent,
    });
  }
}

/** Names for the calls of one life of a hub: no two lives give the same. */
export function callNames(): () => string {
  const life = `${Date.now().toString(36)}${randomBytes(3).toString('hex')}`;
  let count = 0;
  return () => `${life}-${++count}`;
}
