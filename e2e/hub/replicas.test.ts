/** Several hubs on one PostgreSQL, each a process of its own. */
import {
  everything,
  type Home,
  junctor,
  makeHome,
  promise,
  type RunningHub,
  startHub,
  testServer,
  trusted,
} from '@junctor/testkit';
import { Client, SSEClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type HeardEvent, listen } from './listen.ts';
import { onePostgres } from './one-postgres.ts';
import { asPosted, configOf, post, rest } from './rest-client.ts';
import { RawClient } from './rpc.ts';
import { sdkPeer } from './sdk-peer.ts';

const demo = trusted(testServer());
const CONFIG = { version: 1, servers: { demo, asks: testServer() } };
/** The other of two hubs has one more in its files. */
const WITH_EXTRA = { ...CONFIG, servers: { ...CONFIG.servers, extra: { ...demo, enabled: false } } };
/** What a tool that is not trusted returned is marked as such. */
const RAN = { content: [{ type: 'text', text: expect.stringContaining('\nx\n') }] };
const { missing, postgres } = onePostgres();

/** The addresses of the hubs that one of them knows of, itself included. */
const knownAt = async (hub: RunningHub): Promise<string[]> =>
  (await rest(hub, '/api/health')).body.hubs.map(({ url }: { url: string }) => url).sort();

async function kill(hub: RunningHub): Promise<void> {
  const over = new Promise(resolve => hub.process.once('exit', resolve));
  hub.process.kill('SIGKILL');
  await over;
}

test('hubs on one database know of each other, of one that leaves and of one that is killed', async context => {
  context.skip(missing !== undefined, missing);
  await using one = await makeHome();
  await using other = await makeHome();
  await using third = await makeHome();
  const database = ['--database', postgres.create('register')];
  await using here = await startHub(one, CONFIG, database);
  expect(await knownAt(here)).toEqual([here.url]);
  await using there = await startHub(other, CONFIG, database);
  {
    await using leaves = await startHub(third, CONFIG, database);
    const all = [here.url, there.url, leaves.url].sort();
    for (const hub of [here, there, leaves]) await expect.poll(() => knownAt(hub)).toEqual(all);
  }
  const two = [here.url, there.url].sort();
  for (const hub of [here, there]) await expect.poll(() => knownAt(hub)).toEqual(two);
  await kill(there);
  await expect.poll(() => knownAt(here)).toEqual([here.url]);
  // The same one again, in another life.
  await using again = await startHub(other, CONFIG, database);
  await expect.poll(() => knownAt(here)).toEqual([here.url, again.url].sort());
});

