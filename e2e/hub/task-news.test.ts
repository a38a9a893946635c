/** Tasks that a client of the newer era listens to, and tasks of a hub that was restarted. */
import { junctor, makeHome, promise, startHub, testServer, trusted } from '@junctor/testkit';
import { expect } from 'vitest';
import { modernAnswer } from './modern-rpc.ts';
import type { Era } from './sdk-peer.ts';
import { settled } from './settled.ts';
import { taskClient, ticketOf, withToken } from './task-client.ts';
import { listenTo } from './task-listen.ts';

const ERAS: readonly Era[] = ['legacy', 'modern'];
const SERVERS = Object.fromEntries(
  ERAS.map(era => [era, { ...trusted(testServer('--era', era, '--fixtures')), mode: 'shared' }]),
);
promise(
  ['11.1i', '11.1j', '11.1c'],
  'a client hears of its own tasks; after a restart it learns why they are gone',
  async () => {
    await using home = await makeHome();
    const made: { readonly path: string; readonly taskId: string }[] = [];
    {
      await using hub = await startHub(home, { version: 1, servers: SERVERS });
      await settled(hub);
      const { stdout } = await junctor(home, ['hub', 'token', '--agent', 'codex', '--data', home.data]);
      const stranger = withToken(hub, stdout.trim().split('\n').at(-1));
      for (const server of ERAS)
        for (const path of ['/mcp/codex', `/servers/${server}/mcp`]) {
          const tool = (name: string) => (path === '/mcp/codex' ? `${server}_${name}` : name);
          const client = await taskClient(hub, path, 'modern', { capabilities: { elicitation: {} } });
          const { taskId } = ticketOf('modern', await client.call(tool('confirm_delete'), { filename: 'x' }));
          const unknown = 'no-such-task';
          await using news = await listenTo(hub, path, [taskId, unknown, taskId]);
          await using foreign = await listenTo(stranger, path, [taskId]);
          await using elsewhere = await listenTo(hub, '/mcp/cursor', [taskId]);
          expect([news.accepted, foreign.accepted, elsewhere.accepted]).toEqual([[taskId], [], []]);
          const states = () => news.told.slice(1).map(({ method, params }) => [method, params.taskId, params.status]);
          await expect.poll(states).toContainEqual(['notifications/tasks', taskId, 'input_required']);
          const asked = news.told.findLast(({ params }) => params.status === 'input_required')?.params;
          const [question = ''] = Object.keys((asked?.inputRequests ?? {}) as object);
          const inputResponses = { [question]: { action: 'accept', content: { confirm: true } } };
          expect((await client.request('tasks/update', { taskId, inputResponses })).error).toBeUndefined();
          await expect.poll(states).toContainEqual(['notifications/tasks', taskId, 'completed']);
          // The same as tasks/get says it, and of which subscription it is.
          const { _meta, ...last } = news.told.at(-1)?.params ?? {};
          const { resultType: _type, ...state } = (await client.request('tasks/get', { taskId })).result ?? {};
          expect(last).toEqual(state);
          expect(_meta).toEqual({ 'io.modelcontextprotocol/subscriptionId': 1 });
          // Somebody who listens once it is over is told at once.
          await using late = await listenTo(hub, path, [taskId]);
          await expect.poll(() => late.told[1]?.params).toMatchObject({ taskId, status: 'completed' });
          expect([foreign.told.length, elsewhere.told.length]).toEqual([1, 1]);
          made.push({ path, taskId });
        }
      const listen = { method: 'subscriptions/listen', params: { notifications: { taskIds: ['x'] } } };
      expect(await modernAnswer(hub, '/mcp/codex', listen)).toMatchObject({ error: { code: -32021 } });
    }
    await using hub = await startHub(home, { version: 1, servers: SERVERS });
    for (const { path, taskId } of made)
      for (const era of ERAS) {
        const client = await taskClient(hub, path, era);
        for (const method of ['tasks/get', 'tasks/cancel'])
          expect(await client.request(method, { taskId })).toMatchObject({
            error: {
              code: -32602,
              message: expect.stringContaining('the hub was restarted'),
              data: { code: 'task_gone' },
            },
          });
        expect(await client.request('tasks/get', { taskId: 'no-such-task' })).toMatchObject({
          error: { code: -32602, message: 'Unknown task: no-such-task' },
        });
      }
  },
);
