/** What is remembered of a server's era is a help, and never a verdict that keeps it away. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createHost } from '@junctor/core';
import { makeHome } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';

/**
 * Does as the file says: ends at the first question (`dies`), or speaks only one of the two eras. An old one may answer a
 * question it does not know (`legacy`), end at it (`legacy dies`), or say nothing (`legacy silent`).
 */
const SERVER = `
const { readFileSync } = require('node:fs');
const say = message => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
const list = { resultType: 'complete', tools: [{ name: 'hello', inputSchema: { type: 'object' } }] };
const RESULTS = {
  legacy: {
    initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } },
    'tools/list': list,
  },
  modern: {
    'server/discover': { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } },
    'tools/list': list,
  },
};
require('node:readline').createInterface({ input: process.stdin }).on('line', line => {
  const { id, method } = JSON.parse(line);
  const [manner, otherwise = manner] = readFileSync(process.argv[1], 'utf8').split(' ');
  if (otherwise === 'dies' && method === 'server/discover') process.exit(1);
  if (id === undefined) return;
  const result = RESULTS[manner === 'dies' ? 'modern' : manner][method];
  if (!result && otherwise === 'silent') return;
  say(result ? { id, result } : { id, error: { code: -32601, message: 'Method not found' } });
});`;

type Manner = 'dies' | 'legacy' | 'legacy dies' | 'legacy silent' | 'modern';

async function house() {
  const home = await makeHome();
  const file = join(home.path, 'manner');
  const server = {
    transport: 'stdio',
    command: process.execPath,
    args: ['-e', SERVER, file],
    connect_timeout_ms: 6000,
  };
  return {
    be: (manner: Manner) => writeFile(file, manner),
    host: (attempts = 1) => createHost({ config: { servers: { x: server } }, data: home.data, attempts }),
    [Symbol.asyncDispose]: () => home[Symbol.asyncDispose](),
  };
}

describe('a server that speaks only 2026-07-28', () => {
  test('and had a bad day when it was first started is not taken for an old one', async () => {
    await using own = await house();
    await own.be('dies');
    {
      await using host = await own.host();
      await expect(host.links.ready('x')).rejects.toMatchObject({
        code: 'connection_failed',
        message: "Server 'x' exited with code 1 while it was starting.",
      });
    }
    await own.be('modern');
    await using host = await own.host();
    expect((await host.links.ready('x')).greeting.protocolVersion).toBe('2026-07-28');
  });

  test('and spoke an older version yesterday is asked the new way as well', async () => {
    await using own = await house();
    await own.be('legacy');
    {
      await using host = await own.host();
      expect((await host.links.ready('x')).greeting.era).toBe('legacy');
    }
    await own.be('modern');
    {
      await using host = await own.host();
      expect((await host.links.ready('x')).greeting.era).toBe('modern');
    }
    // And from then on first.
    await own.be('dies');
    await using host = await own.host();
    await expect(host.links.ready('x')).rejects.toMatchObject({ code: 'connection_failed' });
  });
});

describe('a server that spoke 2026-07-28 yesterday, and was put back to an old version', () => {
  test.each([
    ['answers with an error', 'legacy'],
    ['ends', 'legacy dies'],
    ['says nothing', 'legacy silent'],
  ] as const)('is greeted the old way, though it %s when it is asked the new way', async (_title, manner) => {
    await using own = await house();
    await own.be('modern');
    {
      await using host = await own.host();
      expect((await host.links.ready('x')).greeting.era).toBe('modern');
    }
    await own.be(manner);
    await using host = await own.host();
    expect((await host.links.ready('x')).greeting.era).toBe('legacy');
  });
});