describe('two hubs on one database', () => {
  const homes: Home[] = [];
  let here: RunningHub;
  let there: RunningHub;

  beforeAll(async () => {
    if (missing !== undefined) return;
    homes.push(await makeHome(), await makeHome());
    for (const { env } of homes) env.JUNCTOR_SECRET_KEY = 'one passphrase for all hubs';
    const database = ['--database', postgres.create('two')];
    [here, there] = (await Promise.all(
      homes.map((home, index) => startHub(home, index === 0 ? CONFIG : WITH_EXTRA, database)),
    )) as [RunningHub, RunningHub];
  });
  afterAll(async () => {
    await here?.[Symbol.asyncDispose]();
    await there?.[Symbol.asyncDispose]();
    for (const home of homes) await home[Symbol.asyncDispose]();
  });

  promise(
    '5.9a',
    'what is posted to one is returned and served by the other, and told to clients there',
    async context => {
      context.skip(missing !== undefined, missing);
      await using peer = await sdkPeer(there, '/mcp/codex', { era: 'legacy' });
      const tools = async () => (await peer.client.listTools()).tools.map(({ name }) => name.split('_')[0]);
      const served = async () => [...new Set(await tools())].sort();
      const changes = () => peer.heard.filter(({ method }) => method === 'notifications/tools/list_changed').length;
      expect(await served()).toEqual(['asks', 'demo']);

      for (const servers of [{ mine: asPosted(demo) }, { mine: asPosted(demo), more: asPosted(demo) }]) {
        const before = changes();
        const { etag } = await post(here, 'codex', { enabled: true, servers });
        const body = { agent_id: 'codex', enabled: true, servers };
        await expect.poll(() => configOf(there, 'codex')).toEqual({ status: 200, etag, body });
        await expect.poll(changes).toBeGreaterThan(before);
        await expect.poll(served).toEqual(Object.keys(servers));
      }
      const [answer] = (await peer.client.callTool({ name: 'more_echo', arguments: { text: 'x' } }))
        .content as object[];
      expect(answer).toEqual({ type: 'text', text: 'x' });
      // Whoever read it there overwrites nobody here.
      const { etag } = await configOf(there, 'codex');
      const off = { enabled: false, servers: {} };
      expect((await post(here, 'codex', off, { 'if-match': etag as string })).status).toBe(200);
      expect((await post(there, 'codex', off, { 'if-match': etag as string })).status).toBe(412);
      await expect.poll(served).toEqual([]);
      const before = changes();
      await rest(here, '/api/mcp-config?agent=codex', { method: 'DELETE' });
      await expect.poll(changes).toBeGreaterThan(before);
      await expect.poll(served).toEqual(['asks', 'demo']);

      // What was written as plain text is a reference everywhere, and the value where the server runs.
      const env = { API_TOKEN: 'tok-0123456789' };
      await post(here, 'opencode', { enabled: true, servers: { mine: asPosted({ ...trusted(everything()), env }) } });
      const { body: stored } = await configOf(here, 'opencode');
      expect(stored.servers.mine.env.API_TOKEN).toMatch(/^\$\{secret:/);
      await expect.poll(async () => (await configOf(there, 'opencode')).body).toEqual(stored);
      const environmentAt = async (hub: RunningHub) =>
        JSON.stringify(await (await RawClient.open(hub, '/mcp/opencode')).call(1, 'mine_get-env', {}));
      await expect.poll(() => environmentAt(there), { timeout: 20_000 }).toContain('tok-0123456789');
      const { secrets } = (await rest(there, '/api/secrets')).body;
      expect(secrets).toMatchObject([{ store: 'database', key: 'passphrase', servers: ['mine'] }]);
      await rest(there, `/api/secrets/${secrets[0].name}`, { method: 'PUT', body: { value: 'tok-9876543210' } });
      await expect.poll(() => environmentAt(here), { timeout: 20_000 }).toContain('tok-9876543210');

      const policyAt = async (hub: RunningHub) =>
        (await rest(hub, '/api/executors/k8s?agent=codex')).body.policy.allow_sse;
      await rest(here, '/api/executors/k8s', { method: 'PUT', body: { allow_sse: false } });
      await expect.poll(() => policyAt(there)).toBe(false);
      await rest(there, '/api/agents/codex/executors/k8s', { method: 'PUT', body: { allow_sse: true } });
      await expect.poll(() => policyAt(here)).toBe(true);
      await rest(there, '/api/agents/codex/executors/k8s', { method: 'DELETE' });
      await expect.poll(() => policyAt(here)).toBe(false);
    },
  );

  test('tokens and page logins of one are good at the other, until they are revoked at either', async context => {
    context.skip(missing !== undefined, missing);
    const opens = async (hub: RunningHub, token: string) =>
      (await hub.fetch('/mcp/cursor', { token, headers: { 'mcp-session-id': 'none' } })).status !== 401;
    const listed = async (hub: RunningHub) =>
      (await rest(hub, '/api/tokens')).body.tokens.map(({ id }: { id: string }) => id);
    const { token, id } = (await rest(here, '/api/tokens', { method: 'POST', body: { agent: 'cursor' } })).body;
    expect(await opens(there, token)).toBe(true);
    expect(await listed(there)).toContain(id);
    // One that a command wrote to the file of its data directory.
    const home = homes[0] as Home;
    const made = (await junctor(home, ['hub', 'token', '--agent', 'cursor', '--data', home.data])).stdout.trim();
    expect(await opens(here, made)).toBe(true);
    await expect.poll(() => opens(there, made)).toBe(true);
    // What was opened with it at one ends when it is revoked at the other.
    const opened = await RawClient.open({ fetch: (path, init) => here.fetch(path, { ...init, token }) }, '/mcp/cursor');
    const headers = { accept: 'text/event-stream', 'mcp-session-id': opened.session };
    const stream = await here.fetch('/mcp/cursor', { token, headers });
    expect((await rest(there, `/api/tokens/${id}`, { method: 'DELETE' })).status).toBe(200);
    await stream.text();
    await expect.poll(() => opens(here, token)).toBe(false);
    const revoked = await junctor(homes[1] as Home, [
      'hub',
      'token',
      '--agent',
      'cursor',
      '--revoke',
      '--data',
      (homes[1] as Home).data,
    ]);
    expect(revoked.stdout).toContain('revoked 1 token');
    await expect.poll(() => opens(here, made)).toBe(false);

    const { stdout } = await junctor(home, ['hub', 'page', '--data', home.data]);
    const { pathname, search } = new URL(stdout.trim());
    const login = await fetch(`${there.url}${pathname}${search}`, { redirect: 'manual' });
    const cookie = (login.headers.get('set-cookie') ?? '').split(';')[0] as string;
    for (const hub of [here, there]) {
      expect((await fetch(`${hub.url}/api/login`, { headers: { cookie } })).status).toBe(200);
    }
    expect(
      (await fetch(`${here.url}${pathname}${search}`, { redirect: 'manual' })).headers.get('set-cookie'),
    ).toBeNull();
  });

  promise('5.9e', 'events, status, calls and statistics of both are read from either', async context => {
    context.skip(missing !== undefined, missing);
    const stateAt = async (hub: RunningHub) =>
      (await rest(hub, '/api/status?hub=here')).body.servers.find(({ id }: { id: string }) => id === 'demo').state;
    // Right after the start it may not be there yet, and its tools are unknown.
    for (const hub of [here, there]) await expect.poll(() => stateAt(hub), { timeout: 30_000 }).toBe('ready');
    const hubs = (await rest(here, '/api/health')).body.hubs as { id: string; here: boolean }[];
    const idOf = { here: hubs.find(hub => hub.here)?.id, there: hubs.find(hub => !hub.here)?.id };
    await using events = await listen(there, '/api/events?types=session-opened,tool-call-begin,tool-call-end');
    const one = await RawClient.open(here, '/mcp/qwen-code');
    const other = await RawClient.open(there, '/mcp/qwen-code');
    const isOf = (type: string, client: RawClient) => (event: HeardEvent) =>
      event.type === type &&
      (event.data.session === client.session ||
        (event.data.sessions as string[] | undefined)?.includes(client.session) === true);
    expect((await events.until(isOf('session-opened', one))).data).toMatchObject({
      agent: 'qwen-code',
      hub: idOf.here,
    });
    await one.call(1, 'demo_echo', { text: 'x' });
    expect(await other.call(1, 'demo_fail', {})).toMatchObject([{ result: { isError: true } }]);
    expect((await events.until(isOf('tool-call-end', one))).data).toMatchObject({
      server: 'demo',
      tool: 'echo',
      hub: idOf.here,
    });

    // One more that runs: it is found from the other hub, where it began and where it is.
    const slow = one.call(2, 'demo_slow', { ms: 60_000 });
    await events.until(isOf('tool-call-begin', one));
    for (const hub of [here, there]) {
      const { running, calls } = (await rest(hub, '/api/calls?agent=qwen-code')).body;
      expect(running).toMatchObject([{ tool: 'slow', session: one.session, hub: idOf.here }]);
      const tools = calls.map(({ tool, session }: { tool: string; session: string }) => [tool, session]);
      expect(tools.sort()).toEqual([
        ['echo', one.session],
        ['fail', other.session],
      ]);
      const { tools: counted } = (await rest(hub, '/api/stats?agent=qwen-code')).body;
      expect(
        counted.map((of: { tool: string; calls: number; errors: number }) => [of.tool, of.calls, of.errors]),
      ).toEqual([
        ['echo', 1, 0],
        ['fail', 1, 1],
      ]);
      const { sessions } = (await rest(hub, '/api/sessions?agent=qwen-code')).body;
      const places = sessions.map(({ id, hub: at }: { id: string; hub: string }) => [id, at]);
      expect(places.sort()).toEqual(
        [
          [one.session, idOf.here],
          [other.session, idOf.there],
        ].sort(),
      );
      const { instances } = (await rest(hub, '/api/instances?server=demo')).body;
      const users = instances.flatMap(({ sessions: own }: { sessions: { id: string }[] }) => own.map(({ id }) => id));
      expect(users).toEqual(expect.arrayContaining([one.session, other.session]));
      expect((await rest(hub, '/api/calls/summary?agent=qwen-code')).body).toMatchObject({ calls: 2, errors: 1 });
      // A server that only one of them has in its files.
      const { servers } = (await rest(hub, '/api/status')).body;
      const places2 = servers.map((server: { id: string; hubs: { hub: string }[] }) => [
        server.id,
        server.hubs.map(at => at.hub),
      ]);
      expect(Object.fromEntries(places2)).toEqual({
        demo: expect.arrayContaining([idOf.here, idOf.there]),
        asks: expect.arrayContaining([idOf.here, idOf.there]),
        extra: [idOf.there],
      });
    }
    await here.fetch('/mcp/qwen-code', { method: 'DELETE', headers: { 'mcp-session-id': one.session } });
    await slow;

    // One that does not answer is named; all that the database knows is there.
    here.process.kill('SIGSTOP');
    try {
      const { body } = await rest(there, '/api/calls?agent=qwen-code&outcome=done');
      expect(body.silent_hubs).toEqual([{ id: idOf.here, url: here.url, why: 'it did not answer in time' }]);
      expect(body.calls).toHaveLength(2);
    } finally {
      here.process.kill('SIGCONT');
    }
    await expect.poll(async () => (await rest(there, '/api/status')).body.silent_hubs).toBeUndefined();
  });

  test('a session is at one of them, and its requests are served by whichever they come to', async context => {
    context.skip(missing !== undefined, missing);
    const stream = new SSEClientTransport(new URL(`${here.url}/sse/gemini`), {
      requestInit: { headers: { authorization: `Bearer ${here.token}` } },
      fetch: (url, init) => fetch(init?.method === 'POST' ? String(url).replace(here.url, there.url) : url, init),
    });
    const old = new Client({ name: 'old', version: '1' });
    await old.connect(stream);
    expect((await old.callTool({ name: 'demo_echo', arguments: { text: 'x' } })).content).toMatchObject([
      { text: 'x' },
    ]);
    await old.close();
    const opened = await RawClient.open(here, '/mcp/gemini');
    const elsewhere = opened.at(there);
    expect(await elsewhere.call(1, 'demo_echo', { text: 'x' })).toMatchObject([
      { result: { content: [{ text: 'x' }] } },
    ]);
    const sessionsAt = async (hub: RunningHub) =>
      (await rest(hub, '/api/instances?hub=here')).body.instances
        .flatMap(({ sessions }: { sessions: { id: string }[] }) => sessions.map(({ id }) => id))
        .includes(opened.session);
    expect([await sessionsAt(here), await sessionsAt(there)]).toEqual([true, false]);
    // Nobody else may use it there either.
    const { token } = (await rest(here, '/api/tokens', { method: 'POST', body: { agent: 'gemini' } })).body;
    const headers = { 'mcp-session-id': opened.session, accept: 'text/event-stream' };
    expect((await there.fetch('/mcp/gemini', { token, headers })).status).toBe(404);
    expect((await there.fetch('/mcp/gemini', { method: 'DELETE', headers })).status).toBe(204);
    for (const hub of [here, there]) expect((await hub.fetch('/mcp/gemini', { headers })).status).toBe(404);
  });

  promise('5.9b', 'an approval asked through one is answered through the other', async context => {
    context.skip(missing !== undefined, missing);
    // Of the database, not of the files: those lie in two places here, and a yes is bound to the place of its server.
    await post(there, 'cursor', { enabled: true, servers: { asks: asPosted(testServer()) } });
    await expect.poll(async () => Object.keys((await configOf(here, 'cursor')).body.servers)).toEqual(['asks']);
    const asker = await RawClient.open(here, '/mcp/cursor');
    await using events = await listen(there, '/api/events?types=approval-requested,approval-answered&agent=cursor');
    const waiting = async (hub: RunningHub) => (await rest(hub, '/api/approvals')).body.approvals;
    const ask = async (id: number) => {
      const call = asker.call(id, 'asks_echo', { text: 'x' });
      await expect.poll(async () => (await waiting(there)).length).toBe(1);
      return { call, question: (await waiting(there))[0] };
    };
    const first = await ask(1);
    expect(first.question).toMatchObject({ agent: 'cursor', server: 'asks', tool: 'echo', arguments: { text: 'x' } });
    const answer = { answer: 'once' };
    expect((await rest(there, `/api/approvals/${first.question.id}`, { method: 'POST', body: answer })).status).toBe(
      200,
    );
    expect((await first.call).at(-1)?.result).toEqual(RAN);
    for (const type of ['approval-requested', 'approval-answered']) {
      const heard = await events.until(event => event.type === type);
      expect(heard.data).toMatchObject({ approval_id: first.question.id, server: 'asks', tool: 'echo' });
    }
    const second = await ask(2);
    const home = homes[1] as Home;
    const no = ['approvals', 'answer', second.question.id, 'deny', '--data', home.data];
    expect((await junctor(home, no)).code).toBe(0);
    expect((await second.call).at(-1)?.result).toMatchObject({ isError: true });
    const third = await ask(3);
    const always = { answer: 'always' };
    expect((await rest(there, `/api/approvals/${third.question.id}`, { method: 'POST', body: always })).status).toBe(
      200,
    );
    expect((await third.call).at(-1)?.result).toEqual(RAN);
    // What was allowed for always is so at both; taken back at one, it is asked about at both.
    const other = await RawClient.open(there, '/mcp/cursor');
    expect((await other.call(4, 'asks_echo', { text: 'x' })).at(-1)?.result).toEqual(RAN);
    const { grants } = (await rest(there, '/api/grants')).body;
    expect((await rest(there, `/api/grants/${grants[0].id}`, { method: 'DELETE' })).status).toBe(200);
    const last = await ask(5);
    for (const hub of [here, there])
      expect((await waiting(hub)).map(({ id }: { id: string }) => id)).toEqual([last.question.id]);
    await rest(there, `/api/approvals/${last.question.id}`, { method: 'POST', body: { answer: 'deny' } });
    await last.call;
    const settled = (await rest(there, '/api/approvals?state=all')).body.approvals;
    expect(settled.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['deny', 'always', 'deny', 'once']);
  });
});
