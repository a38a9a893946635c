import { createHost } from '@junctor/core';
import {
  type Home,
  junctor,
  makeHome,
  misbehaving,
  promise,
  type RunningHub,
  startHub,
  testServer,
  trusted,
} from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { answer, said, type Waiting, waiting } from './asking.ts';
import { startJwtIssuer } from './jwt-issuer.ts';
import { listen } from './listen.ts';
import { rest } from './rest-client.ts';
import { RawClient } from './rpc.ts';

const demo = trusted(testServer());

interface Answered {
  readonly result?: object;
  readonly error?: { readonly code: number; readonly message: string };
}

/** A client with the token of this agent, or with a named token of a person. */
async function clientOf(hub: RunningHub, home: Home, path: string, ...who: string[]): Promise<RawClient> {
  const token = (await junctor(home, ['hub', 'token', ...who, '--data', home.data])).stdout.trim().split('\n').at(-1);
  await expect.poll(async () => (await hub.fetch(path, { token })).status).not.toBe(401);
  return RawClient.open({ ...hub, fetch: (at, init = {}) => hub.fetch(at, { ...init, token }) }, path);
}

const first = async (messages: ReturnType<RawClient['call']>) => (await messages).at(-1);

describe('a rule', () => {
  promise('10.2c', 'may name agents, beside its pattern or below the agent; deny beats ask beats allow', async () => {
    await using home = await makeHome();
    const config = {
      version: 1,
      servers: { demo: testServer() },
      permissions: {
        allow: ['mcp__demo__pid', { tools: 'mcp__demo__echo', agents: ['CODEX'] }],
        deny: [{ tools: 'mcp__demo__pid', agents: ['cursor'] }],
      },
      agents: {
        cursor: { permissions: { allow: ['mcp__demo__echo'] } },
        gemini: { permissions: { deny: ['mcp__demo__*'] } },
      },
    };
    await using hub = await startHub(home, config, ['--approval-wait', '1']);
    const verdict = async (agent: string, tool: string): Promise<unknown> => {
      const client = await RawClient.open(hub, `/mcp/${agent}`);
      const text = JSON.stringify((await first(client.call(1, `demo_${tool}`, { text: 'x' })))?.result);
      return /\((\w+)\)/.exec(text)?.[1] ?? 'ran';
    };
    expect({
      codex: [await verdict('codex', 'echo'), await verdict('codex', 'pid')],
      cursor: [await verdict('cursor', 'echo'), await verdict('cursor', 'pid')],
      gemini: [await verdict('gemini', 'echo'), await verdict('gemini', 'pid')],
      kilo: [await verdict('kilo', 'echo'), await verdict('kilo', 'pid')],
    }).toEqual({
      codex: ['ran', 'ran'],
      cursor: ['ran', 'permission_denied'],
      gemini: ['permission_denied', 'permission_denied'],
      kilo: ['approval_required', 'ran'],
    });
    const { calls } = (await rest(hub, '/api/calls?agent=gemini')).body;
    expect(calls[0].because).toBe('the rule deny mcp__demo__* for gemini');
    // The command line explains the same.
    const path = await home.write('hub.json', config);
    const explained = async (agent: string) => {
      const args = ['explain', 'demo/pid', '--agent', agent, '--json', '--config', path, '--isolated'];
      return JSON.parse((await junctor(home, args)).stdout).call;
    };
    expect(await explained('cursor')).toMatchObject({
      effect: 'deny',
      rule: 'mcp__demo__pid for cursor',
      at: { place: { line: expect.any(Number) } },
    });
    expect(await explained('gemini')).toMatchObject({ effect: 'deny', at: { place: { line: expect.any(Number) } } });
    expect(await explained('codex')).toMatchObject({ effect: 'allow', rule: 'mcp__demo__pid' });
  });
});

