/**
 * Locks that every hub of a database sees. One connection of this hub holds them all: when the hub is gone, however it
 * ended, PostgreSQL sets them free. Between uses there is no such connection.
 */

import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { JunctorError } from '@junctor/core';
import { sentenceOf } from '@junctor/core/internal';
import type { PoolClient } from 'pg';
import type { PostgresPool } from './postgres-pool.ts';
import type { Locks } from './store.ts';

/** The first of the two numbers of such a lock: others than those of presence, and of other programs. */
const CLASS = 7718;

/**
 * A hub that stands still while it holds a lock loses it with its connection, after longer than anything takes that is done
 * under one. PostgreSQL before 14 cannot do that.
 */
const STANDSTILL = `
  select set_config('idle_session_timeout', '90s', false) from pg_settings where name = 'idle_session_timeout'`;

export class PostgresLocks implements Locks {
  readonly #pool: PostgresPool;
  #connection: Promise<PoolClient> | undefined;
  #users = 0;
  /** Who waits here for the same lock: to PostgreSQL all of us are one. */
  readonly #queues = new Map<number, Promise<unknown>>();

  constructor(pool: PostgresPool) {
    this.#pool = pool;
  }

  async holding<Answer>(name: string, patienceMs: number, work: () => Promise<Answer>): Promise<Answer> {
    const key = hash('sha256', name, 'buffer').readInt32BE();
    const turn = (this.#queues.get(key) ?? Promise.resolve()).then(() => this.#held(name, key, patienceMs, work));
    const settled = turn.then(
      () => {},
      () => {},
    );
    this.#queues.set(key, settled);
    void settled.then(() => this.#queues.get(key) === settled && this.#queues.delete(key));
    return turn;
  }

  async #held<Answer>(name: string, key: number, patienceMs: number, work: () => Promise<Answer>): Promise<Answer> {
    this.#users++;
    try {
      const client = await this.#acquire(name, key, patienceMs);
      try {
        return await work();
      } finally {
        // Where this fails the connection is gone, and the lock with it.
        await client.query('select pg_advisory_unlock($1, $2)', [CLASS, key]).catch(() => {});
      }
    } finally {
      if (--this.#users === 0) await this.#letGo();
    }
  }

  /** Asks again and again: one who waits inside PostgreSQL would keep all other locks of this connection waiting. */
  async #acquire(name: string, key: number, patienceMs: number): Promise<PoolClient> {
    const giveUpAt = Date.now() + patienceMs;
    for (;;) {
      const client = await this.#tryHold(key);
      if (client) return client;
      if (Date.now() > giveUpAt) {
        throw new JunctorError('config_conflict', `Another hub has been busy with '${name}' for too long.`, {
          why: `it held its lock in the database for more than ${Math.round(patienceMs / 1000)} s`,
          hint: 'try again; if that repeats, see what the other hubs on this database are doing',
        });
      }
      await sleep(20 + Math.random() * 40);
    }
  }

  async #tryHold(key: number): Promise<PoolClient | undefined> {
    try {
      this.#connection ??= this.#connect();
      const client = await this.#connection;
      const { rows } = await client.query('select pg_try_advisory_lock($1, $2) as held', [CLASS, key]);
      return rows[0].held ? client : undefined;
    } catch (error) {
      await this.#letGo();
      throw new JunctorError('database_failed', 'The lock of the hubs in their database cannot be taken.', {
        why: sentenceOf(error),
        hint: 'see whether the database answers, then try again',
        cause: error,
      });
    }
  }

  async #connect(): Promise<PoolClient> {
    const client = await this.#pool.connect();
    await client.query(STANDSTILL);
    return client;
  }

  async #letGo(): Promise<void> {
    const connection = this.#connection;
    this.#connection = undefined;
    // Never back into the pool: whatever it may still hold ends with it.
    await connection?.then(
      client => client.release(true),
      () => {},
    );
  }
}
