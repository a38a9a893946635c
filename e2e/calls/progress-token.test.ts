/** Progress keeps a call from its idle limit, also where the caller wants to hear of none. */
import { createHost } from '@junctor/core';
import { junctor, makeHome, promise, startHub, testServer, trusted } from '@junctor/testkit';
import { expect } from 'vitest';
import { modernAnswer } from '../hub/modern-rpc.ts';
import { RawClient } from '../hub/rpc.ts';

/** Reports its progress ten times while it works: each pause is far shorter than the idle limit, the call far longer. */
const demo = { ...trusted(testServer()), tool_idle_timeout_ms: 1500 };
const args = { ms: 4000 };

promise(
  '2.8m',
  'a library call without a listener outlasts the idle limit while its server reports progress',
  async () => {
    await using host = await createHost({ config: { servers: { demo } } });
    expect(await host.call({ server: 'demo', tool: 'slow' }, args)).toMatchObject({ success: true });
  },
);

promise('2.8m', 'so does a call at the command line', async () => {
  await using home = await makeHome();
  const file = await home.write('junctor.json', { version: 1, servers: { demo } });
  const words = [
    'mcp',
    'call',
    'demo',
    'slow',
    '--args',
    JSON.stringify(args),
    '--yes',
    '--config',
    file,
    '--isolated',
  ];
  expect(await junctor(home, words)).toMatchObject({ code: 0 });
});

promise(['2.8m', '2.8i'], 'so do calls through the hub, and clients without a token hear of no progress', async () => {
  await using home = await makeHome();
  await using hub = await startHub(home, { version: 1, servers: { demo } });
  const agent = await RawClient.open(hub, '/mcp/codex');
  const server = await RawClient.open(hub, '/servers/demo/mcp');
  const answers = await Promise.all([
    agent.call(1, 'demo_slow', args),
    server.call(1, 'slow', args),
    modernAnswer(hub, '/mcp/codex', { method: 'tools/call', params: { name: 'demo_slow', arguments: args } }),
  ]);
  for (const answer of answers.flat()) expect(answer).toMatchObject({ result: { content: [{ type: 'text' }] } });
  expect(answers.slice(0, 2).map(messages => (messages as unknown[]).length)).toEqual([1, 1]);
});
