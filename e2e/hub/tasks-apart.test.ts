/** Two agents in two projects use one process of a shared server: what one of them tries to reach of the other's tasks. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Home,
  junctor,
  makeHome,
  promise,
  type RunningHub,
  startHubIn,
  testServer,
  trusted,
} from '@junctor/testkit';
import { afterAll, beforeAll, describe, expect, vi } from 'vitest';
import * as z from 'zod';
import { clientIn, makeProject, registeredIn } from './in-project.ts';
import { modernAnswer } from './modern-rpc.ts';
import { rest } from './rest-client.ts';
import { RawClient } from './rpc.ts';
import type { Era } from './sdk-peer.ts';
import { outcomeOf, type TaskClient, taskClient, textOf, ticketOf, withToken } from './task-client.ts';
import { listenTo } from './task-listen.ts';

const ERAS: readonly Era[] = ['legacy', 'modern'];
const ENDPOINTS = ['agent', 'server'] as const;
type Endpoint = (typeof ENDPOINTS)[number];
const TABLE = ENDPOINTS.flatMap(endpoint => ERAS.map(era => ({ endpoint, era })));

/** On a busy machine. */
const PATIENCE = { timeout: 60_000, interval: 50 };

let home: Home;
let hub: RunningHub;
let one: string;
let two: string;
/** Of the two projects, as addresses carry them. */
let ids: { readonly one: string; readonly two: string };
let tokens: { readonly codex: string; readonly cursor: string };

beforeAll(async () => {
  home = await makeHome();
  const common = { ...trusted(testServer('--fixtures')), mode: 'shared' };
  await mkdir(join(home.path, 'config', 'junctor'), { recursive: true });
  await home.write('config/junctor/config.json', { version: 1, servers: { common } });
  one = await makeProject(home, 'one', { alpha: trusted(testServer()) });
  two = await makeProject(home, 'two', {});
  hub = await startHubIn(home, home.project);
  ids = { one: await registeredIn(hub, one), two: await registeredIn(hub, two) };
  const tokenOf = async (agent: string): Promise<string> =>
    (await junctor(home, ['hub', 'token', '--agent', agent])).stdout.trim().split('\n').at(-1) ?? '';
  tokens = { codex: await tokenOf('codex'), cursor: await tokenOf('cursor') };
  for (const token of Object.values(tokens))
    await vi.waitUntil(async () => (await hub.fetch('/servers/common/mcp', { token })).status !== 401, PATIENCE);
  for (const id of Object.values(ids))
    await vi.waitUntil(async () => {
      const { servers } = (await rest(hub, `/api/status?project=${id}`)).body as { servers: { state: string }[] };
      return servers.every(({ state }) => state === 'ready');
    }, PATIENCE);
});

afterAll(async () => {
  await hub[Symbol.asyncDispose]();
  await home[Symbol.asyncDispose]();
});

const pathOf = (endpoint: Endpoint, agent: string, project: string): string =>
  endpoint === 'agent' ? `/mcp/${agent}/w/${project}` : `/servers/common/mcp/w/${project}`;
const toolAt = (path: string, tool: string): string => (path.startsWith('/mcp/') ? `common_${tool}` : tool);

/** Everybody but the owner: another token, and the owner's token where the task was not made. */
function strangers(endpoint: Endpoint): { readonly token: string; readonly path: string }[] {
  const { codex, cursor } = tokens;
  const other = endpoint === 'agent' ? 'server' : 'agent';
  return [
    { token: cursor, path: pathOf('agent', 'cursor', ids.one) },
    { token: cursor, path: pathOf('agent', 'cursor', ids.two) },
    { token: cursor, path: pathOf('server', 'cursor', ids.one) },
    { token: cursor, path: pathOf('server', 'cursor', ids.two) },
    { token: codex, path: pathOf(endpoint, 'codex', ids.two) },
    { token: codex, path: pathOf(other, 'codex', ids.one) },
  ];
}

async function expectNothing(client: TaskClient, taskId: string): Promise<void> {
  expect((await client.list()) ?? []).toEqual([]);
  for (const method of ['tasks/get', client.era === 'legacy' ? 'tasks/result' : 'tasks/update', 'tasks/cancel'])
    expect(await client.request(method, { taskId, inputResponses: {} })).toEqual(
      expect.objectContaining({ error: { code: -32602, message: `Unknown task: ${taskId}` } }),
    );
}

