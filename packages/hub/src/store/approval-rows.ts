/** Questions whether a call may run, and what became of them. */
import type { Store } from './store.ts';
import type { ApprovalRow } from './tables.ts';

export interface ApprovalFilter {
  readonly agent?: string | undefined;
  readonly limit: number;
}

export class ApprovalRows {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  async asked(row: ApprovalRow): Promise<void> {
    await this.#store.db
      .insertInto('approvals')
      .values(row)
      .onConflict(conflict => conflict.column('id').doNothing())
      .execute();
  }

  async answered(id: string, outcome: string): Promise<void> {
    const said = { outcome, answered: Date.now() };
    await this.#store.db.updateTable('approvals').set(said).where('id', '=', id).where('outcome', 'is', null).execute();
  }

  find(id: string): Promise<ApprovalRow | undefined> {
    return this.#store.db.selectFrom('approvals').selectAll().where('id', '=', id).executeTakeFirst();
  }

  /** Newest first. */
  list({ agent, limit }: ApprovalFilter): Promise<ApprovalRow[]> {
    let query = this.#store.db.selectFrom('approvals').selectAll();
    if (agent !== undefined) query = query.where('agent', '=', agent);
    return query.orderBy('asked', 'desc').limit(limit).execute();
  }

  /** Questions end with the hub that asked them. */
  async withdrawAll(hub: string): Promise<void> {
    const said = { outcome: 'withdrawn', answered: Date.now() };
    const open = this.#store.db.updateTable('approvals').set(said).where('outcome', 'is', null);
    await open.where('hub', '=', hub).execute();
  }

  async forgetBefore(moment: number): Promise<void> {
    await this.#store.db.deleteFrom('approvals').where('asked', '<', moment).execute();
  }
}
