import { randomBytes } from 'node:crypto';
import type { Decision, ToolCall } from '@junctor/core';
import type { CallRow } from '../store/tables.ts';
import type { CallEvent } from './call-book.ts';
import { type CallAbout, type CallEnd, callerWords, type OpenCall, type RunningCall } from './call-record.ts';
import type { Journal, JournalEntry } from './journal.ts';
import { beginLine, endLine, sentLine } from './journal-lines.ts';
import { keptArguments, keptInWords } from './kept-arguments.ts';

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
  /** Since when a person is waited for, and how long others were before. */
  #askedAt: number | undefined;
  #waitedMs = 0;
  /** How long it took, without the time a person was waited for. */
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

  asked(because: string): void {
    this.#endWait();
    this.#askedAt = performance.now();
    this.#verdict = ASKED;
    this.#because = because;
  }

  judged(_call: ToolCall, { word, because }: Decision): void {
    this.#endWait();
    this.#verdict = word;
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

  ended(_call: ToolCall, end: CallEnd): void {
    if (this.#end) return;
    this.#end = end;
    this.#endWait();
    this.ms = Math.round((performance.now() - this.#startedAt - this.#waitedMs) * 1000) / 1000;
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

  get named(): { server: string; tool: string; call_id: string; session: string } & Pick<
    CallEvent,
    'agent' | 'person' | 'project'
  > {
    const { server, tool, caller } = this.about;
    const { agent, person, project, session = '' } = caller;
    return {
      server,
      tool,
      call_id: this.id,
      ...(agent === undefined ? {} : { agent }),
      ...(person?.name === undefined ? {} : { person: person.name }),
      ...(project === undefined ? {} : { project }),
      session,
    };
  }

  get running(): RunningCall {
    const { caller, server, tool } = this.about;
    return { call_id: this.id, ...callerWords(caller), server, tool, started: this.#started, sent: this.#sent };
  }

  row(): CallRow {
    const { caller, server, tool } = this.about;
    const { outcome, failed, code = null, bytes } = this.#end as CallEnd;
    const { args, mask } = this.about;
    const kept = args === undefined || args === null ? undefined : keptArguments(args, mask);
    return {
      call_id: this.id,
      ...callerWords(caller),
      server,
      tool,
      verdict: this.#verdict,
      because: this.#because,
      started: this.#started,
      ms: this.ms,
      bytes_in: kept?.bytes ?? 0,
      bytes_out: bytes,
      outcome,
      failed: failed ? 1 : 0,
      code,
      arguments: kept ? keptInWords(kept) : null,
    };
  }

  #endWait(): void {
    if (this.#askedAt === undefined) return;
    this.#waitedMs += performance.now() - this.#askedAt;
    this.#askedAt = undefined;
  }

  #beginLine(): string {
    const { caller, server, tool } = this.about;
    return beginLine(this.id, {
      started: this.#started,
      caller: callerWords(caller),
      server,
      tool,
      verdict: this.#verdict,
      sent: this.#sent,
    });
  }
}

/** The verdict while a person decides. */
const ASKED = 'ask';

/** Names for the calls of one life of a hub: no two lives give the same. */
export function callNames(): () => string {
  const life = `${Date.now().toString(36)}${randomBytes(3).toString('hex')}`;
  let count = 0;
  return () => `${life}-${++count}`;
}
