import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Home, junctor, makeHome, misbehaving, promise, testServer } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';

const USER = 'config/junctor/config.json';
const demo = testServer();

// biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever comes back
type Json = any;

async function json(home: Home, ...args: readonly string[]): Promise<Json> {
  const { stdout, stderr } = await junctor(home, [...args, '--json']);
  expect(stdout, stderr).not.toBe('');
  return JSON.parse(stdout);
}

/** The line of the file at which the text stands. */
async function lineOf(home: Home, text: string): Promise<number> {
  const lines = (await readFile(join(home.path, USER), 'utf8')).split('\n');
  return lines.findIndex(line => line.includes(text)) + 1;
}

describe('explain SERVER/TOOL', () => {
  promise(['7.8b', '8.11a', '8.11b'], 'says why a tool is hidden, and the place that says so', async () => {
    await using home = await makeHome();
    await home.write(USER, {
      servers: {
        plain: demo,
        filtered: { ...demo, tools: { deny: ['fa*'] } },
        picked: { ...demo, tools: { allow: ['echo'] } },
        off: { ...demo, enabled: false },
        bundled: demo,
        gone: misbehaving('dies-early'),
        needs: { ...demo, env: { KEY: '${NOT_SET_ANYWHERE}' } },
      },
      bundles: { few: { serverId: 'bundled', allowTools: ['echo', 'fail'], denyTools: ['fail'] } },
      agents: { codex: { servers: ['plain', 'bundled'] } },
      executors: { docker: { allow_stdio: false } },
    });
    const file = join(home.path, USER);
    const offerOf = async (what: string, ...more: string[]) => (await json(home, 'explain', what, ...more)).offer;
    const at = async (text: string) => ({
      layer: 'user',
      source: file,
      place: expect.objectContaining({ line: await lineOf(home, text) }),
    });

    expect(await json(home, 'explain', 'plain/echo')).toMatchObject({
      server: 'plain',
      tool: 'echo',
      agent: null,
      executor: 'local',
      name: 'mcp__plain__echo',
      offer: { state: 'offered' },
    });
    expect(await offerOf('filtered/fail')).toMatchObject({
      state: 'hidden',
      because: "tools.deny of its server has 'fa*'",
      at: { source: file },
    });
    expect(await offerOf('picked/fail')).toMatchObject({
      state: 'hidden',
      because: 'tools.allow of its server does not name it',
    });
    expect(await offerOf('bundled/fail')).toMatchObject({
      state: 'hidden',
      because: "the bundle 'few' denies it",
      at: await at('"denyTools"'),
    });
    expect(await offerOf('bundled/slow')).toMatchObject({
      because: "the bundle 'few' does not allow it",
      at: await at('"allowTools"'),
    });
    expect(await offerOf('off/echo')).toMatchObject({
      state: 'hidden',
      because: 'enabled is false',
      at: await at('"enabled": false'),
      hint: 'junctor mcp enable off',
    });
    expect(await offerOf('needs/echo')).toMatchObject({
      state: 'hidden',
      because: expect.stringContaining('NOT_SET_ANYWHERE'),
      at: { source: file },
    });
    expect(await offerOf('gone/echo')).toMatchObject({
      state: 'hidden',
      because: expect.stringContaining('its server does not answer'),
    });
    expect(await offerOf('plain/ecko')).toMatchObject({ state: 'missing', hint: "did you mean 'plain/echo'?" });

    // For that agent, and on that executor.
    expect(await json(home, 'explain', 'plain/echo', '--agent', 'CODEX')).toMatchObject({
      agent: 'codex',
      name: 'plain_echo',
    });
    expect(await offerOf('picked/echo', '--agent', 'codex')).toMatchObject({
      state: 'hidden',
      because: "agent 'codex' does not list it",
      at: await at('"codex"').then(place => ({ ...place, place: expect.anything() })),
      hint: "add 'picked' to agents.codex.servers",
    });
    expect(await offerOf('plain/echo', '--executor', 'docker')).toMatchObject({
      state: 'hidden',
      because: "transport stdio is not allowed by executor 'docker'",
      at: await at('"allow_stdio"'),
    });
    const server = await json(home, 'explain', 'plain', '--agent', 'codex', '--executor', 'docker');
    expect([server.agent, server.executor, server.leftOut]).toEqual([
      'codex',
      'docker',
      "transport stdio is not allowed by executor 'docker'",
    ]);

    const text = (await junctor(home, ['explain', 'bundled/fail'])).stdout;
    expect(text).toContain("hidden: the bundle 'few' denies it");
    expect(text).toContain(`at user ${file}:${await lineOf(home, '"denyTools"')}:`);
    const slip = await junctor(home, ['explain', 'plain/echo', '--agent', 'codx']);
    expect([slip.code, slip.stderr.includes("did you mean 'codex'?")]).toEqual([2, true]);
    expect((await junctor(home, ['explain', 'nobody/echo'])).code).toBe(1);
    expect((await junctor(home, ['explain', '/echo'])).code).toBe(2);
  });

  promise('7.8b', 'names a lockfile, a project that nobody approved and a client that takes fewer tools', async () => {
    await using home = await makeHome();
    await home.write('project/junctor.json', { servers: { demo } });
    expect((await json(home, 'explain', 'demo/echo')).offer).toMatchObject({
      state: 'hidden',
      because: expect.stringContaining('nobody has approved it yet'),
      hint: 'junctor trust add demo',
    });
    await junctor(home, ['trust', 'add', 'demo']);
    await junctor(home, ['lock']);
    await home.write('project/junctor.json', { servers: { demo: { ...demo, env: { OTHER: 'words' } } } });
    await junctor(home, ['trust', 'add', 'demo']);
    expect((await json(home, 'explain', 'demo/echo')).offer).toMatchObject({
      state: 'hidden',
      because: 'its server is defined otherwise than in the lockfile',
      at: { layer: 'lockfile', source: join(home.project, 'junctor.lock') },
    });
    await junctor(home, ['lock', 'approve', 'demo']);
    await home.write(USER, { client_profiles: { codex: { max_tools: 1 } } });
    const { tools } = await json(home, 'mcp', 'tools', 'demo', '--client', 'codex');
    const [kept] = tools as [{ tool: string }];
    expect(tools).toHaveLength(1);
    const capped = kept.tool === 'echo' ? 'fail' : 'echo';
    expect((await json(home, 'explain', `demo/${capped}`, '--agent', 'codex')).offer).toMatchObject({
      state: 'hidden',
      because: expect.stringMatching(/^its reader takes 1 tools, and there are \d+/),
    });
    expect((await json(home, 'explain', `demo/${kept.tool}`, '--agent', 'codex')).offer.state).toBe('offered');
  });

  promise(['7.8d', '7.8e'], 'says why a tool is asked about or denied, with the rule, its file and line', async () => {
    await using home = await makeHome();
    await home.write(USER, {
      servers: { demo, safe: { ...demo, trust: 'trusted' } },
      permissions: {
        allow: ['mcp__demo__echo'],
        ask: ['mcp__safe__slow', 'mcp__demo__echo(text=secret*)'],
        deny: ['mcp__*__fail'],
      },
    });
    const file = join(home.path, USER);
    const callOf = async (what: string) => (await json(home, 'explain', what)).call;
    expect(await callOf('demo/slow')).toMatchObject({
      effect: 'ask',
      because: "no rule covers it, and server 'demo' is not trusted",
      rule: null,
      at: { source: file },
    });
    expect(await callOf('safe/slow')).toMatchObject({
      effect: 'ask',
      because: 'the rule ask mcp__safe__slow',
      rule: 'mcp__safe__slow',
      at: { layer: 'user', source: file, place: { line: await lineOf(home, '"mcp__safe__slow"') } },
    });
    expect(await callOf('safe/fail')).toMatchObject({
      effect: 'deny',
      because: 'the rule deny mcp__*__fail',
      at: { source: file, place: { line: await lineOf(home, '"mcp__*__fail"') } },
    });
    expect(await callOf('safe/echo')).toMatchObject({ effect: 'allow', because: "server 'safe' is trusted" });
    expect(await callOf('demo/echo')).toMatchObject({
      effect: 'allow',
      rule: 'mcp__demo__echo',
      unless: [
        {
          effect: 'ask',
          rule: 'mcp__demo__echo(text=secret*)',
          at: { place: { line: await lineOf(home, 'text=secret*') } },
        },
      ],
    });
    const text = (await junctor(home, ['explain', 'safe/fail'])).stdout;
    expect(text).toContain('calls are denied: the rule deny mcp__*__fail');
    expect(text).toContain(`at user ${file}:${await lineOf(home, '"mcp__*__fail"')}:`);
  });

  test('starts nothing with --offline, and says what it cannot know', async () => {
    await using home = await makeHome();
    await home.write(USER, { servers: { demo } });
    const unknown = await json(home, 'explain', 'demo/echo', '--offline');
    expect(unknown.offer).toMatchObject({ state: 'unknown', because: "server 'demo' was never asked what it offers" });
    expect((await json(home, 'explain', 'demo/echo')).listed_at).toBe(null);
    const known = await json(home, 'explain', 'demo/echo', '--offline');
    expect([known.offer.state, Number.isNaN(Date.parse(known.listed_at))]).toEqual(['offered', false]);
  });
});

