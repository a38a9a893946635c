/** A request that is nested deeper than most programs can walk costs itself, and nothing of anybody else. */
import { once } from 'node:events';
import { makeHome, startHub, testServer, trusted } from '@junctor/testkit';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { modernAnswer } from './modern-rpc.ts';
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
  const client = await RawClient.openFirst(hub, '/mcp/codex');
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

test('a message whose method is no text is refused under its id, over HTTP and over a WebSocket', async () => {
  await using home = await makeHome();
  await using hub = await startHub(home, { servers: {} });
  const refused = { jsonrpc: '2.0', id: 7, error: { code: -32600, message: expect.stringContaining('string') } };
  const socket = new WebSocket(`${hub.url.replace('http', 'ws')}/ws/codex`, {
    headers: { authorization: `Bearer ${hub.token}` },
  });
  await once(socket, 'open');
  for (const method of ['{"toString":1}', '1e400', '0.1e1', 'null', '[]']) {
    const body = `{"jsonrpc":"2.0","id":7,"method":${method},"params":{}}`;
    const posted = await hub.fetch('/mcp/codex', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    expect([posted.status, await posted.json()]).toEqual([400, refused]);
    socket.send(body);
    const [answer] = await once(socket, 'message');
    expect(JSON.parse(String(answer))).toEqual(refused);
  }
  socket.terminate();
});

test('a version that is no text is refused, and not answered as a failure of the hub', async () => {
  await using home = await makeHome();
  await using hub = await startHub(home, { servers: {} });
  const meta = { 'io.modelcontextprotocol/protocolVersion': { toString: 1 } };
  const { status, error } = await modernAnswer(hub, '/mcp/codex', { method: 'tools/list', meta });
  expect([status, error]).toMatchObject([400, { code: -32602 }]);
});
