/** Calls that are over, and what they came to by tool. */
import { type CountedTool, quantile, toolKey } from '@junctor/core/internal';
import { type CompiledQuery, type Insertable, sql } from 'kysely';

import type { Change, Store } from './store.ts';
import type { CallRow, Tables } from './tables.ts';

export interface ToolStatistics {
  readonly server: string;
  readonly tool: string;
  readonly calls: number;
  readonly errors: number;
  readonly p50_ms: number | null;
  readonly p95_ms: number | null;
  readonly bytes: number;
  readonly last_used: number;
}

export class CallRows {
  readonly #store: Store;
  /** Statements that count, by what they are about. */
  readonly #worded = new Map<string, CompiledQuery>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Everything of one batch, or nothing of it. One that is there already changes nothing: nobody heard that it was written. */
  async add(change: Change, calls: readonly CallRow[], counts: readonly CountedTool[]): Promise<void> {
    if (calls.length > 0 && (await this.#store.addAll(change, 'calls', calls)) === 0) return;
    for (const counted of counts) await this.#count(change, counted);
  }

  /** Which of these are there already. */
  async known(change: Change, calls: readonly CallRow[]): Promise<ReadonlySet<string>> {
    const earliest = Math.min(...calls.map(({ started }) => started));
    const rows = await change.selectFrom('calls').select('call_id').where('started', '>=', earliest).execute();
    return new Set(rows.map(({ call_id }) => call_id));
  }

  /** What calls came to, by server and tool; of one agent, where it is named. */
  async statistics(
    filter: {
      readonly agent?: string | undefined;
      readonly server?: string | undefined;
      readonly by?: 'agents' | undefined;
    } = {},
  ): Promise<ToolStatistics[]> {
    const { agent, server, by } = filter;
    let sums = this.#store.db
      .selectFrom('tool_statistics')
      .select(({ fn }) => [
        'server',
        'tool',
        fn.sum<number>('calls').as('calls'),
        fn.sum<number>('errors').as('errors'),
        fn.sum<number>('bytes').as('bytes'),
        fn.max('last_used').as('last_used'),
      ])
      .groupBy(['server', 'tool'])
      .orderBy('server')
      .orderBy('tool');
    let classes = this.#store.db
      .selectFrom('tool_durations')
      .select(({ fn }) => ['server', 'tool', 'class', fn.sum<number>('count').as('count')])
      .groupBy(['server', 'tool', 'class']);
    if (agent !== undefined) [sums, classes] = [sums.where('agent', '=', agent), classes.where('agent', '=', agent)];
    if (by !== undefined) [sums, classes] = [sums.where('agent', '!=', ''), classes.where('agent', '!=', '')];
    if (server !== undefined)
      [sums, classes] = [sums.where('server', '=', server), classes.where('server', '=', server)];
    const durations = new Map<string, Record<string, number>>();
    for (const row of await classes.execute()) {
      const key = toolKey(row);
      durations.set(key, { ...durations.get(key), [row.class]: Number(row.count) });
    }
    return (await sums.execute()).map(row => {
      const took = durations.get(toolKey(row)) ?? {};
      return {
        server: row.server,
        tool: row.tool,
        calls: Number(row.calls),
        errors: Number(row.errors),
        p50_ms: quantile(took, 0.5) ?? null,
        p95_ms: quantile(took, 0.95) ?? null,
        bytes: Number(row.bytes),
        last_used: row.last_used,
      };
    });
  }

  /** Forgets calls that began before this moment. Statistics stay. */
  async forgetBefore(moment: number): Promise<void> {
    await this.#store.db.deleteFrom('calls').where('started', '<', moment).execute();
  }

  async #count(
    change: Change,
    { agent, server, tool, calls, errors, bytes, lastUsed, durations }: CountedTool,
  ): Promise<void> {
    const sums = { agent, server, tool, calls, errors, bytes, last_used: lastUsed };
    const classes = [...durations].sort(([one], [other]) => one - other);
    const rows = classes.map(([at, count]) => ({ agent, server, tool, class: at, count }));
    await this.#put(change, 'sums', [sums], () => addSums(change, sums).compile());
    await this.#put(change, `durations ${rows.length}`, rows, () => addDurations(change, rows).compile());
  }

  /** A statement is worded once: that costs more than to run it, and the hub counts several times a second. */
  async #put(change: Change, name: string, rows: readonly object[], word: () => CompiledQuery): Promise<void> {
    const known = this.#worded.get(name) ?? word();
    this.#worded.set(name, known);
    await change.executeQuery({ ...known, parameters: rows.flatMap(row => Object.values(row)) });
  }
}

function addSums(change: Change, sums: Insertable<Tables['tool_statistics']>) {
  return change
    .insertInto('tool_statistics')
    .values(sums)
    .onConflict(conflict =>
      conflict.columns(['agent', 'server', 'tool']).doUpdateSet({
        calls: sql`tool_statistics.calls + excluded.calls`,
        errors: sql`tool_statistics.errors + excluded.errors`,
        bytes: sql`tool_statistics.bytes + excluded.bytes`,
        last_used: sql`excluded.last_used`,
      }),
    );
}

function addDurations(change: Change, rows: readonly Insertable<Tables['tool_durations']>[]) {
  return change
    .insertInto('tool_durations')
    .values(rows)
    .onConflict(conflict =>
      conflict
        .columns(['agent', 'server', 'tool', 'class'])
        .doUpdateSet({ count: sql`tool_durations.count + excluded.count` }),
    );
}