describe.each(TABLE)('a task of a $era client at the $endpoint endpoint of one project', ({ endpoint, era }) => {
  promise(['11.1c', '7.2n', '5.10f'], 'is out of reach for others on the same process', async () => {
    const path = pathOf(endpoint, 'codex', ids.one);
    const owner = await taskClient(withToken(hub, tokens.codex), path, era);
    const pid = textOf(await owner.callPlainly(toolAt(path, 'pid'), {}));
    const { taskId } = ticketOf(era, await owner.call(toolAt(path, 'slow_compute'), { seconds: 600 }));
    for (const { token, path: elsewhere } of strangers(endpoint)) {
      const as = withToken(hub, token);
      for (const other of ERAS) {
        const stranger = await taskClient(as, elsewhere, other);
        if (other === 'legacy') expect(textOf(await stranger.callPlainly(toolAt(elsewhere, 'pid'), {}))).toBe(pid);
        await expectNothing(stranger, taskId);
        await stranger.end();
      }
      await using news = await listenTo(as, elsewhere, [taskId]);
      expect(news.accepted).toEqual([]);
    }
    // The session of the owner, with another token: nobody is let in.
    const raw = await RawClient.open(withToken(hub, tokens.codex), path);
    const stolen = raw.at(withToken(hub, tokens.cursor));
    const answer = await stolen.post({ id: 1, method: 'tasks/get', params: { taskId } });
    expect([403, 404]).toContain(answer.status);
    // The server's own tasks are asked for by nobody: an id of the server leads nowhere, and nothing was cancelled.
    const state = (await owner.request('tasks/get', { taskId })).result;
    expect(state).toMatchObject({ status: 'working' });
    expect((await owner.request('tasks/cancel', { taskId })).error).toBeUndefined();
  });
});

promise(['11.1c', '7.2n', '5.10f'], 'junctor connect in another project reaches no task either', async () => {
  const path = pathOf('agent', 'codex', ids.one);
  const owner = await taskClient(withToken(hub, tokens.codex), path, 'modern');
  const { taskId } = ticketOf('modern', await owner.call('common_slow_compute', { seconds: 600 }));
  for (const [folder, agent] of [
    [two, 'codex'],
    [two, 'cursor'],
    // The same project and the same agent: another token all the same, which the hub made for this connection.
    [one, 'codex'],
  ] as const) {
    await using connected = await clientIn(home, folder, { agent });
    const ask = (method: string, params: object) =>
      connected.client.request({ method, params } as never, z.looseObject({})) as Promise<{ tasks?: unknown }>;
    expect((await ask('tasks/list', {})).tasks).toEqual([]);
    for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel'])
      await expect(ask(method, { taskId })).rejects.toThrow(`Unknown task: ${taskId}`);
  }
  expect((await owner.request('tasks/get', { taskId })).result).toMatchObject({ status: 'working' });
  await owner.request('tasks/cancel', { taskId });
});

promise(['7.2n', '5.10f'], 'a question of a task, its progress and its state come to its owner alone', async () => {
  const path = pathOf('agent', 'codex', ids.one);
  const owner = await taskClient(withToken(hub, tokens.codex), path, 'modern', { capabilities: { elicitation: {} } });
  const { taskId } = ticketOf('modern', await owner.call('common_confirm_delete', { filename: 'x' }));
  await expect
    .poll(async () => (await owner.request('tasks/get', { taskId })).result)
    .toMatchObject({ status: 'input_required' });
  // A session of the other project, with the same progress token, hears all that is said to it meanwhile.
  const elsewhere = pathOf('agent', 'cursor', ids.two);
  const other = await RawClient.open(
    withToken(hub, tokens.cursor),
    elsewhere,
    { name: 'other', version: '1' },
    { elicitation: {}, tasks: { list: {}, cancel: {} } },
  );
  const messages = await other.call(1, 'common_slow', { ms: 50, steps: 2 }, { progressToken: taskId });
  expect(messages.flatMap(({ method }) => (method === undefined ? [] : [method]))).not.toContain('elicitation/create');
  expect(JSON.stringify(messages.filter(({ method }) => method !== 'notifications/progress'))).not.toContain(taskId);
  const answered = await modernAnswer(withToken(hub, tokens.cursor) as RunningHub, elsewhere, {
    method: 'tasks/update',
    params: { taskId, inputResponses: { confirm: { action: 'accept', content: { confirm: true } } } },
    capabilities: { extensions: { 'io.modelcontextprotocol/tasks': {} } },
  });
  expect(answered.error).toMatchObject({ code: -32602 });
  expect((await owner.request('tasks/get', { taskId })).result).toMatchObject({ status: 'input_required' });
  await owner.request('tasks/cancel', { taskId });
  // No resource of a server of the other project can be subscribed to, in either era.
  const { result } = await modernAnswer(withToken(hub, tokens.codex) as RunningHub, path, { method: 'resources/list' });
  const uris = ((result?.resources ?? []) as { uri: string }[]).map(({ uri }) => uri);
  const uri = uris.find(address => new URL(address).host === 'alpha') as string;
  const [refused] = await other.messages({ id: 2, method: 'resources/subscribe', params: { uri } });
  expect(refused?.error).toBeDefined();
  const { accepted } = await resourcesAt(elsewhere, uri);
  expect(accepted).toEqual([]);
  expect((await outcomeOf(owner, taskId)).result).toBeUndefined();
});

/** Which of these resources a client of the newer era may listen to in the other project. */
async function resourcesAt(path: string, uri: string): Promise<{ readonly accepted: unknown }> {
  await using news = await listenTo(withToken(hub, tokens.cursor), path, [], { resourceSubscriptions: [uri] });
  return { accepted: news.told[0]?.params.notifications?.resourceSubscriptions };
}
