import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createHost, type HostEvent, type HostOptions } from '@junctor/core';
import { makeHome, promise } from '@junctor/testkit';
import { OLD_EVERYTHING, oldEverything, oldServer, sdkStdio, serveSdkHttp } from '@junctor/testkit/peers';
import { describe, expect, test } from 'vitest';

const hostOf = (servers: Record<string, object>, more: HostOptions = {}) =>
  createHost({ config: { servers }, ...more });

const versionOf = async (host: Awaited<ReturnType<typeof createHost>>, id: string): Promise<string> =>
  (await host.links.ready(id)).greeting.protocolVersion;

describe('a server of an older revision', () => {
  promise('2.1d', 'is used at its own version: 2025-06-18, 2025-03-26, 2024-11-05', async () => {
    const versions = Object.keys(OLD_EVERYTHING) as (keyof typeof OLD_EVERYTHING)[];
    await using host = await hostOf(
      Object.fromEntries(versions.map(version => [`v${version}`, oldEverything(version)])),
    );
    for (const version of versions) {
      const id = `v${version}`;
      expect(await versionOf(host, id)).toBe(version);
      const tools = (await host.tools()).filter(({ server }) => server === id).map(({ tool }) => tool);
      expect(tools).toContain('echo');
      const echoed = await host.call({ server: id, tool: 'echo' }, { message: 'hello' });
      expect(echoed.output).toBe('Echo: hello');
    }
  });

  test.for(['answers', 'silent', 'dies'] as const)(
    'that %s when it is probed is used, and not probed again',
    async manner => {
      await using home = await makeHome();
      const diary = join(home.path, 'diary');
      const says = async (): Promise<string[]> => (await readFile(diary, 'utf8')).trim().split('\n');
      const use = async (): Promise<void> => {
        await using host = await hostOf({ old: oldServer(manner, diary) }, { data: home.data });
        expect((await host.call({ server: 'old', tool: 'hello' })).output).toBe('hello');
      };
      await use();
      const first = await says();
      expect(first.slice(0, 2)).toEqual(['start', 'server/discover']);
      // Only where there is no other way is it started twice.
      expect(first.filter(word => word === 'start')).toHaveLength(manner === 'dies' ? 2 : 1);
      await use();
      const second = (await says()).slice(first.length);
      expect(second.slice(0, 3)).toEqual(['start', 'initialize', 'notifications/initialized']);
      expect(second).not.toContain('server/discover');
    },
  );
});

describe('a server of 2026-07-28', () => {
  promise('2.1e', 'that speaks nothing else is listed and called', async () => {
    await using server = await serveSdkHttp('reject');
    await using host = await hostOf({ modern: { transport: 'http', url: server.url, trust: 'trusted' } });
    expect(await versionOf(host, 'modern')).toBe('2026-07-28');
    expect((await host.tools()).map(({ tool }) => tool)).toEqual(['ask_name', 'echo']);
    expect((await host.call('mcp__modern__echo', { text: 'grüße' })).output).toBe('grüße');
    // No handshake, and every request says who sends it.
    const methods = server.requests.map(({ body }) => body.method);
    expect(methods).not.toContain('initialize');
    for (const { headers, body } of server.requests) {
      expect(headers).toMatchObject({ 'mcp-protocol-version': '2026-07-28', 'mcp-method': body.method });
      expect(body.params?._meta).toMatchObject({ 'io.modelcontextprotocol/clientInfo': { name: 'junctor' } });
    }
    const call = server.requests.find(({ body }) => body.method === 'tools/call');
    expect(call?.headers['mcp-name']).toBe('echo');
  });

  test.for(['http', 'stdio'])('asks a person over %s, and the same call goes on with the answer', async way => {
    await using server = await serveSdkHttp();
    const asked: unknown[] = [];
    await using host = await hostOf(
      { peer: way === 'http' ? { transport: 'http', url: server.url, trust: 'trusted' } : sdkStdio() },
      {
        elicit: async (request, { server: from }) => {
          asked.push([from, request.message]);
          return { action: 'accept', content: { name: 'Ada' } };
        },
      },
    );
    expect(await versionOf(host, 'peer')).toBe('2026-07-28');
    expect((await host.call('mcp__peer__ask_name')).output).toBe('hello Ada');
    expect(asked).toEqual([['peer', 'What is your name?']]);
  });

  test('tells of a changed list on the stream that is opened for it', async () => {
    await using server = await serveSdkHttp();
    await using host = await hostOf({ peer: { transport: 'http', url: server.url } });
    await host.tools();
    const changed = Promise.withResolvers<HostEvent>();
    host.events.on('list-changed', changed.resolve);
    await expect.poll(() => server.requests.some(({ body }) => body.method === 'subscriptions/listen')).toBe(true);
    // The stream may be a moment from being open on the other side.
    const again = setInterval(() => server.toolsChanged(), 50);
    expect(await changed.promise).toEqual({ type: 'list-changed', server: 'peer', list: 'tools' });
    clearInterval(again);
  });
});

describe('protocol', () => {
  test('legacy greets a server of both eras the old way', async () => {
    await using host = await hostOf({ peer: { ...sdkStdio(), protocol: 'legacy' } });
    expect(await versionOf(host, 'peer')).toBe('2025-11-25');
  });

  test('modern refuses a server that knows only the old way, and says what to do', async () => {
    await using home = await makeHome();
    await using host = await hostOf({ old: { ...oldServer('answers', join(home.path, 'diary')), protocol: 'modern' } });
    await expect(host.links.ready('old')).rejects.toMatchObject({
      code: 'protocol_unsupported',
      hint: `set "protocol": "auto" on server 'old'`,
    });
  });
});
