/** Tools that go by their own names at the hub: naming strategy `auto`. */
import { writeFile } from 'node:fs/promises';
import { junctor, makeHome, promise, startHub, trusted } from '@junctor/testkit';
import { expect } from 'vitest';
import { hostListing, listing, tool } from '../tools/listing.ts';
import { rest } from './rest-client.ts';
import { RawClient } from './rpc.ts';
import { settled } from './settled.ts';

promise(['10.5a', '10.5b'], 'an agent sees bare names, and each leads to its tool', async () => {
  await using home = await makeHome();
  const servers: Record<string, object> = {
    files: trusted(await listing(home, 'files', [tool('read'), tool('write'), tool('web_get')])),
    web: trusted(await listing(home, 'web', [tool('read'), tool('fetch')])),
  };
  const naming = { strategy: 'auto' };
  await using hub = await startHub(home, { version: 1, servers, naming });
  await settled(hub);
  const client = await RawClient.open(hub, '/mcp/codex');
  const listed = async () => {
    const [answer] = await client.messages({ id: 1, method: 'tools/list' });
    return ((answer?.result ?? { tools: [] }) as { tools: { name: string }[] }).tools.map(({ name }) => name);
  };
  // web_get of files could be a tool of the server web.
  const first = ['fetch', 'files_read', 'files_web_get', 'web_read', 'write'];
  await expect.poll(listed).toEqual(first);
  const said = async (name: string) => {
    const answer = (await client.call(2, name, {})).at(-1);
    return ((answer?.result as { content?: { text: string }[] })?.content ?? [])[0]?.text ?? answer?.error;
  };
  for (const [name, own] of Object.entries({
    fetch: 'fetch',
    write: 'write',
    files_read: 'read',
    files_web_get: 'web_get',
  }))
    expect([name, await said(name)]).toEqual([name, expect.stringContaining(`["${own}",{}]`)]);
  expect(await said('read')).toMatchObject({ code: -32602 });
  const { tools } = (await rest(hub, '/api/tools')).body as { tools: { name: string; server: string }[] };
  expect(tools.map(({ name }) => name)).toEqual(first);
  const words = ['explain', 'files/write', '--agent', 'codex', '--hub', '--json', '--data', home.data];
  expect(JSON.parse((await junctor(home, words)).stdout)).toMatchObject({ name: 'write' });

  // A server that comes later takes nobody's name.
  servers.late = trusted(await listing(home, 'late', [tool('write'), tool('late_only')]));
  await writeFile(`${home.path}/hub.json`, JSON.stringify({ version: 1, servers, naming }));
  await expect.poll(listed).toEqual([...first, 'late_only', 'late_write'].sort());
  expect(await said('write')).toContain('["write",{}]');
});

promise('10.5a', 'a program calls a tool by its bare name, and by the longer one', async () => {
  await using home = await makeHome();
  const lists = { fs: [tool('read'), tool('write')], other: [tool('read')] };
  const idle = (host: Awaited<ReturnType<typeof hostListing>>): string[] =>
    host.status().flatMap(({ id, state }) => (state === 'idle' ? [id] : []));
  const config = { naming: { strategy: 'auto' } };
  {
    await using host = await hostListing(home, lists, { config });
    expect((await host.tools()).map(({ name }) => name)).toEqual(['fs_read', 'other_read', 'write']);
    expect((await host.call('write')).output).toBe('["write",{}]');
    await expect(host.call('read')).rejects.toMatchObject({ code: 'tool_not_found' });
  }
  // Nothing has been listed in this run: what an earlier one knew says whose it is.
  await using host = await hostListing(home, lists, { config });
  expect((await host.call('write')).output).toBe('["write",{}]');
  expect(idle(host)).toEqual(['other']);
  expect((await host.call('fs_write')).output).toBe('["write",{}]');
});
