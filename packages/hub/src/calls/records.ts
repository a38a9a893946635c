/**
 * What the hub remembers of calls and sessions, and how it gets into the database: in one transaction at most every 100 ms,
 * when there is anything to write. A database that does not answer holds nobody up: it is tried again.
 */
import { join } from 'node:path';
import { CallCounts, countsInStatistics, Scope, sentenceOf } from '@junctor/core/internal';
import { ApprovalRows } from '../store/approval-rows.ts';
import { CallRows } from '../store/call-rows.ts';
import { CallSearch } from '../store/call-search.ts';
import { hubName } from '../store/hub-name.ts';
import { SessionRows } from '../store/session-rows.ts';
import type { Store } from '../store/store.ts';
import type { CallRow } from '../store/tables.ts';
import type { Tracer } from '../traces/tracer.ts';
import { CallBook, type CallListener } from './call-book.ts';
import { HubCounts } from './hub-counts.ts';
import { JOURNAL_FILE, Journal, readJournal, removeOldJournal } from './journal.ts';
import { recoveredCalls } from './recovery.ts';
import { SessionBook } from './session-book.ts';
import { type SessionListener, SessionNews } from './session-news.ts';

/** Whoever is told of calls and sessions. */
export type RecordsListener = CallListener & SessionListener;

export interface RecordsOptions {
  readonly listener?: RecordsListener | undefined;
  readonly store: Store;
  readonly dataDirectory: string;
  /** How long calls and sessions are remembered. */
  readonly keepMs?: number | undefined;
  readonly onProblem: (sentence: string) => void;
  /** Where calls are followed across programs. */
  readonly tracer?: Tracer | undefined;
}

const WRITE_EVERY_MS = 100;
const AGAIN_AFTER_MS = 2000;
const DAY_MS = 24 * 60 * 60_000;
export const DEFAULT_KEEP_MS = 30 * DAY_MS;
const FORGET_EVERY_MS = 60 * 60_000;

export class Records implements AsyncDisposable {
  readonly calls: CallBook;
  readonly tracer: Tracer | undefined;
  readonly sessions: SessionBook;
  readonly counts: HubCounts = new HubCounts();
  readonly callRows: CallRows;
  readonly callSearch: CallSearch;
  readonly sessionRows: SessionRows;
  readonly #options: RecordsOptions;
  readonly #scope = new Scope();
  readonly #sessionNews: SessionNews;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #forgottenAt = 0;
  #failing = false;

  private constructor(options: RecordsOptions, journal: Journal) {
    this.#options = options;
    this.tracer = options.tracer;
    this.callRows = new CallRows(options.store);
    this.callSearch = new CallSearch(options.store);
    this.sessionRows = new SessionRows(options.store);
    const onNews = (): void => this.#soon(WRITE_EVERY_MS);
    this.calls = new CallBook({ journal, counts: this.counts, listener: options.listener, onNews });
    this.#sessionNews = new SessionNews(options.listener);
    this.sessions = new SessionBook(hubName(options.dataDirectory), onNews, this.#sessionNews);
    this.#scope.defer(() => journal.close());
  }

  /** Opens the records. What an earlier life did not get to write is written first. */
  static async open(options: RecordsOptions): Promise<Records> {
    const { dataDirectory, store } = options;
    const left = recoveredCalls(readJournal(dataDirectory));
    await new SessionRows(store).closeAll(hubName(dataDirectory));
    await recover(store, left);
    removeOldJournal(dataDirectory);
    const onProblem = (error: Error): void =>
      options.onProblem(`the journal ${join(dataDirectory, JOURNAL_FILE)} cannot be written: ${error.message}`);
    return new Records(options, new Journal({ dataDirectory, onProblem }));
  }

  /** Writes what another hub left that is gone. */
  adopt(left: readonly CallRow[]): Promise<void> {
    return recover(this.#options.store, left);
  }

  /** Writes what there is now. Never fails: what could not be written is kept. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  async close(): Promise<void> {
    for (const { id } of this.sessions.rows()) this.sessions.closed(id, { hubEnds: true });
    await this.flush();
    clearTimeout(this.#timer);
    await this.#scope.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #soon(ms: number): void {
    if (this.#scope.signal.aborted) return;
    this.#timer ??= setTimeout(() => void this.flush(), ms);
  }

  /**
   * What was tried before is tried again as it was: where it is in the database already, and only the answer was lost, it is
   * known there. What came since follows.
   */
  async #write(): Promise<void> {
    const again = this.#failing;
    const written = await this.#writeBatch();
    if (again && written) await this.#writeBatch();
  }

  async #writeBatch(): Promise<boolean> {
    const { calls, counts } = this.calls.take();
    const changes = this.sessions.take();
    const { sessions, attachments, evicted } = changes;
    if (calls.length + sessions.length + attachments.length + evicted.length === 0) return true;
    try {
      await this.#options.store.db.transaction().execute(async change => {
        await this.callRows.add(
          change,
          calls.map(call => call.row()),
          counts,
        );
        await this.sessionRows.put(change, changes);
      });
      this.calls.settled();
      this.#failing = false;
      this.#sessionNews.tell();
    } catch (error) {
      this.calls.failed();
      this.sessions.giveBack(changes);
      if (!this.#failing)
        this.#options.onProblem(`calls cannot be written to the database, and are kept here: ${sentenceOf(error)}`);
      this.#failing = true;
      this.#soon(AGAIN_AFTER_MS);
      return false;
    }
    // What was written stays written, whatever becomes of this: it is tried again.
    await this.#forgetOld().catch(() => {});
    return true;
  }

  async #forgetOld(): Promise<void> {
    const now = Date.now();
    if (now - this.#forgottenAt < FORGET_EVERY_MS) return;
    this.#forgottenAt = now;
    const moment = now - (this.#options.keepMs ?? DEFAULT_KEEP_MS);
    await this.callRows.forgetBefore(moment);
    await this.sessionRows.forgetBefore(moment);
    await new ApprovalRows(this.#options.store).forgetBefore(moment);
  }
}

/** A batch that was written just before the end stands in the journal too: it is not counted twice. */
async function recover(store: Store, left: readonly CallRow[]): Promise<void> {
  if (left.length === 0) return;
  const rows = new CallRows(store);
  await store.alone(async change => {
    const known = await rows.known(change, left);
    const missing = left.filter(({ call_id }) => !known.has(call_id));
    const counts = new CallCounts();
    for (const { agent, server, tool, failed, bytes_out: bytes, ms, outcome, code } of missing) {
      if (countsInStatistics({ outcome, code: code ?? undefined }))
        counts.add({ agent, server, tool }, { failed: failed === 1, bytes, ms });
    }
    await rows.add(change, missing, counts.sorted());
  });
}
