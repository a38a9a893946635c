/** How a hub hears, through their database, what others announce; and how they see that it is connected. */
import type { PoolClient } from 'pg';
import type { PostgresPool } from './postgres-pool.ts';
import { PRESENCE, presenceKey } from './presence.ts';

/** Every hub of this database listens on it. */
export const CHANNEL = 'junctor';

const LISTEN_AGAIN_MS = 1000;

export interface Ear {
  /** Names this life of the hub, which does not need to hear itself. */
  readonly id: string;
  close(): void;
}

/** Holds one connection to hear what other hubs announce; one that breaks is opened anew. */
export async function listen(pool: PostgresPool, onWords: (words: string) => void): Promise<Ear> {
  const id = crypto.randomUUID();
  let closed = false;
  let current: PoolClient | undefined;
  let again: NodeJS.Timeout | undefined;
  const open = async (): Promise<void> => {
    const client = await pool.connect();
    if (closed) return client.release(true);
    const lost = (): void => {
      if (current !== client) return;
      current = undefined;
      client.release(true);
      reopen();
    };
    current = client;
    client.on('notification', ({ payload = '' }) => {
      const [from = '', ...words] = payload.split(' ');
      if (from !== id) onWords(words.join(' '));
    });
    client.on('error', lost);
    client.on('end', lost);
    try {
      await client.query(`listen ${CHANNEL}`);
      // Shared, so that a connection that broke and is not yet given up by the database holds nobody up.
      await client.query(`select pg_advisory_lock_shared(${PRESENCE}, ${presenceKey(id)})`);
    } catch (error) {
      lost();
      throw error;
    }
    // What was announced while nobody listened cannot be heard any more: everything may have changed.
    onWords('*');
  };
  const reopen = (): void => {
    if (closed) return;
    clearTimeout(again);
    again = setTimeout(() => open().catch(reopen), LISTEN_AGAIN_MS).unref();
  };
  await open().catch(error => {
    closed = true;
    clearTimeout(again);
    throw error;
  });
  return {
    id,
    close() {
      closed = true;
      clearTimeout(again);
      const client = current;
      current = undefined;
      client?.release(true);
    },
  };
}
