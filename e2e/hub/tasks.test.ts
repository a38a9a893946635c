/** Calls that run as tasks: at both endpoints, for all pairs of eras, and for nobody but their owner. */
import { join } from 'node:path';
import { junctor, makeHome, promise, ROOT, type RunningHub, startHub, testServer, trusted } from '@junctor/testkit';
import { type HttpTestServer, serveHttp } from '@junctor/testkit/test-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { modernAnswer } from './modern-rpc.ts';
import { type Era, sdkPeer } from './sdk-peer.ts';
import { settled } from './settled.ts';
import { outcomeOf, type TaskClient, type TaskState, taskClient, textOf, ticketOf, withToken } from './task-client.ts';

const ERAS: readonly Era[] = ['legacy', 'modern'];
const ENDPOINTS = ['agent', 'server'] as const;
const PAIRS = ERAS.flatMap(client => ERAS.map(server => ({ client, server })));
const TABLE = ENDPOINTS.flatMap(endpoint => PAIRS.map(pair => ({ endpoint, ...pair })));

let home: Awaited<ReturnType<typeof makeHome>>;
let hub: RunningHub;
const upstreams: HttpTestServer[] = [];

beforeAll(async () => {
  home = await makeHome();
  const servers: Record<string, object> = {};
  for (const era of ERAS) {
    const web = await serveHttp(0, { era, fixtures: true });
    upstreams.push(web);
    // Sessions share it: that is where tasks could cross.
    servers[`web-${era}`] = { ...trusted({ transport: 'http', url: web.url }), mode: 'shared' };
    servers[`pipe-${era}`] = { ...trusted(testServer('--era', era, '--fixtures')), mode: 'shared' };
    servers[`own-${era}`] = { ...trusted(testServer('--era', era, '--fixtures')), mode: 'per_session' };
  }
  hub = await startHub(home, { version: 1, servers });
  await settled(hub);
});

afterAll(async () => {
  await hub[Symbol.asyncDispose]();
  for (const upstream of upstreams) await upstream.close();
  await home[Symbol.asyncDispose]();
});

const pathOf = (endpoint: (typeof ENDPOINTS)[number], server: string): string =>
  endpoint === 'agent' ? '/mcp/codex' : `/servers/${server}/mcp`;
const named = (endpoint: (typeof ENDPOINTS)[number], server: string, tool: string): string =>
  endpoint === 'agent' ? `${server}_${tool}` : tool;

const tokenOf = async (...who: string[]): Promise<string | undefined> => {
  const { stdout } = await junctor(home, ['hub', 'token', ...who, '--data', home.data]);
  const token = stdout.trim().split('\n').at(-1);
  await expect.poll(async () => (await hub.fetch('/mcp/codex', { ...(token ? { token } : {}) })).status).not.toBe(401);
  return token;
};

/** A server that knows no tasks. */
const PLAIN = 'e2e/connections/peers/asking.ts';

/** A client of the older era that says yes to everything, and keeps what it was asked. */
async function askedPeer(at: RunningHub, path: string, asked: unknown[]) {
  const { client, ...peer } = await sdkPeer(at, path, { era: 'legacy' });
  client.setRequestHandler('elicitation/create', ({ params }) => {
    asked.push(params);
    return { action: 'accept', content: { confirm: true } };
  });
  const request = (method: string, params: Record<string, unknown>): Promise<Record<string, unknown>> =>
    client.request({ method, params } as never, z.looseObject({})) as Promise<Record<string, unknown>>;
  return { request, [Symbol.asyncDispose]: peer[Symbol.asyncDispose] };
}

const stateOf = async (client: TaskClient, taskId: string): Promise<TaskState> =>
  (await client.request('tasks/get', { taskId })).result as unknown as TaskState;

