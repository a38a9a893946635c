import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { DatabaseSync } from 'node:sqlite';
import { makeHome, promise, testServer, trusted } from '@junctor/testkit';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type HubHere, startHubHere } from './hub-here.ts';
import { rest } from './rest-client.ts';
import { settled } from './settled.ts';

const CALLS = 200;

/** Sends so many calls in one go over one connection, and waits for all answers. */
async function burst(hub: HubHere): Promise<void> {
  await settled(hub);
  const socket = new WebSocket(`${hub.url.replace('http', 'ws')}/ws/codex`, {
    headers: { authorization: `Bearer ${hub.token}` },
  });
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  const answered = new Set<unknown>();
  const { promise: all, resolve: onAll } = Promise.withResolvers<void>();
  const greeted = Promise.withResolvers<void>();
  socket.on('message', data => {
    const { id } = JSON.parse(String(data)) as { id?: unknown };
    if (id === 'hello') greeted.resolve();
    else if (id !== undefined && answered.add(id).size === CALLS) onAll();
  });
  const say = (message: object): void => socket.send(JSON.stringify({ jsonrpc: '2.0', ...message }));
  const clientInfo = { name: 'burst', version: '1' };
  say({ id: 'hello', method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } });
  await greeted.promise;
  for (let id = 1; id <= CALLS; id++)
    say({ id, method: 'tools/call', params: { name: 'demo_echo', arguments: { text: 'x' } } });
  await all;
  socket.terminate();
}

promise('9.8b', 'the journal takes one write per tick, however many calls start in it', async () => {
  await using home = await makeHome();
  const path = await home.write('hub.json', { servers: { demo: trusted(testServer()) } });
  await using hub = await startHubHere(home, { path, isolated: true });
  // Looked at from outside: every write that tells of calls which begin, and the turn of the event loop it is made in.
  const writes: { readonly begun: number; readonly turn: number }[] = [];
  let turn = 0;
  let counting = true;
  const count = (): void => {
    turn++;
    if (counting) setImmediate(count);
  };
  const { writeSync } = fs;
  fs.writeSync = ((...args: Parameters<typeof writeSync>) => {
    const begun = String(args[1]).match(/^\["begun"/gm)?.length ?? 0;
    if (begun > 0) writes.push({ begun, turn });
    return writeSync(...args);
  }) as typeof writeSync;
  syncBuiltinESMExports();
  try {
    setImmediate(count);
    await burst(hub);
  } finally {
    counting = false;
    fs.writeSync = writeSync;
    syncBuiltinESMExports();
  }
  expect(writes.reduce((sum, { begun }) => sum + begun, 0)).toBe(CALLS);
  expect(new Set(writes.map(one => one.turn)).size).toBe(writes.length);
  expect(writes.length).toBeLessThan(CALLS / 2);
});

promise('9.8d', 'the database is filled in batches, and then the journal is empty', async () => {
  await using home = await makeHome();
  const path = await home.write('hub.json', { servers: { demo: trusted(testServer()) } });
  await using hub = await startHubHere(home, { path, isolated: true });
  const journal = `${home.data}/journal/calls.journal`;
  await burst(hub);
  await expect.poll(() => fs.readFileSync(journal, 'utf8')).toBe('');
  expect((await rest(hub, '/api/calls?limit=1000')).body.calls).toHaveLength(CALLS);
  // Calls of one batch were written in one transaction: the log of the database holds far fewer commits than calls.
  using database = new DatabaseSync(`${home.data}/hub.db`, { readOnly: true });
  expect(database.prepare('select count(*) as calls from calls').get()).toEqual({ calls: CALLS });
  expect(commitsOf(`${home.data}/hub.db-wal`)).toBeLessThan(CALLS / 2);
});

test('a call in the journal of an earlier version gets its outcome', async () => {
  await using home = await makeHome();
  const about = ['person', 'codex', 'a-session', 'demo', 'slow', 'allow', true, '', 'agent-endpoint'];
  const old = await home.write(
    'data/calls.journal',
    `${JSON.stringify(['begun', 'earlier-1', 1_700_000_000_000, ...about])}\n`,
  );
  const path = await home.write('hub.json', { servers: {} });
  await using hub = await startHubHere(home, { path, isolated: true });
  const { calls } = (await rest(hub, '/api/calls')).body;
  expect(calls).toMatchObject([{ call_id: 'earlier-1', server: 'demo', tool: 'slow', outcome: 'unknown' }]);
  expect(fs.existsSync(old)).toBe(false);
});

/** Frames of a write-ahead log that end a transaction: theirs is the only header that names the size of the database. */
function commitsOf(file: string): number {
  const log = fs.readFileSync(file);
  const pageBytes = log.readUInt32BE(8);
  let commits = 0;
  for (let at = 32; at + 24 <= log.length; at += 24 + pageBytes) if (log.readUInt32BE(at + 4) > 0) commits++;
  return commits;
}
