/** The sign-ins of all hubs on one database, sealed. A refresh token is spent by whoever holds its lock, and by nobody else. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isJunctorError, JunctorError, type TokenEntry, type TokenShelf } from '@junctor/core';
import { RENEWAL_PATIENCE_MS } from '@junctor/core/internal';
import type { Seal } from './seal.ts';
import type { Change, Database, Locks, Store } from './store.ts';

/** As long as a PostgreSQL takes to start again, or another to take its place. */
const AWAY_MS = 30_000;
const AGAIN_MS = 100;

export class SignInRows implements TokenShelf {
  readonly #store: Store;
  readonly #locks: Locks;
  readonly #seal: Seal;

  constructor(store: Store, locks: Locks, seal: Seal) {
    this.#store = store;
    this.#locks = locks;
    this.#seal = seal;
  }

  /** Those that this hub can open. */
  entries(): Promise<ReadonlyMap<string, TokenEntry>> {
    return this.#attempt('read', async () => {
      const entries = new Map<string, TokenEntry>();
      const names = await this.#store.db.selectFrom('sign_ins').select('name').orderBy('name').execute();
      for (const { name } of names) {
        const entry = await this.#read(this.#store.db, name).catch(error => {
          if (!isJunctorError(error, 'secret_unreadable')) throw error;
        });
        if (entry) entries.set(name, entry);
      }
      return entries;
    });
  }

  get(name: string): Promise<TokenEntry | undefined> {
    return this.#attempt('read', () => this.#read(this.#store.db, name));
  }

  async change(
    name: string,
    edit: (entry: TokenEntry | undefined) => TokenEntry | undefined,
  ): Promise<TokenEntry | undefined> {
    let changed = false;
    const work = (): Promise<TokenEntry | undefined> =>
      this.#store.alone(async change => {
        const old = await this.#read(change, name);
        const next = edit(old);
        changed ||= next !== old;
        if (next !== old) await this.#write(change, name, next);
        return next;
      });
    const entry = await this.#insistently(() => this.#attempt('kept', work));
    // A hub that cannot be told now reads the rows when it needs them.
    if (changed) await this.#store.announce('sign-ins').catch(() => {});
    return entry;
  }

  exclusively<T>(name: string, work: () => Promise<T>): Promise<T> {
    return this.#locks.holding(`sign-in ${name}`, RENEWAL_PATIENCE_MS, work);
  }

  /** Seals anew what was sealed with a key of one machine, once there is one for all; throws where it cannot be opened. */
  async renewSeals(): Promise<void> {
    const rows = await this.#store.db
      .selectFrom('sign_ins')
      .innerJoin('sealing_keys', 'sealing_keys.id', 'sign_ins.sealing_key')
      .select(['sign_ins.name', 'sealing_keys.kind'])
      .execute();
    for (const { name, kind } of rows) {
      const entry = await this.get(name);
      if (entry && (await this.#seal.isOutdated(kind))) await this.change(name, old => old && { ...old });
    }
  }

  async #read(db: Database | Change, name: string): Promise<TokenEntry | undefined> {
    const row = await db.selectFrom('sign_ins').selectAll().where('name', '=', name).executeTakeFirst();
    return row && (JSON.parse(await this.#seal.open(db, boundTo(name), row)) as TokenEntry);
  }

  async #write(change: Change, name: string, entry: TokenEntry | undefined): Promise<void> {
    await change.deleteFrom('sign_ins').where('name', '=', name).execute();
    if (!entry) return;
    const sealed = await this.#seal.close(change, boundTo(name), JSON.stringify(entry));
    await change
      .insertInto('sign_ins')
      .values({ name, ...sealed, updated: Date.now() })
      .execute();
  }

  /** What is to be kept is often there once: a refresh token was spent for it. So a database that is away is waited for. */
  async #insistently<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    const giveUpAt = performance.now() + AWAY_MS;
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!isJunctorError(error, 'database_failed') || performance.now() > giveUpAt) throw error;
        await sleep(AGAIN_MS);
      }
    }
  }

  async #attempt<Answer>(verb: 'read' | 'kept', work: () => Promise<Answer>): Promise<Answer> {
    try {
      return await work();
    } catch (error) {
      if (isJunctorError(error)) throw error;
      throw new JunctorError('database_failed', `Sign-ins cannot be ${verb}.`, {
        why: `the database ${this.#store.place} does not answer: ${error instanceof Error ? error.message : error}`,
        hint: 'see whether the database answers, then try again',
        cause: error,
      });
    }
  }
}

function boundTo(name: string): string {
  return `Sign-in '${name}'`;
}
