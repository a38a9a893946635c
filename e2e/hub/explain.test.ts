import { junctor, makeHome, promise, startHub, testServer, trusted } from '@junctor/testkit';
import { expect } from 'vitest';
import { describedRest, readOpenApi } from './openapi.ts';
import { asPosted, post } from './rest-client.ts';
import { settled } from './settled.ts';

promise(
  ['7.8b', '7.8e', '7.8f'],
  'the hub explains tools and answers pre-flights for each agent, with what was posted for it',
  async () => {
    await using home = await makeHome();
    const servers = { demo: trusted(testServer()), other: testServer() };
    await using hub = await startHub(home, { servers, permissions: { deny: ['mcp__demo__fail'] } });
    await settled(hub);
    const asked = describedRest(await readOpenApi(hub));
    const get = async (path: string) => (await asked(hub, path)).body;
    expect(await get('/api/explain?server=demo&tool=echo&agent=codex')).toMatchObject({
      agent: 'codex',
      name: 'demo_echo',
      offer: { state: 'offered' },
      call: { effect: 'allow', because: "server 'demo' is trusted" },
    });
    expect(await get('/api/explain?server=demo&tool=fail')).toMatchObject({
      call: { effect: 'deny', rule: 'mcp__demo__fail', at: { layer: 'explicit', place: { line: expect.any(Number) } } },
    });
    const { fields } = await get('/api/explain?server=demo');
    expect(fields[0]).toMatchObject({ key: 'transport', layer: 'explicit' });
    expect((await asked(hub, '/api/explain?server=nobody&tool=x')).status).toBe(404);

    const question = '/api/preflight?agent=codex&tools=demo/echo,other_echo,demo/fail';
    expect(await get(question)).toMatchObject({ ok: false, missing: ['demo/fail'], executor: 'local' });
    await post(hub, 'codex', { enabled: true, servers: { demo: asPosted(servers.demo) }, meta: {} });
    await settled(hub, 'codex');
    expect(await get(question)).toMatchObject({ ok: false, missing: ['other_echo', 'demo/fail'] });
    const here = ['preflight', '--hub', '--agent', 'codex', 'demo/echo', 'other_echo', '--json'];
    const told = await junctor(home, here);
    expect([told.code, JSON.parse(told.stdout).missing]).toEqual([1, ['other_echo']]);
    const why = await junctor(home, ['explain', 'demo/echo', '--hub', '--agent', 'codex']);
    expect([why.code, why.stdout.split('\n')[1]]).toEqual([0, expect.stringContaining('offered as demo_echo')]);
    expect(await get('/api/preflight?agent=cursor&tools=other/echo')).toMatchObject({ ok: true, missing: [] });
    expect(await get('/api/preflight?agent=cursor&executor=sandbox&tools=other/echo')).toMatchObject({ ok: true });
  },
);
