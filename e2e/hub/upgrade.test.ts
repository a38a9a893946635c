/** A database outlives the version that made it. */
import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { junctor, makeHome, startHub } from '@junctor/testkit';
import { expect, test } from 'vitest';
import { configOf, rest } from './rest-client.ts';

const OLDER = readFileSync(join(import.meta.dirname, 'older-database.sql'), 'utf8');

test('a hub goes on with the database of an older one, and an older one leaves that of a newer alone', async () => {
  await using home = await makeHome();
  await mkdir(home.data, { recursive: true });
  const file = join(home.data, 'hub.db');
  {
    using database = new DatabaseSync(file);
    database.exec(OLDER);
    // Calls are forgotten after a month.
    database.prepare('update calls set started = ?').run(Date.now());
  }
  {
    await using hub = await startHub(home, { servers: {} });
    expect((await configOf(hub, 'codex')).body.servers).toEqual({
      mine: { type: 'stdio', command: 'mine-server', args: [] },
    });
    expect((await rest(hub, '/api/executors/k8s')).body.stored).toEqual({ allow_sse: false });
    expect((await rest(hub, '/api/calls')).body.calls).toMatchObject([
      { server: 'demo', tool: 'echo', outcome: 'done' },
    ]);
    expect((await rest(hub, '/api/stats')).body.tools).toMatchObject([{ server: 'demo', tool: 'echo', calls: 1 }]);
  }
  {
    using database = new DatabaseSync(file);
    database.exec(`insert into migrations (name, at) values ('9999-tomorrow', 0)`);
  }
  const { code, stderr } = await junctor(home, ['hub', '--data', home.data, '--port', '0']);
  expect([code, stderr.split('\n').slice(0, 2)]).toEqual([
    1,
    [
      `error: The hub's database ${file} belongs to a newer version of Junctor. (database_failed)`,
      expect.stringContaining("does not know the step '9999-tomorrow'"),
    ],
  ]);
});
