/** Sessions, and how far each has come with each server. */
import type { Change, Database, Store } from './store.ts';
import type { AttachmentRow, SessionRow } from './tables.ts';

export interface SessionFilter {
  readonly agent?: string | undefined;
  /** The folder of a project. */
  readonly project?: string | undefined;
  /** Only those that are not over. */
  readonly open?: boolean | undefined;
  readonly limit: number;
}

/** A statement takes only so many values. */
const AT_ONCE = 500;

/** What changed since the last write. */
export interface SessionChanges {
  readonly sessions: readonly SessionRow[];
  readonly attachments: readonly AttachmentRow[];
  /** The ids of those of which nothing is kept. */
  readonly evicted: readonly string[];
}

export class SessionRows {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  async put(change: Change, { sessions, attachments, evicted }: SessionChanges): Promise<void> {
    for (let at = 0; at < evicted.length; at += AT_ONCE) {
      const ids = evicted.slice(at, at + AT_ONCE);
      await change.deleteFrom('attachments').where('session', 'in', ids).execute();
      await change.deleteFrom('sessions').where('id', 'in', ids).execute();
    }
    for (const row of sessions) {
      await change
        .insertInto('sessions')
        .values(row)
        .onConflict(conflict =>
          conflict.column('id').doUpdateSet({ hub: row.hub, seen: row.seen, closed: row.closed, lost: row.lost }),
        )
        .execute();
    }
    for (const row of attachments) {
      const { delivered, initialised, listed, called } = row;
      await change
        .insertInto('attachments')
        .values(row)
        .onConflict(conflict =>
          conflict.columns(['session', 'server']).doUpdateSet({ delivered, initialised, listed, called }),
        )
        .execute();
    }
  }

  /** Newest first. */
  list({ agent, project, open, limit }: SessionFilter): Promise<SessionRow[]> {
    let query = this.#store.db.selectFrom('sessions').selectAll();
    if (agent !== undefined) query = query.where('agent', '=', agent);
    if (project !== undefined) query = query.where('project', '=', project);
    if (open !== undefined) query = query.where('closed', open ? 'is' : 'is not', null);
    return query.orderBy('opened', 'desc').limit(limit).execute();
  }

  async attachments(sessions: readonly string[]): Promise<AttachmentRow[]> {
    if (sessions.length === 0) return [];
    return this.#store.db
      .selectFrom('attachments')
      .selectAll()
      .where('session', 'in', sessions)
      .orderBy('server')
      .execute();
  }

  find(id: string): Promise<SessionRow | undefined> {
    return this.#store.db.selectFrom('sessions').selectAll().where('id', '=', id).executeTakeFirst();
  }

  /** Sessions are lost with the hub that had them, unless another one takes them up. */
  async closeAll(hub: string, db: Database | Change = this.#store.db): Promise<void> {
    await db
      .updateTable('sessions')
      .set({ closed: Date.now(), lost: Date.now() })
      .where('hub', '=', hub)
      .where('closed', 'is', null)
      .execute();
  }

  async forgetBefore(moment: number): Promise<void> {
    const { db } = this.#store;
    const old = db.selectFrom('sessions').select('id').where('seen', '<', moment);
    await db.deleteFrom('attachments').where('session', 'in', old).execute();
    await db.deleteFrom('sessions').where('seen', '<', moment).execute();
  }
}