describe('a grant for always', () => {
  promise('10.2d', 'is for the agent that asked, unless the person chooses all agents', async () => {
    await using home = await makeHome();
    await using hub = await startHub(home, { version: 1, servers: { demo: testServer() } });
    const ask = async (agent: string, body: object): Promise<void> => {
      const client = await RawClient.open(hub, `/mcp/${agent}`);
      const calling = client.call(1, 'demo_echo', { text: agent });
      const [open] = (await waiting(hub)) as [Waiting];
      expect(open.agent).toBe(agent);
      await answer(hub, open.id, body);
      await calling;
    };
    const runs = async (agent: string): Promise<boolean> => {
      const client = await RawClient.open(hub, `/mcp/${agent}`);
      const calling = client.call(1, 'demo_echo', { text: agent });
      const open = await Promise.race([calling.then(() => []), waiting(hub)]);
      if (open.length > 0) await answer(hub, (open[0] as Waiting).id, { answer: 'deny' });
      await calling;
      return open.length === 0;
    };
    await ask('codex', { answer: 'always' });
    expect([await runs('codex'), await runs('cursor')]).toEqual([true, false]);
    await ask('cursor', { answer: 'always', all_agents: true });
    expect([await runs('cursor'), await runs('gemini')]).toEqual([true, true]);
    const { grants } = (await rest(hub, '/api/grants')).body;
    // The wider one takes the place of the narrower one.
    expect(grants.map(({ agent }: { agent: string | null }) => agent)).toEqual([null]);
  });
});

describe('every call', () => {
  promise('10.1a', 'is written down with its agent, its person and where it entered', async () => {
    await using home = await makeHome();
    await using hub = await startHub(home, { version: 1, servers: { demo } });
    const callers = [
      [await clientOf(hub, home, '/mcp/codex', '--agent', 'codex'), 'demo_echo'],
      [await clientOf(hub, home, '/servers/demo/mcp', '--agent', 'codex'), 'echo'],
      [await clientOf(hub, home, '/mcp/cursor', '--name', 'ada'), 'demo_echo'],
      [await clientOf(hub, home, '/servers/demo/mcp', '--name', 'ada'), 'echo'],
    ] as const;
    for (const [client, name] of callers)
      expect((await first(client.call(1, name, { text: 'x' })))?.result).toEqual(said('x'));
    const token = (await junctor(home, ['hub', 'token', '--name', 'bea', '--data', home.data])).stdout.trim();
    const body = JSON.stringify({ server: 'demo', tool: 'echo', arguments: { text: 'x' } });
    await (
      await hub.fetch('/api/calls', { method: 'POST', token, body, headers: { 'content-type': 'application/json' } })
    ).text();
    const { calls } = (await rest(hub, '/api/calls')).body;
    expect(
      calls
        .toReversed()
        .map(({ bearer, agent, person, surface }: Record<string, string>) => [bearer, agent, person, surface]),
    ).toEqual([
      ['agent', 'codex', null, 'agent-endpoint'],
      ['agent', 'codex', null, 'server-endpoint'],
      ['person', 'cursor', 'ada', 'agent-endpoint'],
      ['person', null, 'ada', 'server-endpoint'],
      ['person', null, 'bea', 'rest'],
    ]);
  });

  promise(['10.1b', '10.1d'], 'of a name that its server does not list never reaches the server', async () => {
    await using home = await makeHome();
    const config = { servers: { demo }, permissions: { deny: ['mcp__demo__fail'] } };
    await using hub = await startHub(home, { version: 1, ...config });
    const server = await clientOf(hub, home, '/servers/demo/mcp', '--agent', 'codex');
    const agent = await clientOf(hub, home, '/mcp/codex', '--agent', 'codex');
    await using host = await createHost({ config, isolated: true, data: home.data });
    for (const name of ['FAIL', ' fail', 'ｆail', 'hidden']) {
      const error = { code: -32602, message: `Server 'demo' has no tool '${name}'.`, data: { code: 'tool_not_found' } };
      expect((await first(server.call(1, name, {})))?.error).toMatchObject(error);
      const public_ = `demo_${name}`;
      expect((await first(agent.call(1, public_, {})))?.error).toMatchObject({
        code: -32602,
        message: `There is no tool '${public_}'.`,
        data: { code: 'tool_not_found' },
      });
      await expect(host.call({ server: 'demo', tool: name })).rejects.toMatchObject({
        code: 'tool_not_found',
        message: error.message,
        outcome: 'not_sent',
      });
    }
    const { calls } = (await rest(hub, '/api/calls')).body;
    expect(new Set(calls.map(({ outcome, code }: Record<string, string>) => `${outcome} ${code}`))).toEqual(
      new Set(['not_sent tool_not_found']),
    );
  });

  promise('10.1c', 'of a method outside the protocol passes only where the config names it', async () => {
    await using home = await makeHome();
    const config = { version: 1, servers: { demo, open: { ...demo, methods: ['acme/*'] } } };
    await using hub = await startHub(home, config);
    const ask = async (server: string, method: string) => {
      const client = await RawClient.open(hub, `/servers/${server}/mcp`);
      return (await client.messages({ id: 1, method, params: {} })).at(-1) as Answered;
    };
    expect((await ask('demo', 'acme/wipe'))?.error).toMatchObject({
      code: -32601,
      message: 'This endpoint does not carry acme/wipe',
    });
    // The server itself does not know it: these are its own words.
    expect((await ask('open', 'acme/wipe'))?.error?.message).not.toContain('endpoint');
    expect((await ask('open', 'other/wipe'))?.error?.message).toContain('endpoint');
    expect((await ask('demo', 'prompts/list'))?.result).toBeDefined();
  });

  test('over REST is one call: one beginning, one end, and no approval in the records', async () => {
    await using home = await makeHome();
    await using hub = await startHub(home, { version: 1, servers: { demo: testServer() } });
    await using events = await listen(hub, '/api/events?types=tool-call-begin,tool-call-end');
    const body = JSON.stringify({ server: 'demo', tool: 'echo', arguments: { text: 'x' } });
    const call = async () =>
      (await hub.fetch('/api/calls', { method: 'POST', body, headers: { 'content-type': 'application/json' } })).text();
    expect(await call()).toContain('"success":true');
    await call();
    const heard: string[] = [];
    await events.until(({ type, data }) => {
      heard.push(`${type} ${data.call_id}`);
      return heard.length === 4;
    });
    const [first, second] = heard.flatMap(line => /^tool-call-begin (.*)$/.exec(line)?.[1] ?? []);
    expect(heard).toEqual([first, second].flatMap(id => [`tool-call-begin ${id}`, `tool-call-end ${id}`]));
    expect(first).not.toBe(second);
    expect((await rest(hub, '/api/approvals?state=all')).body.approvals).toEqual([]);
  });

  test("at a server's own endpoint gets the server's own error code", async () => {
    await using home = await makeHome();
    const config = { version: 1, servers: { picky: trusted(misbehaving('refuses-subscriptions')) } };
    await using hub = await startHub(home, config);
    const client = await RawClient.open(hub, '/servers/picky/mcp');
    const params = { uri: 'demo://none' };
    expect((await client.messages({ id: 1, method: 'resources/subscribe', params })).at(-1)?.error).toEqual({
      code: -32002,
      message: 'Resource not found',
      data: { uri: 'demo://none' },
    });
  });
});

