/** One process, many sessions, and one process each: who gets which life of a server, and what reaches whom. */
import {
  everything,
  isRunning,
  makeHome,
  processesMarked,
  promise,
  type RunningHub,
  startedServer,
  startHub,
  testServer,
  trusted,
} from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { crowdRun } from './crowd-run.ts';
import { rest } from './rest-client.ts';
import { EVERY_FEATURE, RawClient } from './rpc.ts';
import { type Peer, sdkPeer } from './sdk-peer.ts';
import { taskClient, ticketOf } from './task-client.ts';

const MARK = 'LC_SHARING_TEST';
const shared = (definition: object) => ({ ...trusted(definition), mode: 'shared' });
const perSession = (definition: object) => ({ ...trusted(definition), mode: 'per_session' });

async function hubWith(servers: object, args: readonly string[] = []) {
  const home = await makeHome();
  const mark = `${MARK}=${Math.random()}`;
  home.env[MARK] = mark.slice(MARK.length + 1);
  const hub = await startHub(home, { version: 1, servers }, args);
  return {
    hub,
    /** Processes of test servers that run now. */
    running: () => processesMarked(mark).filter(({ command }) => command.includes('test-server')),
    async [Symbol.asyncDispose]() {
      await hub[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
    },
  };
}

/** A call of `slow`, once it is under way: a tenth of it is over then. */
async function slowly({ client }: Peer, ms: number, signal?: AbortSignal): Promise<{ done: Promise<unknown> }> {
  const { promise: begun, resolve: onprogress } = Promise.withResolvers<unknown>();
  const done = client.callTool({ name: 'demo_slow', arguments: { ms } }, { onprogress, ...(signal ? { signal } : {}) });
  await begun;
  return { done };
}

const textOf = (messages: readonly { result?: object }[]): string =>
  (messages.at(-1)?.result as { content: { text: string }[] } | undefined)?.content[0]?.text ?? '';
const pidOf = async (client: RawClient, tool = 'pid'): Promise<number> =>
  Number(textOf(await client.call('pid', tool, {})));
const end = (hub: RunningHub, path: string, client: RawClient) =>
  hub.fetch(path, { method: 'DELETE', headers: { 'mcp-session-id': client.session } });

describe('fifty sessions on one shared process', () => {
  promise(
    ['7.2a', '7.2b', '7.2c', '7.2d', '7.2e', '5.4a'],
    'get what is theirs and nothing else: answers, progress, questions, log lines',
    async () => {
      await using place = await hubWith({ demo: shared(testServer()) });
      // Ten times as many calls are made in e2e/rigs/hub-sharing.test.ts.
      const outcome = await crowdRun(place.hub, 'demo', { sessions: 50, callsEach: 20 });
      expect(outcome.wrong).toEqual([]);
      expect(outcome.astray).toEqual([]);
      expect(outcome.calls).toBeGreaterThanOrEqual(1000);
      expect(outcome.pids.size).toBe(1);
      expect(place.running()).toHaveLength(1);
    },
    300_000,
  );
});

describe('a question of a server that sessions share', () => {
  promise(
    ['7.2f', '7.2g', '7.2h'],
    'is for nobody while two can have caused it; from then on such calls run one after the other',
    async () => {
      await using place = await hubWith({ demo: shared(testServer()) });
      await using one = await sdkPeer(place.hub, '/mcp/codex', { era: 'legacy', name: 'One' });
      await using two = await sdkPeer(place.hub, '/mcp/cursor', { era: 'legacy', name: 'Two' });
      const call = (peer: typeof one, tool: string, args = {}) =>
        peer.client.callTool({ name: `demo_${tool}`, arguments: args });
      // With both inside nobody can tell who is meant: neither is asked.
      const leave = new AbortController();
      const slow = await slowly(one, 20_000, leave.signal);
      const refused = await call(two, 'ask_person');
      expect(refused).toMatchObject({ isError: true });
      expect(JSON.stringify(refused)).toContain('cannot be told which of them is meant');
      expect([one.asked, two.asked]).toEqual([[], []]);
      leave.abort();
      await expect(slow.done).rejects.toThrow();
      // Now it is known that it asks: it waits until it is alone, and its session is asked.
      const order: string[] = [];
      const slower = await slowly(one, 1000);
      const before = slower.done.then(() => order.push('slow'));
      const asked = call(two, 'ask_person').then(result => {
        order.push('asked');
        return result;
      });
      expect((await asked).structuredContent).toEqual({ action: 'accept', content: { name: 'Two', colour: 'blue' } });
      await before;
      expect(order).toEqual(['slow', 'asked']);
      expect([one.asked, two.asked]).toEqual([[], ['elicitation/create']]);
    },
  );

  test('comes to the session on whose stream it was asked, where the hub started it behind a URL', async () => {
    await using place = await hubWith({ demo: shared(startedServer('http')) });
    await using one = await sdkPeer(place.hub, '/mcp/codex', { era: 'legacy', name: 'One' });
    await using two = await sdkPeer(place.hub, '/mcp/cursor', { era: 'legacy', name: 'Two' });
    const leave = new AbortController();
    const slow = await slowly(one, 20_000, leave.signal);
    const { structuredContent } = await two.client.callTool({ name: 'demo_ask_person', arguments: {} });
    expect(structuredContent).toEqual({ action: 'accept', content: { name: 'Two', colour: 'blue' } });
    expect([one.asked, two.asked]).toEqual([[], ['elicitation/create']]);
    leave.abort();
    await expect(slow.done).rejects.toThrow();
  });

  promise('7.2n', 'in a task is for the session that made the task, also while another has a call there', async () => {
    await using place = await hubWith({ demo: shared(testServer('--fixtures', '--era', 'legacy')) });
    await using other = await sdkPeer(place.hub, '/mcp/cursor', { era: 'legacy', name: 'Other' });
    const client = await taskClient(place.hub, '/mcp/codex', 'modern', { capabilities: { elicitation: {} } });
    const leave = new AbortController();
    const slow = await slowly(other, 20_000, leave.signal);
    const { taskId } = ticketOf('modern', await client.call('demo_confirm_delete', { filename: 'mine' }));
    const state = async () => (await client.request('tasks/get', { taskId })).result;
    await expect.poll(async () => (await state())?.status).toBe('input_required');
    expect(JSON.stringify(await state())).toContain('Delete mine?');
    expect(other.asked).toEqual([]);
    leave.abort();
    await expect(slow.done).rejects.toThrow();
  });

  promise('7.2h', 'that no session can have caused reaches none', async () => {
    // This one asks for folders as soon as it is greeted: nobody is there yet.
    await using place = await hubWith({ every: shared(everything()) });
    await using peer = await sdkPeer(place.hub, '/mcp/codex', { era: 'legacy' });
    await expect.poll(async () => (await peer.client.listTools()).tools.length).toBeGreaterThan(3);
    expect(peer.asked).toEqual([]);
  });

  test('holds others up for a while only: they get a process of their own', async () => {
    await using place = await hubWith({ demo: shared(testServer()) });
    await using one = await sdkPeer(place.hub, '/mcp/codex', { era: 'legacy', name: 'One' });
    const answered = Promise.withResolvers<{ action: 'accept'; content: { name: string } }>();
    const asked = Promise.withResolvers<void>();
    await one.client.callTool({ name: 'demo_ask_person', arguments: {} });
    one.client.setRequestHandler('elicitation/create', () => {
      asked.resolve();
      return answered.promise;
    });
    const waiting = one.client.callTool({ name: 'demo_ask_person', arguments: {} });
    await asked.promise;
    await using two = await sdkPeer(place.hub, '/mcp/cursor', { era: 'legacy', name: 'Two' });
    const echoed = await two.client.callTool({ name: 'demo_echo', arguments: { text: 'meanwhile' } });
    expect(echoed.content).toEqual([{ type: 'text', text: 'meanwhile' }]);
    expect(place.running()).toHaveLength(2);
    answered.resolve({ action: 'accept', content: { name: 'late' } });
    expect((await waiting).structuredContent).toEqual({ action: 'accept', content: { name: 'late' } });
  });
});

describe('a server of each session', () => {
  promise(
    ['5.4b', '9.10a', '9.10b', '8.23f'],
    'is listed by one process, which is the first session’s; each further session has its own, and it ends with it',
    async () => {
      await using place = await hubWith({ demo: perSession(testServer()), all: shared(testServer()) });
      await expect.poll(() => place.running().length).toBe(2);
      const started = place.running().map(({ pid }) => pid);
      const path = '/servers/demo/mcp';
      // The listing process was told of every feature: it can be that of a client which has them all.
      const open = () => RawClient.open(place.hub, path, { name: 'raw', version: '1' }, EVERY_FEATURE);
      const [one, two] = [await open(), await open()];
      const pids = [await pidOf(one), await pidOf(two)];
      expect(started).toContain(pids[0]);
      expect(started).not.toContain(pids[1]);
      expect(await pidOf(one)).toBe(pids[0]);
      const both = await Promise.all(
        [0, 1].map(async () => pidOf(await RawClient.open(place.hub, '/servers/all/mcp'))),
      );
      expect(both[0]).toBe(both[1]);
      await end(place.hub, path, two);
      await expect.poll(() => isRunning(pids[1] as number)).toBe(false);
      expect(isRunning(pids[0] as number)).toBe(true);
      await end(place.hub, path, one);
      await expect.poll(() => isRunning(pids[0] as number)).toBe(false);
    },
  );

  promise('5.4e', 'over HTTP is started on a port of its own for each session', async () => {
    await using place = await hubWith({ web: perSession(startedServer()) });
    const path = '/servers/web/mcp';
    const clients = [await RawClient.open(place.hub, path), await RawClient.open(place.hub, path)];
    const pids = await Promise.all(clients.map(client => pidOf(client)));
    expect(new Set(pids).size).toBe(2);
    const ports = place.running().map(({ command }) => /--http (\d+)/.exec(command)?.[1]);
    expect(new Set(ports).size).toBe(ports.length);
  });

  test('offers its session what it added itself, at the door of an agent too', async () => {
    await using place = await hubWith({ demo: perSession(testServer()) });
    await using _first = await sdkPeer(place.hub, '/mcp/codex', { era: 'legacy', name: 'One' });
    await _first.client.callTool({ name: 'demo_pid', arguments: {} });
    await using peer = await sdkPeer(place.hub, '/mcp/codex', { era: 'legacy', name: 'Two' });
    await peer.client.callTool({ name: 'demo_add_tool', arguments: { name: 'mine' } });
    await expect.poll(() => peer.heard.map(({ method }) => method)).toContain('notifications/tools/list_changed');
    const names = async (one: typeof peer) => (await one.client.listTools()).tools.map(tool => tool.name);
    expect(await names(peer)).toContain('demo_mine');
    expect(await names(_first)).not.toContain('demo_mine');
    const called = await peer.client.callTool({ name: 'demo_mine', arguments: { a: 1 } });
    expect(called.content).toEqual([{ type: 'text', text: '{"a":1}' }]);
  });

  promise('7.2k', 'runs no more often than it may, and who comes too late learns why', async () => {
    await using place = await hubWith({ demo: perSession(testServer()) }, ['--max-instances', '2']);
    const path = '/mcp/codex';
    const open = () => RawClient.open(place.hub, path, { name: 'raw', version: '1' }, EVERY_FEATURE);
    const clients = await Promise.all([1, 2, 3].map(open));
    const answers = [];
    for (const client of clients) answers.push(textOf(await client.call(1, 'demo_pid', {})));
    expect(answers.slice(0, 2).every(answer => /^\d+$/.test(answer))).toBe(true);
    expect(answers[2]).toContain("Server 'demo' runs 2 times already");
    expect(place.running()).toHaveLength(2);
    await end(place.hub, path, clients[0] as RawClient);
    await expect.poll(async () => textOf(await (clients[2] as RawClient).call(2, 'demo_pid', {}))).toMatch(/^\d+$/);
    expect(place.running().length).toBeLessThanOrEqual(2);
  });

  promise('7.2j', 'that nobody uses for a while is ended, and begun anew when it is needed', async () => {
    await using place = await hubWith({ demo: perSession(testServer()) }, ['--instance-idle', '1']);
    const client = await RawClient.open(place.hub, '/servers/demo/mcp');
    const pid = await pidOf(client);
    await expect.poll(() => isRunning(pid)).toBe(false);
    expect(await pidOf(client)).not.toBe(pid);
  });

  promise(
    '7.2m',
    'that is shared ends too when nobody uses it; lists still name its tools, a call starts it',
    async () => {
      await using place = await hubWith({ demo: shared(testServer()) }, ['--instance-idle', '1']);
      const client = await RawClient.open(place.hub, '/mcp/codex');
      const pid = await pidOf(client, 'demo_pid');
      const named = async (method: string) => JSON.stringify(await client.messages({ id: method, method }));
      const [tools, prompts] = [await named('tools/list'), await named('prompts/list')];
      expect(tools).toContain('demo_echo');
      await expect.poll(() => isRunning(pid)).toBe(false);
      expect([await named('tools/list'), await named('prompts/list')]).toEqual([tools, prompts]);
      expect(place.running()).toEqual([]);
      expect((await rest(place.hub, '/api/status')).body.servers).toMatchObject([{ id: 'demo', state: 'idle' }]);
      expect(await pidOf(client, 'demo_pid')).toBeGreaterThan(0);
    },
  );

  test('is freed when its client is gone in the middle of a call', async () => {
    await using place = await hubWith({ demo: perSession(testServer()) });
    const client = await RawClient.open(place.hub, '/servers/demo/mcp');
    const pid = await pidOf(client);
    const running = client.call(1, 'slow', { ms: 20_000 }).catch(() => 'cut off');
    await expect.poll(async () => (await rest(place.hub, '/api/calls')).body.running.length).toBe(1);
    await end(place.hub, '/servers/demo/mcp', client);
    await running;
    await expect.poll(() => isRunning(pid)).toBe(false);
  });
});
