import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createHost } from '@junctor/core';
import { makeHome, promise, testServer, trusted } from '@junctor/testkit';
import { fragileServer } from '@junctor/testkit/peers';
import { describe, expect, test } from 'vitest';
import { Restartable } from './restartable.ts';
import { smallHttp } from './small-http.ts';

describe('a call', () => {
  promise(
    ['7.11b', '7.11f'],
    'that was sent to a server which died ends as unknown, and is not sent again',
    async () => {
      await using home = await makeHome();
      const diary = join(home.path, 'diary');
      await using host = await createHost({ config: { servers: { shop: fragileServer(diary) } } });
      await host.tools();
      await expect(host.call('mcp__shop__pay')).rejects.toMatchObject({ code: 'connection_lost', outcome: 'unknown' });
      expect((await host.call('mcp__shop__pay')).output).toBe('call 2');
      expect(await readFile(diary, 'utf8')).toBe('pay\npay\n');
    },
  );

  promise('7.11e', 'that does no harm twice is sent again after its server died', async () => {
    await using home = await makeHome();
    const diary = join(home.path, 'diary');
    await using host = await createHost({ config: { servers: { shop: fragileServer(diary) } } });
    await host.tools();
    expect((await host.call('mcp__shop__look')).output).toBe('call 2');
    expect(await readFile(diary, 'utf8')).toBe('look\nlook\n');
  });

  promise('7.11d', 'that never left is sent again, and runs once', async () => {
    await using shop = new Restartable();
    const url = await shop.start();
    await using host = await createHost({
      config: { servers: { shop: { transport: 'http', url, trust: 'trusted' } } },
    });
    await host.tools();
    await shop.stop();
    const call = host.call('mcp__shop__pay');
    await sleep(50);
    await shop.start();
    expect((await call).output).toBe('paid');
    expect(shop.calls).toBe(1);
  });

  promise('7.11a', 'that never left ends as not sent when its server stays away', async () => {
    await using shop = new Restartable();
    const url = await shop.start();
    await using host = await createHost({
      config: { servers: { shop: { transport: 'http', url, trust: 'trusted' } } },
    });
    await host.tools();
    await shop.stop();
    await expect(host.call('mcp__shop__pay')).rejects.toMatchObject({ code: 'connection_failed', outcome: 'not_sent' });
  });

  test('that is given up before it leaves ends as not sent', async () => {
    await using host = await createHost({ config: { servers: { demo: trusted(testServer()) } } });
    await host.tools();
    const call = host.call('mcp__demo__echo', { text: 'x' }, { signal: AbortSignal.abort() });
    await expect(call).rejects.toMatchObject({ code: 'cancelled', outcome: 'not_sent' });
  });

  test('that was answered with something else than HTTP did arrive: it is not told as not sent', async () => {
    await using server = await smallHttp(({ asked, response }) => {
      if (asked.method !== 'tools/call') return;
      response.socket?.end('nonsense\r\n\r\n');
      return true;
    });
    await using host = await createHost({
      config: { servers: { x: trusted({ transport: 'http', url: server.url }) } },
    });
    await expect(host.call({ server: 'x', tool: 'work' })).rejects.toMatchObject({
      code: 'malformed_response',
      message: "Server 'x' answered something that is not HTTP.",
      outcome: 'done',
    });
  });

  test.for([
    ['an error without a message', { error: { code: -32602 } }, 'server_error', 'it did not say why'],
    ['an error that is a word', { error: 'no' }, 'server_error', 'refused tools/call: no'],
    ['no error and no result', { error: null }, 'malformed_response', 'not JSON-RPC'],
    ['a result that is nothing', { result: null }, 'malformed_response', 'without a result'],
    ['a result that is a word', { result: 'done' }, 'malformed_response', 'without a result'],
  ] as const)('that gets %s fails as such', async ([, answer, code, said]) => {
    await using server = await smallHttp(exchange => {
      if (exchange.asked.method === 'tools/call') return exchange.answer(answer);
    });
    await using host = await createHost({
      config: { servers: { x: trusted({ transport: 'http', url: server.url }) } },
    });
    await expect(host.call({ server: 'x', tool: 'work' })).rejects.toMatchObject({
      code,
      message: expect.stringContaining(said),
      outcome: 'done',
    });
  });

  test('that is answered with questions without sense fails as such', async () => {
    await using server = await smallHttp(({ asked, answer }) => {
      const capabilities = { tools: {} };
      if (asked.method === 'server/discover')
        return answer({ result: { supportedVersions: ['2026-07-28'], capabilities } });
      if (asked.method !== 'tools/call') return;
      return answer({ result: { resultType: 'input_required', inputRequests: { name: null } } });
    });
    await using host = await createHost({
      config: { servers: { x: trusted({ transport: 'http', url: server.url }) } },
    });
    await expect(host.call({ server: 'x', tool: 'work' })).rejects.toMatchObject({
      code: 'malformed_response',
      message: "Server 'x' asked for inputs without saying which.",
    });
  });

  test('that the server refused is done', async () => {
    await using host = await createHost({ config: { servers: { demo: trusted(testServer()) } } });
    const failed = host.call({ server: 'demo', tool: 'no_such_tool' });
    await expect(failed).rejects.toMatchObject({ code: 'tool_not_found' });
  });
});
