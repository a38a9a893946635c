/** A request that is nested deeper than most programs can walk costs itself, and nothing of anybody else. */
import { once } from 'node:events';
import { makeHome, startHub, testServer, trusted } from '@junctor/testkit';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { rest } from './rest-client.ts';
import { RawClient } from './rpc.ts';

const DEEP = `{"deep":${'['.repeat(60_000)}${']'.repeat(60_000)}}`;
const TOO_DEEP = { code: -32600, message: expect.stringContaining('more than 500 times') };

/** As text: what writes JSON cannot write this. */
const call = (name: string) =>
  `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"${name}","arguments":${DEEP}}}`;

test('a call with such arguments is refused at every door, and all other calls are written down', async () => {
  await using home = await makeHome();
  await using hub = await startHub(home, { servers: { demo: trusted(testServer()) } });
  const client = await RawClient.open(hub, '/mcp/codex');
  const json = { 'content-type': 'application/json' };
  const send = (path: string, body: string, headers: object = json): Promise<Response> =>
    hub.fetch(path, { method: 'POST', headers: { ...json, ...headers }, body });

  const posted = await send('/mcp/codex', call('demo_echo'), { 'mcp-session-id': client.session });
  expect([posted.status, await posted.json()]).toEqual([400, { jsonrpc: '2.0', id: 7, error: TOO_DEEP }]);

  const byPerson = await send('/api/calls', `{"server":"demo","tool":"echo","arguments":${DEEP}}`);
  expect([byPerson.status, await byPerson.json()]).toMatchObject([400, { error: { code: 'usage' } }]);

  const socket = new WebSocket(`${hub.url.replace('http', 'ws')}/ws/codex`, {
    headers: { authorization: `Bearer ${hub.token}` },
  });
  await once(socket, 'open');
  socket.send(call('demo_echo'));
  const [answer] = await once(socket, 'message');
  expect(JSON.parse(String(answer))).toEqual({ jsonrpc: '2.0', id: 7, error: TOO_DEEP });
  socket.terminate();

  await client.call(8, 'demo_echo', { text: 'x' });
  const { running, calls } = (await rest(hub, '/api/calls')).body;
  expect(running).toEqual([]);
  expect(calls).toMatchObject([{ tool: 'echo', outcome: 'done', arguments: '{"text":"x"}' }]);
  expect((await rest(hub, '/api/instances')).body.instances).toMatchObject([{ server: 'demo', calls: 0 }]);
});
