/** What must not go wrong where several hubs stand on one PostgreSQL. */
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { junctor, makeHome, type RunningHub, startHub, testServer, trusted } from '@junctor/testkit';
import { expect, test } from 'vitest';
import { onePostgres } from './one-postgres.ts';
import { rest } from './rest-client.ts';
import { RawClient } from './rpc.ts';

const CONFIG = { version: 1, servers: { demo: trusted(testServer()) } };
const { missing, postgres } = onePostgres();

test.skipIf(missing)('a connection that breaks in the middle of a change fails the change, not the process', () => {
  const program = join(import.meta.dirname, 'broken-change.ts');
  const printed = execFileSync(process.execPath, [program, postgres.create('breaks')], { encoding: 'utf8' });
  expect(printed).toBe('failed\ngoes on\n');
});

test.skipIf(missing)('a token keeps its terms at every hub, and when a hub moves to another database', async () => {
  await using home = await makeHome();
  const tokens = async (hub: RunningHub) => (await rest(hub, '/api/tokens')).body.tokens;
  const body = { agent: 'codex', executor: 'box', session: 'run-1', name: 'mine' };
  const first = postgres.create('first');
  {
    await using hub = await startHub(home, CONFIG, ['--database', first]);
    await rest(hub, '/api/tokens', { method: 'POST', body });
    await using other = await makeHome();
    await using there = await startHub(other, CONFIG, ['--database', first]);
    for (const one of [hub, there]) expect(await tokens(one)).toMatchObject([body]);
  }
  await using hub = await startHub(home, CONFIG, ['--database', postgres.create('second')]);
  expect(await tokens(hub)).toMatchObject([body]);
});

test.skipIf(missing)('a hub does not begin under the name of one that lives', async () => {
  await using home = await makeHome();
  const database = ['--database', postgres.create('namesakes')];
  await using hub = await startHub(home, CONFIG, database);
  const client = await RawClient.open(hub, '/mcp/codex');
  // As on another machine that is called the same: nothing there tells of this one.
  rmSync(join(home.data, 'hub.sock'));
  const config = await home.write('hub.json', CONFIG);
  const second = await junctor(home, ['hub', '--data', home.data, '--port', '0', '--config', config, ...database]);
  expect(second.code).toBe(1);
  expect(second.stderr).toContain('Another hub on this database has the name of this one.');
  const { sessions } = (await rest(hub, '/api/sessions?open=true')).body;
  expect(sessions).toMatchObject([{ id: client.session }]);
});
