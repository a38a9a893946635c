import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { junctor, makeHome, promise, startHubIn, testServer, trusted } from '@junctor/testkit';
import { startAuthority } from '@junctor/testkit/authority';
import { describe, expect } from 'vitest';
import { clientIn, makeProject, registeredIn } from './in-project.ts';
import { rest } from './rest-client.ts';

const DEMO = trusted(testServer());

describe('REST about one project', () => {
  promise('5.10p', 'is asked with its id: one server, agents, resolution, layers, lock, a call by hand', async () => {
    await using home = await makeHome();
    const one = await makeProject(home, 'one', { alpha: DEMO });
    const two = await makeProject(home, 'two', { beta: DEMO });
    expect(await junctor(home, ['lock'], { cwd: two })).toMatchObject({ code: 0 });
    await using hub = await startHubIn(home, one);
    const at = `project=${await registeredIn(hub, two)}`;
    // Each path once for the project and once for what the hub itself serves.
    const both = async (path: string, join = '?') => [
      (await rest(hub, `${path}${join}${at}`)).body,
      (await rest(hub, path)).body,
    ];
    expect((await both('/api/servers/beta')).map(({ id, error }) => id ?? error.code)).toEqual(['beta', 'not_found']);
    const resolved = await both('/api/resolve?agent=codex', '&');
    expect(resolved.map(({ servers }) => servers.map(({ name }: { name: string }) => name))).toEqual([
      ['beta'],
      ['alpha'],
    ]);
    const agents = await both('/api/agents/codex');
    expect(agents.map(({ servers, config }) => [servers, Object.keys(config.servers)])).toEqual([
      [['beta'], ['beta']],
      [['alpha'], ['alpha']],
    ]);
    expect(agents[0].door).toBe(`/mcp/codex/w/${at.slice('project='.length)}`);
    const rows = await both('/api/agents');
    expect(rows.map(({ agents: all }) => all[0].servers)).toEqual([['beta'], ['alpha']]);
    const feasible = await both('/api/feasibility/codex');
    expect(feasible.map(({ servers }) => servers.map(({ server }: { server: string }) => server))).toEqual([
      ['beta'],
      ['alpha'],
    ]);
    expect((await both('/api/feasibility')).map(({ agents: all }) => all[0].on[0])).toEqual([
      { works: 1, of: 1 },
      { works: 1, of: 1 },
    ]);
    const layers = await both('/api/config/layers');
    const sources = layers.map(({ layers: all }) => JSON.stringify(all));
    expect(
      sources.map(text => [text.includes(join(two, 'junctor.json')), text.includes(join(one, 'junctor.json'))]),
    ).toEqual([
      [true, false],
      [false, true],
    ]);
    const reconnect = async (path: string) => (await rest(hub, path, { method: 'POST' })).status;
    expect(await reconnect(`/api/servers/beta/reconnect?${at}`)).toBe(200);
    expect(await reconnect('/api/servers/beta/reconnect')).toBe(404);
    const check = await hub.fetch(`/api/servers/beta/check?${at}`, { method: 'POST' });
    expect([check.status, await check.text()]).toEqual([200, expect.stringContaining('"ok":true')]);
    // The lockfile is that of the project, and an approval is written there.
    const locks = await both('/api/lock');
    expect(locks.map(({ file, exists }) => [file, exists])).toEqual([
      [join(two, 'junctor.lock'), true],
      [join(one, 'junctor.lock'), false],
    ]);
    const lock = JSON.parse(await readFile(join(two, 'junctor.lock'), 'utf8'));
    delete lock.servers.beta.tools.echo;
    await writeFile(join(two, 'junctor.lock'), JSON.stringify(lock));
    const approve = (path: string) =>
      rest(hub, path, { method: 'POST', body: { server: 'beta', tool: 'echo' } }).then(({ status }) => status);
    expect(await approve('/api/lock/approve')).toBe(404);
    expect(await approve(`/api/lock/approve?${at}`)).toBe(200);
    expect(await readFile(join(two, 'junctor.lock'), 'utf8')).toContain('"echo"');
    // A call by hand is made in the project, and written down so.
    const call = (path: string) =>
      hub.fetch(path, {
        ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
        body: JSON.stringify({ server: 'beta', tool: 'echo', arguments: { text: 'by hand' } }),
      });
    await expect.poll(async () => (await call(`/api/calls?${at}`)).text()).toContain('by hand');
    expect((await call('/api/calls')).status).toBe(404);
    await expect
      .poll(async () => (await rest(hub, `/api/calls?project=${encodeURIComponent(two)}`)).body.calls.at(-1))
      .toMatchObject({ server: 'beta', project: two, surface: 'rest' });
    expect((await rest(hub, '/api/servers/beta?project=0')).status).toBe(400);
    expect((await rest(hub, `/api/lock?project=${'0'.repeat(32)}`)).status).toBe(404);
  });

  promise('5.10p', 'a sign-in, and the traffic of a server, are those of the project', async () => {
    await using authority = await startAuthority();
    const guarded = { transport: 'http', url: authority.mcpUrl, trust: 'trusted' };
    await using home = await makeHome();
    const one = await makeProject(home, 'one', { same: DEMO });
    const two = await makeProject(home, 'two', { same: DEMO, guarded });
    await using hub = await startHubIn(home, one);
    const at = `project=${await registeredIn(hub, two)}`;
    const path = '/api/servers/guarded/sign-in';
    expect((await rest(hub, path, { method: 'POST' })).status).not.toBe(201);
    const { url } = (await rest(hub, `${path}?${at}`, { method: 'POST' })).body;
    expect((await rest(hub, path)).status).toBe(404);
    const over = rest(hub, `${path}?${at}`);
    await authority.browser.visit(new URL(url));
    expect((await over).body).toMatchObject({ server: 'guarded' });
    const signIns = async (query: string) =>
      (await rest(hub, `/api/sign-ins${query}`)).body.servers.map(({ server, state }: Record<string, string>) => [
        server,
        state,
      ]);
    expect(await signIns(`?${at}`)).toContainEqual(['guarded', 'signed_in']);
    expect(await signIns('')).not.toContainEqual(['guarded', expect.anything()]);
    const { servers } = (await rest(hub, `/api/status?${at}`)).body;
    expect(servers.find(({ id }: { id: string }) => id === 'guarded')).toMatchObject({ state: 'ready' });
    expect((await rest(hub, `${path}?${at}&all=true`, { method: 'DELETE' })).body).toEqual({ removed: ['guarded'] });

    await using atOne = await clientIn(home, one);
    await using atTwo = await clientIn(home, two);
    await expect.poll(() => atOne.servers()).toEqual(['same']);
    await expect.poll(() => atTwo.servers()).toContain('same');
    const traffic = async (query: string) => {
      const stop = new AbortController();
      const stream = await hub.fetch(`/api/servers/same/traffic${query}`, { signal: stop.signal });
      let text = '';
      const reading = (async () => {
        for await (const chunk of stream.body ?? []) text += Buffer.from(chunk).toString();
      })().catch(() => {});
      const end = async () => {
        stop.abort();
        await reading;
      };
      return { read: () => text, end };
    };
    const [ofOwn, ofTwo] = [await traffic(''), await traffic(`?${at}`)];
    const call = (text: string) => ({ name: 'same_echo', arguments: { text } });
    await atOne.client.callTool(call('said in one'));
    await atTwo.client.callTool(call('said in two'));
    await expect.poll(() => ofTwo.read()).toContain('said in two');
    await expect.poll(() => ofOwn.read()).toContain('said in one');
    expect([ofTwo.read().includes('said in one'), ofOwn.read().includes('said in two')]).toEqual([false, false]);
    await Promise.all([ofOwn.end(), ofTwo.end()]);
  });
});