describe('preflight', () => {
  promise(
    ['7.8f', '7.8g', '8.11c'],
    'answers whether an agent will have the tools, names the missing ones, and exits accordingly',
    async () => {
      await using home = await makeHome();
      await home.write(USER, {
        servers: { demo, other: demo, web: { transport: 'http', url: 'http://127.0.0.1:1/mcp' } },
        agents: { codex: { servers: ['demo'] } },
        permissions: { deny: ['mcp__demo__fail'] },
        executors: { docker: { allow_stdio: false } },
      });
      const run = (...args: string[]) => junctor(home, ['preflight', '--agent', 'codex', ...args]);
      const local = ['--executor', 'local'];
      const good = await run(...local, 'demo/echo', 'demo_slow', 'mcp__demo__json_response');
      expect([good.code, good.stderr]).toEqual([0, '']);
      expect(good.stdout).toContain('ok       demo/echo as demo_echo: is asked about');
      const bad = await run(...local, 'demo/echo', 'other/echo', 'demo/fail', 'demo/nothing', 'no_such');
      expect(bad.code).toBe(1);
      expect(bad.stdout).toContain('lacks 4 of 5: other/echo, demo/fail, demo/nothing, no_such');
      const { stdout, code } = await run(...local, 'demo/echo', 'other/echo', 'demo/fail', '--json');
      expect(code).toBe(1);
      expect(JSON.parse(stdout)).toMatchObject({
        agent: 'codex',
        executor: 'local',
        ok: false,
        missing: ['other/echo', 'demo/fail'],
        tools: [
          { asked: 'demo/echo', there: true, name: 'demo_echo', call: 'ask' },
          { asked: 'other/echo', there: false, because: "agent 'codex' does not list it" },
          { asked: 'demo/fail', there: false, call: 'deny', because: 'the rule deny mcp__demo__fail' },
        ],
      });
      // The same agent elsewhere.
      const docker = await run('--executor', 'docker', 'demo/echo', '--json');
      expect([docker.code, JSON.parse(docker.stdout).missing]).toEqual([1, ['demo/echo']]);
      // What only waits for a person has the exit code for that.
      await home.write('project/junctor.json', { servers: { mine: demo } });
      const waiting = await junctor(home, ['preflight', 'mine/echo']);
      expect([waiting.code, waiting.stdout.includes('junctor trust add mine')]).toEqual([3, true]);
      expect((await junctor(home, ['preflight'])).code).toBe(2);
    },
  );
});
