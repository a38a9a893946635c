/** A server of 2025-11-25 that wants a page visited first, and a client of 2026-07-28, which knows no error for that. */
import { makeHome, type RunningHub, startHub, trusted } from '@junctor/testkit';
import { expect, test } from 'vitest';
import { modernAnswer } from './modern-rpc.ts';
import { RawClient } from './rpc.ts';

/** Wants the page again until it was asked for as often as the arguments say. */
const SERVER = `
let visits = 0;
const say = message => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
require('node:readline').createInterface({ input: process.stdin }).on('line', line => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const serverInfo = { name: 'pages', version: '1' };
  if (method === 'initialize') return say({ id, result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo } });
  if (method === 'tools/list') return say({ id, result: { tools: [{ name: 'pay', inputSchema: { type: 'object' } }] } });
  if (method !== 'tools/call') return say({ id, error: { code: -32601, message: 'no' } });
  const page = { mode: 'url', elicitationId: 'page-' + visits, url: 'https://pay.example/' + visits, message: 'Pay first' };
  if (visits++ < params.arguments.times) return say({ id, error: { code: -32042, message: 'Visit first', data: { elicitations: [page] } } });
  say({ id, result: { content: [{ type: 'text', text: 'paid after ' + (visits - 1) }] } });
});`;

const CONFIG = {
  version: 1,
  servers: { shop: trusted({ transport: 'stdio', command: process.execPath, args: ['-e', SERVER] }) },
};
const URL_CLIENT = { elicitation: { url: {} } };

const call = (hub: RunningHub, path: string, times: number, more: object = {}, capabilities: object = URL_CLIENT) => {
  const name = path.startsWith('/mcp') ? 'shop_pay' : 'pay';
  const params = { name, arguments: { times }, ...more };
  return modernAnswer(hub, path, { method: 'tools/call', params, capabilities });
};

test.each(['/mcp/codex', '/servers/shop/mcp'])('at %s the client is sent there, and the call goes on', async path => {
  await using home = await makeHome();
  await using hub = await startHub(home, CONFIG);
  let answer = await call(hub, path, 2);
  for (const visit of [0, 1]) {
    const { inputRequests = {}, requestState, resultType } = answer.result ?? {};
    const [[key, question] = ['']] = Object.entries(inputRequests as object);
    expect([resultType, question]).toEqual([
      'input_required',
      {
        method: 'elicitation/create',
        params: {
          mode: 'url',
          elicitationId: `page-${visit}`,
          url: `https://pay.example/${visit}`,
          message: 'Pay first',
        },
      },
    ]);
    answer = await call(hub, path, 2, { requestState, inputResponses: { [key]: { action: 'accept' } } });
  }
  expect(answer.result).toMatchObject({ resultType: 'complete', content: [{ text: 'paid after 2' }] });
});

test('a client that declines, or cannot be sent anywhere, is told why; an older one gets the error as it is', async () => {
  await using home = await makeHome();
  await using hub = await startHub(home, CONFIG);
  const asked = await call(hub, '/mcp/codex', 9);
  const { requestState, inputRequests = {} } = asked.result ?? {};
  const [key = ''] = Object.keys(inputRequests as object);
  const declined = await call(hub, '/mcp/codex', 9, { requestState, inputResponses: { [key]: { action: 'decline' } } });
  expect(declined.result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('declined') }] });
  const unable = await call(hub, '/mcp/codex', 9, {}, {});
  expect([unable.status, unable.error]).toEqual([
    400,
    {
      code: -32021,
      message: expect.stringContaining('mode url'),
      data: { requiredCapabilities: { elicitation: { url: {} } } },
    },
  ]);
  const legacy = await RawClient.open(hub, '/servers/shop/mcp');
  expect((await legacy.call(1, 'pay', { times: 9 }))[0]?.error).toMatchObject({ code: -32042 });
});