describe('a person', () => {
  test('who answers on the page is named by the token that asked for the login', async () => {
    await using home = await makeHome();
    await using hub = await startHub(home, { version: 1, servers: { demo: testServer() } });
    const token = (await junctor(home, ['hub', 'token', '--name', 'ada', '--data', home.data])).stdout.trim();
    await expect.poll(async () => (await hub.fetch('/api/status', { token })).status).toBe(200);
    const { url } = (await (await hub.fetch('/api/login', { method: 'POST', token })).json()) as { url: string };
    const [cookie = ''] = (await fetch(url)).headers.getSetCookie().map(one => one.split(';')[0] as string);
    const { csrf } = (await (await fetch(`${hub.url}/api/login`, { headers: { cookie } })).json()) as { csrf: string };
    const client = await RawClient.open(hub, '/mcp/codex');
    const calling = client.call(1, 'demo_echo', { text: 'x' });
    const [open] = (await waiting(hub)) as [Waiting];
    const headers = { cookie, 'x-junctor-csrf': csrf, 'content-type': 'application/json' };
    const body = JSON.stringify({ answer: 'once' });
    expect((await fetch(`${hub.url}/api/approvals/${open.id}`, { method: 'POST', headers, body })).status).toBe(200);
    await calling;
    const { approvals } = (await rest(hub, '/api/approvals?state=all')).body;
    expect(approvals.map(({ by }: { by: string }) => by)).toEqual(['on the page by ada']);
  });

  test('whose token of the issuer names nobody is refused', async () => {
    await using home = await makeHome();
    await using issuer = await startJwtIssuer();
    await using hub = await startHub(home, { version: 1, servers: { demo } }, ['--issuer', issuer.url]);
    const claims = { aud: hub.url, scope: 'junctor:person' };
    expect((await hub.fetch('/api/status', { token: await issuer.token(claims) })).status).toBe(200);
    expect((await hub.fetch('/api/status', { token: await issuer.token({ ...claims, sub: undefined }) })).status).toBe(
      401,
    );
  });
});
