import { createHost } from '@junctor/core';
import { isRunning, misbehaving, promise, quietPort, trusted } from '@junctor/testkit';
import { startAuthority } from '@junctor/testkit/authority';
import { serveHttp } from '@junctor/testkit/test-server';
import { describe, expect } from 'vitest';

describe('health', () => {
  promise(
    ['2.7d', '2.7k', '2.7m'],
    'two pings without an answer end a server, fail its calls and start it anew',
    async () => {
      await using host = await createHost({
        config: {
          servers: { x: trusted(misbehaving('falls-silent')) },
          // A busy machine leaves a good server without a turn for a while: that must not look like silence.
          health: { ping_interval_ms: 100, ping_timeout_ms: 1500 },
        },
      });
      const pid = async () => Number((await host.call({ server: 'x', tool: 'pid' })).output);
      const first = await pid();
      const states: string[] = [];
      host.events.on('state-changed', ({ state }) => states.push(state.kind));
      await expect(host.call({ server: 'x', tool: 'hush' })).rejects.toMatchObject({
        code: 'connection_lost',
        message: "Server 'x' no longer answers.",
      });
      await expect.poll(() => states.slice(0, 3)).toEqual(['error', 'connecting', 'ready']);
      expect(await pid()).not.toBe(first);
      await expect.poll(() => isRunning(first)).toBe(false);
    },
  );

  promise('2.7d', 'a server behind an address that nobody answers at any more is not called ready', async () => {
    const server = await serveHttp(await quietPort());
    await using host = await createHost({
      config: {
        servers: { x: trusted({ transport: 'http', url: server.url }) },
        health: { ping_interval_ms: 50, ping_timeout_ms: 1000 },
      },
      attempts: 1,
    });
    await host.links.ready('x');
    await server.close();
    await expect.poll(() => host.links.state('x').kind).toBe('error');
  });

  promise(
    ['2.7i', '2.7e', '2.7f', '2.7g'],
    'a server that is not there yet is tried again, five times, then only when asked',
    async () => {
      const port = await quietPort();
      await using host = await createHost({
        config: { servers: { late: { transport: 'http', url: `http://127.0.0.1:${port}/mcp`, trust: 'trusted' } } },
      });
      const attempts: number[] = [];
      host.events.on('state-changed', ({ state }) => {
        if (state.kind === 'connecting') attempts.push(state.attempt);
      });
      await expect(host.collect('late')).rejects.toMatchObject({ code: 'connection_failed' });
      expect(attempts).toEqual([1, 2, 3, 4, 5]);
      expect(host.links.state('late').kind).toBe('error');
      setTimeout(() => void host.collect('late').catch(() => {}), 1100);
      const server = await serveHttp(port);
      try {
        await expect.poll(() => host.links.state('late').kind).toBe('ready');
      } finally {
        await host.close();
        await server.close();
      }
    },
  );

  promise('2.7j', 'a failed login and a missing program are not tried again', async () => {
    await using authority = await startAuthority();
    const locked = { transport: 'http', url: authority.mcpUrl };
    await using host = await createHost({
      config: { servers: { gone: { transport: 'stdio', command: 'no-such-program' }, locked } },
    });
    const attempts: string[] = [];
    host.events.on('state-changed', ({ server, state }) => {
      if (state.kind === 'connecting') attempts.push(server);
    });
    await expect(host.collect('gone')).rejects.toMatchObject({ code: 'command_not_found' });
    await expect(host.collect('locked')).rejects.toMatchObject({ code: 'auth_required' });
    expect(attempts).toEqual(['gone', 'locked']);
  });
});
