import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeHome, startHub, testServer, trusted } from '@junctor/testkit';
import { expect, test } from 'vitest';
import { rest } from './rest-client.ts';
import { RawClient } from './rpc.ts';

test('a server that was removed is no instance any more, whoever used it', async () => {
  await using home = await makeHome();
  const servers = {
    stays: trusted(testServer()),
    own: trusted(testServer()),
    shared: { ...trusted(testServer()), mode: 'shared' },
  };
  await using hub = await startHub(home, { version: 1, servers });
  const client = await RawClient.open(hub, '/mcp/codex');
  for (const name of ['own_pid', 'shared_pid', 'stays_pid']) await client.call(name, name, {});
  const listed = async () =>
    [
      ...new Set((await rest(hub, '/api/instances')).body.instances.map((one: { server: string }) => one.server)),
    ].sort();
  expect(await listed()).toEqual(['own', 'shared', 'stays']);
  await writeFile(join(home.path, 'hub.json'), JSON.stringify({ version: 1, servers: { stays: servers.stays } }));
  await expect.poll(listed).toEqual(['stays']);
});
