/** Faults that an ordinary use of the protocol's SDK ships to its users, each with the proof that we do not. */
import { createHost } from '@junctor/core';
import { everything, promise, trusted } from '@junctor/testkit';
import { oneChunkServer, sdkStdio, serveSdkHttp } from '@junctor/testkit/peers';
import { afterEach, describe, expect, test, vi } from 'vitest';

afterEach(() => {
  vi.useRealTimers();
});

describe('pitfalls', () => {
  test('no progress is lost when it arrives together with the answer', async () => {
    await using host = await createHost({ config: { servers: { s: oneChunkServer() } } });
    await host.tools();
    const seen = await Promise.all(
      Array.from({ length: 80 }, async () => {
        const steps: number[] = [];
        await host.call('mcp__s__work', {}, { onProgress: ({ progress }) => steps.push(progress) });
        return steps;
      }),
    );
    expect(seen).toEqual(Array.from({ length: 80 }, () => [1, 2, 3]));
  });

  test('a list of more pages than 64 is read to its end', async () => {
    await using host = await createHost({ config: { servers: { s: oneChunkServer() } } });
    expect(await host.tools()).toHaveLength(300);
  });

  test('a server that speaks the newer protocol is spoken to in it, without being asked for', async () => {
    await using server = await serveSdkHttp();
    await using host = await createHost({ config: { servers: { s: { transport: 'http', url: server.url } } } });
    await host.tools();
    expect(host.status()).toMatchObject([{ protocol_version: '2026-07-28' }]);
  });

  promise(
    '2.13a',
    'a server that asks for roots right after the greeting, with no call in flight, gets them',
    async () => {
      const roots = [{ uri: 'file:///home/ada/work', name: 'work' }];
      await using host = await createHost({ roots, config: { servers: { s: trusted(everything()) } } });
      await host.tools();
      await expect.poll(async () => (await host.tools()).map(({ tool }) => tool)).toContain('get-roots-list');
      const answered = await host.call('mcp__s__get-roots-list');
      expect(answered.output).toContain('file:///home/ada/work');
    },
  );

  test.for(['legacy', 'modern'])('the time a person takes to answer does not run out the call (%s)', async protocol => {
    // The person's time is the only one that passes.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'hrtime'] });
    await using host = await createHost({
      config: { servers: { s: { ...sdkStdio(), protocol, tool_idle_timeout_ms: 800 } } },
      elicit: async () => {
        await vi.advanceTimersByTimeAsync(1600);
        return { action: 'accept', content: { name: 'Ada' } };
      },
    });
    expect((await host.call('mcp__s__ask_name')).output).toBe('hello Ada');
  });
});
