import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { junctor, makeHome, promise, type RunningHub, startHubIn, testServer, trusted } from '@junctor/testkit';
import { describe, expect } from 'vitest';
import { clientIn, makeProject, registeredIn } from './in-project.ts';

const DEMO = trusted(testServer());
/** Nobody trusts it: its calls wait for approval. */
const ASKED = testServer();

interface Listed {
  readonly approvals: { readonly id: string; readonly project: string }[];
}

const waiting = async (hub: RunningHub) => ((await (await hub.fetch('/api/approvals')).json()) as Listed).approvals;

describe('two projects on one hub', () => {
  promise('5.10f', 'see nothing of each other: lists, prompts, resources, explanations', async () => {
    await using home = await makeHome();
    const one = await makeProject(home, 'one', { alpha: DEMO });
    const two = await makeProject(home, 'two', { beta: DEMO });
    await using hub = await startHubIn(home, home.project);
    await using atOne = await clientIn(home, one);
    await using atTwo = await clientIn(home, two, { agent: 'claude-code' });
    await expect.poll(() => atOne.servers()).toEqual(['alpha']);
    await expect.poll(() => atTwo.servers()).toEqual(['beta']);
    const { prompts } = await atTwo.client.listPrompts();
    expect(new Set(prompts.map(({ name }) => name.split('_')[0]))).toEqual(new Set(['beta']));
    const { resources } = await atTwo.client.listResources();
    expect(new Set(resources.map(({ uri }) => new URL(uri).host))).toEqual(new Set(['beta']));
    const foreign = resources.map(({ uri }) => uri.replace('//beta/', '//alpha/'))[0] as string;
    await expect(atTwo.client.readResource({ uri: foreign })).rejects.toThrow('not found');
    await expect(atTwo.client.getPrompt({ name: (prompts[0]?.name ?? '').replace('beta', 'alpha') })).rejects.toThrow(
      'Unknown prompt',
    );
    const id = await registeredIn(hub, two);
    const get = async (path: string) => (await hub.fetch(path)).json() as Promise<Record<string, unknown>>;
    for (const path of ['/api/status', '/api/servers', '/api/tools']) {
      const body = await get(`${path}?project=${id}`);
      expect(body.project).toEqual({ id, folder: two });
      expect(JSON.stringify(body)).toContain('beta');
      expect(JSON.stringify(body)).not.toContain('alpha');
      expect(JSON.stringify(await get(path))).not.toMatch(/alpha|beta/);
    }
    expect((await hub.fetch(`/api/explain?server=beta&tool=echo&project=${id}`)).status).toBe(200);
    expect((await hub.fetch(`/api/explain?server=alpha&project=${id}`)).status).toBe(404);
    expect((await hub.fetch('/api/explain?server=beta')).status).toBe(404);
  });

  promise(
    ['5.10f', '5.10p'],
    'share no approval, though the server has the same id and the same definition',
    async () => {
      await using home = await makeHome();
      const one = await makeProject(home, 'one', { same: ASKED });
      const two = await makeProject(home, 'two', { same: ASKED });
      await using hub = await startHubIn(home, home.project);
      await using atOne = await clientIn(home, one);
      await using atTwo = await clientIn(home, two);
      await expect.poll(() => atOne.servers()).toEqual(['same']);
      await expect.poll(() => atTwo.servers()).toEqual(['same']);
      const call = { name: 'same_echo', arguments: { text: 'hi' } };
      const first = atOne.client.callTool(call);
      await expect.poll(async () => (await waiting(hub)).map(({ project }) => project)).toEqual([one]);
      const [asked] = await waiting(hub);
      const answered = await hub.fetch(`/api/approvals/${asked?.id}`, {
        ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
        body: JSON.stringify({ answer: 'always' }),
      });
      expect(answered.status).toBe(200);
      expect(await first).toMatchObject({ content: [{ text: expect.stringContaining('\nhi\n') }] });
      // What was allowed for always in one project is asked in the other.
      const second = atTwo.client.callTool(call);
      await expect.poll(async () => (await waiting(hub)).map(({ project }) => project)).toEqual([two]);
      expect(await atOne.client.callTool(call)).toMatchObject({
        content: [{ text: expect.stringContaining('\nhi\n') }],
      });
      // The list of what is allowed says whose it is.
      const granted = async (query: string) => {
        const { grants } = (await (await hub.fetch(`/api/grants${query}`)).json()) as { grants: { file: string }[] };
        return grants.map(({ file }) => file);
      };
      expect(await granted('')).toEqual([join(one, 'junctor.json')]);
      expect(await granted(`?project=${await registeredIn(hub, one)}`)).toEqual([join(one, 'junctor.json')]);
      expect(await granted(`?project=${await registeredIn(hub, two)}`)).toEqual([]);
      expect((await junctor(home, ['approvals', 'grants'])).stdout).toContain(join(one, 'junctor.json'));
      const [open] = await waiting(hub);
      await hub.fetch(`/api/approvals/${open?.id}`, {
        ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
        body: JSON.stringify({ answer: 'deny' }),
      });
      expect(await second).toMatchObject({ isError: true });
      const calls = async (project: string) => {
        const answer = await hub.fetch(`/api/calls?project=${encodeURIComponent(project)}`);
        return ((await answer.json()) as { calls: { verdict: string }[] }).calls.length;
      };
      await expect.poll(() => calls(one)).toBe(2);
      await expect.poll(() => calls(two)).toBe(1);
    },
  );

  promise('5.10g', 'have their secrets in one store', async () => {
    await using home = await makeHome();
    expect(await junctor(home, ['secret', 'set', 'KEY'], { input: 's3cret-value' })).toMatchObject({ code: 0 });
    const withKey = { ...DEMO, env: { KEY: '${secret:KEY}' } };
    const one = await makeProject(home, 'one', { alpha: withKey });
    const two = await makeProject(home, 'two', { beta: withKey });
    await using _hub = await startHubIn(home, home.project);
    await using atOne = await clientIn(home, one);
    await using atTwo = await clientIn(home, two);
    await expect.poll(() => atOne.servers()).toEqual(['alpha']);
    await expect.poll(() => atTwo.servers()).toEqual(['beta']);
  });
});

