/**
 * Finds calls among hundreds of thousands. SQLite answers in the thread that relays calls: what has to be looked at row by
 * row is looked at in steps, newest first, and calls pass between them.
 */
import { setImmediate as breathe } from 'node:timers/promises';
import { quantile } from '@junctor/core/internal';
import { type SelectQueryBuilder, sql } from 'kysely';
import type { Store } from './store.ts';
import type { CallRow, Tables } from './tables.ts';

export interface CallFilter {
  readonly agent?: string | undefined;
  /** The folder of a project. */
  readonly project?: string | undefined;
  readonly session?: string | undefined;
  readonly server?: string | undefined;
  readonly tool?: string | undefined;
  readonly outcome?: string | undefined;
  readonly failed?: boolean | undefined;
  /** In any of its words: who, what, why, and its arguments. */
  readonly text?: string | undefined;
  /** Milliseconds. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  /** Only those before this one: how a reader turns the page. */
  readonly before?: number | undefined;
}

export type StoredCall = CallRow & { readonly seq: number };

/** What calls of a while came to. */
export interface CallSums {
  readonly calls: number;
  readonly errors: number;
  readonly p50_ms: number | null;
  readonly p95_ms: number | null;
}

export interface CallSummary {
  readonly since: number;
  readonly until: number;
  readonly all: CallSums;
  /** One for each part of that time, oldest first. */
  readonly parts: readonly (CallSums & { readonly since: number })[];
}

/** Looked at in one go: some milliseconds. More, and a call that comes meanwhile waits longer. */
const STEP = 5000;

/** As classes of durations are made; the same in both databases. */
const CLASS = sql<number>`cast(round(ln(case when ms < 0.01 then 0.01 else ms end) / ln(1.1)) as integer)`;

export class CallSearch {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Newest first. */
  async list(filter: CallFilter, limit: number): Promise<StoredCall[]> {
    const found: StoredCall[] = [];
    for await (const step of this.#steps(filter)) {
      const rows = step.selectAll().orderBy('seq', 'desc');
      found.push(...(await rows.limit(limit - found.length).execute()));
      if (found.length >= limit) break;
    }
    return found;
  }

  /** How many calls, how many failed and how long they took, in each of so many equal parts of the time. */
  async summary(filter: CallFilter, parts: number): Promise<CallSummary> {
    const { since = await this.#oldest(), until = Date.now() + 1 } = filter;
    const width = Math.max(1, Math.ceil((until - since) / parts));
    const counts = Array.from({ length: parts }, () => new Counts());
    const all = new Counts();
    for await (const step of this.#steps({ ...filter, since, until })) {
      const rows = step.select([sql<number>`cast((started - ${since}) / ${width} as integer)`.as('part'), 'failed']);
      const sums = await this.#store.db
        .selectFrom(rows.select(CLASS.as('class')).as('one'))
        .select(({ fn }) => ['part', 'class', fn.countAll().as('calls'), fn.sum('failed').as('errors')])
        .groupBy(['part', 'class'])
        .execute();
      for (const { part, ...sum } of sums) {
        all.add(sum);
        counts[part]?.add(sum);
      }
    }
    const shown = counts.map((count, part) => ({ since: since + part * width, ...count.sums() }));
    return { since, until, all: all.sums(), parts: shown };
  }

  async *#steps(filter: CallFilter): AsyncGenerator<SelectQueryBuilder<Tables, 'calls', object>> {
    const { since, until, before, failed, text } = filter;
    let query = this.#store.db.selectFrom('calls');
    let bounds = query.select(({ fn }) => [fn.min('seq').as('first'), fn.max('seq').as('last')]);
    for (const column of ['agent', 'project', 'session', 'server', 'tool', 'outcome'] as const) {
      const wanted = filter[column];
      if (wanted !== undefined) query = query.where(column, '=', wanted);
    }
    if (since !== undefined)
      [query, bounds] = [query.where('started', '>=', since), bounds.where('started', '>=', since)];
    if (until !== undefined)
      [query, bounds] = [query.where('started', '<', until), bounds.where('started', '<', until)];
    if (failed !== undefined) query = query.where('failed', '=', failed ? 1 : 0);
    if (text !== undefined && text !== '') {
      const lower = this.#store.lowerFor(text);
      query = query.where(sql<boolean>`${lower}(${WORDS}) like ${lower}(${like(text)}) escape '\\'`);
    }
    if (this.#store.kind === 'postgres') {
      // It looks elsewhere than in our thread.
      yield before === undefined ? query : query.where('seq', '<', before);
      return;
    }
    const { first, last } = await bounds.executeTakeFirstOrThrow();
    if (first === null || last === null) return;
    for (let end = Math.min(before ?? last + 1, last + 1); end > first; end -= STEP) {
      yield query.where('seq', '<', end).where('seq', '>=', end - STEP);
      await breathe();
    }
  }

  async #oldest(): Promise<number> {
    const row = await this.#store.db.selectFrom('calls').select('started').orderBy('started').limit(1).execute();
    return row[0]?.started ?? Date.now();
  }
}

class Counts {
  #calls = 0;
  #errors = 0;
  readonly #durations: Record<string, number> = {};

  add(sum: { readonly class: number; readonly calls: unknown; readonly errors: unknown }): void {
    const calls = Number(sum.calls);
    this.#calls += calls;
    this.#errors += Number(sum.errors);
    this.#durations[sum.class] = (this.#durations[sum.class] ?? 0) + calls;
  }

  sums(): CallSums {
    const [p50, p95] = [quantile(this.#durations, 0.5), quantile(this.#durations, 0.95)];
    return { calls: this.#calls, errors: this.#errors, p50_ms: p50 ?? null, p95_ms: p95 ?? null };
  }
}

/** A line between them: no word is found across two. */
const WORDS = sql`agent || '\n' || person || '\n' || server || '\n' || tool || '\n' || because || '\n' || coalesce(code, '') || '\n' || coalesce(arguments, '')`;

function like(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}
