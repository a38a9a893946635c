/** Keeps what was asked about calls and what became of it, from whichever host it comes. */
import type { Host, HostEvent } from '@junctor/core';
import type { ApprovalRows } from '../store/approval-rows.ts';
import { hubName } from '../store/hub-name.ts';
import type { SessionBook } from './session-book.ts';

export interface ApprovalLogOptions {
  readonly rows: ApprovalRows;
  readonly sessions: SessionBook;
  readonly dataDirectory: string;
  readonly onProblem: (sentence: string) => void;
}

export class ApprovalLog {
  readonly #options: ApprovalLogOptions;
  /** In the order in which things happen. */
  #writing: Promise<void> = Promise.resolve();

  constructor(options: ApprovalLogOptions) {
    this.#options = options;
  }

  /** Questions of an earlier life of this hub have nobody left who waits for them. */
  begin(): Promise<void> {
    return this.#options.rows.withdrawAll(hubName(this.#options.dataDirectory));
  }

  /** Writes down what this host asks. */
  follow(host: Host, agent: string | undefined): void {
    host.events.on('approval-requested', event => this.#note(() => this.#asked(event, agent)));
    host.events.on('approval-answered', ({ approval_id, outcome }) =>
      this.#note(() => this.#options.rows.answered(approval_id, outcome)),
    );
  }

  /** Until all that happened is written. */
  settled(): Promise<void> {
    return this.#writing;
  }

  #asked(event: Extract<HostEvent, { type: 'approval-requested' }>, agent: string | undefined): Promise<void> {
    const { rows, sessions, dataDirectory } = this.#options;
    const { approval_id: id, server, tool, args, because, session = '', since, expires } = event;
    return rows.asked({
      id,
      hub: hubName(dataDirectory),
      agent: agent ?? sessions.agentOf(session),
      session,
      server,
      tool,
      arguments: JSON.stringify(args ?? null),
      because,
      asked: Date.parse(since),
      expires: expires === undefined ? null : Date.parse(expires),
      outcome: null,
      answered: null,
    });
  }

  #note(write: () => Promise<void>): void {
    this.#writing = this.#writing.then(write).catch(error => {
      this.#options.onProblem(`an approval cannot be written to the database: ${String(error)}`);
    });
  }
}
