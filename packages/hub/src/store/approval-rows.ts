/** Questions whether a call may run, and what became of them. */
import type { Change, Store } from './store.ts';
import type { ApprovalRow } from './tables.ts';

export interface ApprovalFilter {
  readonly agent?: string | undefined;
  readonly limit: number;
}

export interface AnsweredRow {
  readonly outcome: string;
  readonly by?: string | null | undefined;
  readonly note?: string | null | undefined;
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

  async answered(id: string, { outcome, by = null, note = null }: AnsweredRow): Promise<void> {
    const said = { outcome, answered: Date.now(), answered_by: by, note, said: null, readable: null };
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

  /** Questions whose calls wait at other hubs on this database, oldest first. One that ran out of time has lost its hub. */
  openElsewhere(hub: string): Promise<ApprovalRow[]> {
    const open = this.#store.db.selectFrom('approvals').selectAll().where('outcome', 'is', null);
    const alive = open.where(({ or, eb }) => or([eb('expires', 'is', null), eb('expires', '>', Date.now())]));
    return alive.where('hub', '<>', hub).orderBy('asked').execute();
  }

  /** Leaves an answer for the hub where the call waits. False where another came first. */
  async say(id: string, answer: string): Promise<boolean> {
    const open = this.#store.db.updateTable('approvals').set({ said: answer }).where('id', '=', id);
    const { numUpdatedRows } = await open
      .where('outcome', 'is', null)
      .where('said', 'is', null)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) return false;
    await this.#store.announce('approvals');
    return true;
  }

  /** What was said at other hubs about questions of this one. */
  saidTo(hub: string): Promise<ApprovalRow[]> {
    const open = this.#store.db.selectFrom('approvals').selectAll().where('outcome', 'is', null);
    return open.where('hub', '=', hub).where('said', 'is not', null).execute();
  }

  /** An answer that makes no sense is as none. */
  async unsay(id: string): Promise<void> {
    await this.#store.db.updateTable('approvals').set({ said: null }).where('id', '=', id).execute();
  }

  /** Questions end with the hub that asked them. */
  async withdrawAll(hub: string): Promise<void> {
    const said = { outcome: 'withdrawn', answered: Date.now(), readable: null };
    const open = this.#store.db.updateTable('approvals').set(said).where('outcome', 'is', null);
    await open.where('hub', '=', hub).execute();
  }

  /** Questions whose hub is gone; nobody waits for an answer any more. */
  async expireAll(change: Change, hub: string, note: string): Promise<ApprovalRow[]> {
    const said = { outcome: 'expired', answered: Date.now(), note, said: null, readable: null };
    const open = change.updateTable('approvals').set(said).where('outcome', 'is', null).where('hub', '=', hub);
    return open.returningAll().execute();
  }

  async forgetBefore(moment: number): Promise<void> {
    await this.#store.db.deleteFrom('approvals').where('asked', '<', moment).execute();
  }
}