describe.each(TABLE)('at the $endpoint endpoint, a $client client and a $server server', pair => {
  const { endpoint, client: era } = pair;
  const server = `pipe-${pair.server}`;
  const path = pathOf(endpoint, server);
  const tool = (name: string): string => named(endpoint, server, name);

  promise('11.1a', 'a call becomes a task, is looked up and has its result', async () => {
    const client = await taskClient(hub, path, era);
    const ticket = ticketOf(era, await client.call(tool('slow_compute'), { seconds: 0.3, label: 'x' }));
    expect(ticket.status).toBe('working');
    expect(JSON.stringify(ticket)).not.toContain('serverInfo');
    expect(await stateOf(client, ticket.taskId)).toMatchObject({ taskId: ticket.taskId });
    expect((await client.list())?.map(({ taskId }) => taskId) ?? [ticket.taskId]).toEqual([ticket.taskId]);
    expect(textOf(await outcomeOf(client, ticket.taskId))).toBe('computed x');
    expect((await stateOf(client, ticket.taskId)).status).toBe('completed');
  });

  promise('11.1a', 'a tool that fails and one that breaks end as each era says it', async () => {
    const client = await taskClient(hub, path, era);
    const failing = ticketOf(era, await client.call(tool('failing_job'), {}));
    expect(await outcomeOf(client, failing.taskId)).toMatchObject({ result: { isError: true } });
    expect((await stateOf(client, failing.taskId)).status).toBe(era === 'legacy' ? 'failed' : 'completed');
    const broken = ticketOf(era, await client.call(tool('protocol_error_job'), {}));
    expect(await outcomeOf(client, broken.taskId)).toMatchObject({ error: { message: 'The job broke.' } });
    expect((await stateOf(client, broken.taskId)).status).toBe('failed');
  });

  promise('11.1b', 'a cancelled task ends, and stays cancelled', async () => {
    const client = await taskClient(hub, path, era);
    const { taskId } = ticketOf(era, await client.call(tool('slow_compute'), { seconds: 60 }));
    expect((await client.request('tasks/cancel', { taskId })).error).toBeUndefined();
    expect((await stateOf(client, taskId)).status).toBe('cancelled');
  });

  promise('11.1d', 'tools that run only as tasks answer a client that knows none', async () => {
    const client = await taskClient(hub, path, era);
    expect(await client.callPlainly(tool('failing_job'), {})).toMatchObject({
      result: { isError: true, content: [{ text: 'the job failed' }] },
    });
    expect(textOf(await client.callPlainly(tool('slow_compute'), { seconds: 0, label: 'y' }))).toBe('computed y');
    expect(await client.callPlainly(tool('protocol_error_job'), {})).toMatchObject({
      error: { message: 'The job broke.' },
    });
  });

  promise(['11.1c', '7.2n'], 'another token, another endpoint and another session find no task', async () => {
    const client = await taskClient(hub, path, era);
    const { taskId } = ticketOf(era, await client.call(tool('slow_compute'), { seconds: 60 }));
    const others: TaskClient[] = [];
    const token = await tokenOf('--agent', 'codex');
    const elsewhere = endpoint === 'agent' ? '/mcp/cursor' : '/mcp/codex';
    for (const other of ERAS) {
      others.push(await taskClient(hub, elsewhere, other));
      if (endpoint === 'agent') others.push(await taskClient(withToken(hub, token), path, other));
    }
    for (const other of others) {
      expect((await other.list()) ?? []).toEqual([]);
      for (const method of ['tasks/get', other.era === 'legacy' ? 'tasks/result' : 'tasks/update', 'tasks/cancel'])
        expect(await other.request(method, { taskId, inputResponses: {} })).toMatchObject({ error: { code: -32602 } });
    }
    // The same token finds it again, in another session too; only lists are of one session.
    const again = await taskClient(hub, path, 'legacy', { name: 'again' });
    expect(await again.list()).toEqual([]);
    expect((await stateOf(again, taskId)).status).toBe('working');
    await client.request('tasks/cancel', { taskId });
  });
});

test('a client that knows no tasks of the newer era may not ask about one', async () => {
  const client = await taskClient(hub, '/mcp/codex', 'modern');
  const { taskId } = ticketOf('modern', await client.call('pipe-modern_slow_compute', { seconds: 0 }));
  expect(await modernAnswer(hub, '/mcp/codex', { method: 'tasks/get', params: { taskId } })).toMatchObject({
    status: 400,
    error: { code: -32021, data: { requiredCapabilities: { extensions: { 'io.modelcontextprotocol/tasks': {} } } } },
  });
});

