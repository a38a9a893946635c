/** The documents Junctor was made from differ from each other, and from docs/promises.md: there the page decides. */
import { createHost } from '@junctor/core';
import { makeHome, promise, startHub, testServer, trusted } from '@junctor/testkit';
import { serveHttp } from '@junctor/testkit/test-server';
import { expect } from 'vitest';
import { readClauses } from '../../scripts/clauses.mjs';
import { watchedHttp } from '../acceptance/watched.ts';
import { RawClient } from '../hub/rpc.ts';

const NAMES = { codelia: /^mcp_demo_echo_[0-9a-f]{8}$/, 'code-agent': /^echo@demo$/, cocode: /^mcp__demo__echo$/ };

promise('9.14a', 'where another document says otherwise, the program does what docs/promises.md says', async () => {
  const page = new Map(readClauses().map(({ id, state, statement }) => [id, { state, statement }]));
  const kept = (id: string): string | undefined =>
    page.get(id)?.state === 'kept' ? page.get(id)?.statement : undefined;
  await using home = await makeHome();

  // Names: two documents have others. The page has one for the library, and another for the doors of the hub.
  expect(kept('3.1h')).toContain('`mcp__<server>__<tool>`');
  expect(kept('3.1i')).toContain('`<server>_<tool>`');
  const { command, args } = testServer();
  const files = {
    codelia: { version: 1, mcp: { servers: { demo: { transport: 'stdio', command, args } } } },
    'code-agent': { mcp: { servers: { demo: { type: 'stdio', command, args } } } },
  } as const;
  for (const [dialect, file] of Object.entries(files)) {
    const path = await home.write(`${dialect}.json`, file);
    await using host = await createHost({ path, isolated: true, dialect: dialect as keyof typeof files });
    const names = (await host.tools()).map(({ name }) => name);
    expect(names).toContain('mcp__demo__echo');
    expect(names.filter(name => NAMES[dialect as keyof typeof files].test(name))).toEqual([]);
  }
  await using hub = await startHub(home, { version: 1, servers: { demo: trusted(testServer()) } });
  const client = await RawClient.open(hub, '/mcp/codex');
  const [answer] = await client.messages({ id: 1, method: 'tools/list' });
  const { tools = [] } = (answer?.result ?? {}) as { tools?: { name: string }[] };
  expect(tools.map(({ name }) => name)).toContain('demo_echo');
  expect(tools.filter(({ name }) => NAMES.cocode.test(name))).toEqual([]);

  // Capabilities: one document gives no roots at first. The page answers a server that asks for them.
  expect(kept('2.13a')).toContain('`roots/list`');
  const server = await serveHttp(0, { era: 'legacy' });
  await using http = await watchedHttp(server.url);
  try {
    await using host = await createHost({
      config: { servers: { demo: { transport: 'http', url: http.url, protocol: 'legacy' } } },
      roots: [{ uri: 'file:///work' }],
    });
    await host.tools();
    expect(http.said()[0]?.params?.capabilities).toHaveProperty('roots');
  } finally {
    await server.close();
  }

  // Rules: one document compares a rule with the name as a text. The page gives nothing to a server that imitates it.
  expect(kept('3.4f')).toContain('imitates');
  await using host = await createHost({
    config: {
      version: 1,
      servers: { fs: testServer(), fs__evil: testServer() },
      permissions: { allow: ['mcp__fs__*'] },
    },
  });
  expect([host.judge('fs', 'echo').effect, host.judge('fs__evil', 'echo').effect]).toEqual(['allow', 'ask']);
});