describe('which hub a command means', () => {
  promise(['5.10o', '8.20h'], 'is the nearest upward that runs, unless another data directory is named', async () => {
    await using home = await makeHome();
    const { JUNCTOR_DATA: _, ...env } = home.env;
    const folder = await makeProject(home, 'one', { alpha: DEMO });
    const data = join(folder, '.junctor');
    const below = await makeProject(home, join('one', 'below'), {});
    const there = { ...home, data, env: { ...env, JUNCTOR_DATA: data } };
    const plain = { ...home, env };
    const status = async (...words: string[]) =>
      JSON.parse((await junctor(plain, ['hub', 'status', '--json', ...words], { cwd: below })).stdout);
    const usual = join(home.env.XDG_DATA_HOME as string, 'junctor');
    expect(await status()).toEqual({ running: false, data: usual });
    {
      await using hub = await startHubIn(there, folder);
      expect(await status()).toMatchObject({ running: true, url: hub.url, data });
      expect(await status('--data', home.data)).toEqual({ running: false, data: home.data });
      const named = await junctor(home, ['hub', 'status', '--json'], { cwd: below });
      expect(JSON.parse(named.stdout)).toEqual({ running: false, data: home.data });
      expect((await junctor(plain, ['calls'], { cwd: below })).code).toBe(0);
      const said = async (...words: string[]) => {
        const { stdout, stderr } = await junctor(plain, words, { cwd: below });
        return stdout + stderr;
      };
      expect(await said('hub', 'page')).toContain(`${hub.url}/?code=`);
      expect(await said('hub', 'token', '--agent', 'codex')).not.toContain('no hub runs');
      expect(await said('hub', 'token', '--agent', 'codex', '--data', home.data)).toContain(
        `no hub runs on the data directory ${home.data}`,
      );
      expect(await said('mcp', 'list')).toContain(
        `the hub at ${hub.url} was started with another config, and serves: alpha`,
      );
      // A folder that somebody brought along, and whose file leads to a hub elsewhere, is not taken for one.
      const copied = JSON.parse(await readFile(join(data, 'hub.json'), 'utf8')) as object;
      await home.write('one/below/.junctor/hub.json', copied);
      expect(await status()).toMatchObject({ running: true, data });
      expect(await said('hub', 'stop')).toContain(`stopped the hub at ${hub.url}`);
    }
    expect(await status()).toEqual({ running: false, data: usual });
  });
});