describe.each(PAIRS)(
  'a task of a $server server that asks, and a $client client',
  ({ client: era, server: serverEra }) => {
    promise('11.1g', 'gets its answers, in the way of the client’s era', async () => {
      const tool = `pipe-${serverEra}_confirm_delete`;
      if (era === 'modern') {
        const client = await taskClient(hub, '/mcp/codex', era, { capabilities: { elicitation: {} } });
        const { taskId } = ticketOf(era, await client.call(tool, { filename: 'a.txt' }));
        await expect.poll(async () => (await stateOf(client, taskId)).status).toBe('input_required');
        const { inputRequests } = await stateOf(client, taskId);
        const [key, question] = Object.entries(inputRequests as object)[0] as [string, { method: string }];
        expect(question).toMatchObject({ method: 'elicitation/create', params: { message: 'Delete a.txt?' } });
        const answer = { action: 'accept', content: { confirm: true } };
        await client.request('tasks/update', { taskId, inputResponses: { [key]: answer } });
        expect(textOf(await outcomeOf(client, taskId))).toBe('deleted a.txt');
        return;
      }
      const asked: unknown[] = [];
      await using peer = await askedPeer(hub, '/mcp/codex', asked);
      const { task } = (await peer.request('tools/call', {
        name: tool,
        arguments: { filename: 'a.txt' },
        task: { ttl: 60_000 },
      })) as { task: TaskState };
      const result = await peer.request('tasks/result', { taskId: task.taskId });
      expect(textOf({ result })).toBe('deleted a.txt');
      expect(asked).toMatchObject([
        { message: 'Delete a.txt?', _meta: { 'io.modelcontextprotocol/related-task': { taskId: task.taskId } } },
      ]);
    });

    promise('11.1g', 'asks a client too that knows no tasks', async () => {
      await using peer = await sdkPeer(hub, '/mcp/codex', { era, name: 'Grace' });
      const { content } = await peer.client.callTool({ name: `pipe-${serverEra}_test_tool_with_task`, arguments: {} });
      expect(content).toEqual([{ type: 'text', text: 'Hello, Grace!' }]);
      expect(peer.asked).toEqual(['elicitation/create']);
    });
  },
);

describe.each(PAIRS)('the result of a task of a $server server', ({ client: era, server: serverEra }) => {
  promise('11.1e', `is there for a ${era} client that comes back, from a process of its own too`, async () => {
    for (const server of [`own-${serverEra}`, `web-${serverEra}`]) {
      const path = '/mcp/cursor';
      const before = await taskClient(hub, path, era, { name: 'before' });
      const { taskId } = ticketOf(era, await before.call(`${server}_slow_compute`, { seconds: 1, label: 'kept' }));
      await before.end();
      const after = await taskClient(hub, path, era, { name: 'after' });
      expect(textOf(await outcomeOf(after, taskId))).toBe('computed kept');
    }
  });
});

describe('tasks are announced', () => {
  promise('11.1h', 'where a server behind the endpoint runs some, and nowhere else', async () => {
    await using place = await makeHome();
    const plain = trusted({ transport: 'stdio', command: process.execPath, args: [join(ROOT, PLAIN)] });
    const both = { plain, demo: trusted(testServer('--era', 'modern')) };
    const agents = { other: { servers: ['plain'] } };
    await using other = await startHub(place, { version: 1, servers: both, agents });
    await settled(other);
    const legacy = async (path: string, version = '2025-11-25'): Promise<object> => {
      const params = { protocolVersion: version, capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
      const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
      const text = await (await other.fetch(path, { method: 'POST', headers, body })).text();
      return JSON.parse(/\{.*\}/.exec(text)?.[0] ?? '{}').result.capabilities;
    };
    const modern = async (path: string) =>
      (await modernAnswer(other, path, { method: 'server/discover' })).result?.capabilities;
    const tasks = { list: {}, cancel: {}, requests: { tools: { call: {} } } };
    const extensions = { 'io.modelcontextprotocol/tasks': {} };
    for (const path of ['/mcp/codex', '/servers/demo/mcp']) {
      expect(await legacy(path)).toMatchObject({ tasks });
      expect(await modern(path)).toMatchObject({ extensions });
      expect(await legacy(path, '2025-06-18')).not.toHaveProperty('tasks');
    }
    for (const path of ['/mcp/other', '/servers/plain/mcp']) {
      expect(await legacy(path)).not.toHaveProperty('tasks');
      expect(await modern(path)).not.toHaveProperty('extensions');
    }
  });

  promise('11.1h', 'and no tool is listed as one that requires a task', async () => {
    const supports = async (path: string, tool: string): Promise<unknown> => {
      const client = await taskClient(hub, path, 'legacy');
      const { result } = await client.request('tools/list', {});
      const tools = result?.tools as { name: string; execution?: { taskSupport?: string } }[];
      return tools.find(({ name }) => name === tool)?.execution?.taskSupport;
    };
    for (const era of ERAS) {
      expect(await supports('/mcp/codex', `pipe-${era}_failing_job`)).toBe('optional');
      expect(await supports(`/servers/pipe-${era}/mcp`, 'failing_job')).toBe('optional');
    }
    expect(await supports('/servers/pipe-legacy/mcp', 'greet')).toBeUndefined();
  });
});
