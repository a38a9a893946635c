/** A program that changes something in a PostgreSQL which breaks its connection between two statements of the change. */
import { setTimeout as sleep } from 'node:timers/promises';
import { openStore } from '../../packages/hub/src/store/open-store.ts';

const store = await openStore({ dataDirectory: '', database: process.argv[2] });
const change = store.alone(async change => {
  const own = change.selectNoFrom(({ fn }) => fn<number>('pg_backend_pid').as('pid'));
  const { pid } = await own.executeTakeFirstOrThrow();
  await store.db.selectNoFrom(({ fn, val }) => fn('pg_terminate_backend', [val(pid), val(5000)]).as('ended')).execute();
  // Until this side has noticed.
  await sleep(100);
  await own.execute();
});
const outcome = await change.then(
  () => 'done',
  () => 'failed',
);
console.log(outcome);
await store.alone(async () => console.log('goes on'));
await store.close();
