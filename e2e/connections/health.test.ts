import { createHost } from '@junctor/core';
import { isRunning, misbehaving, promise, quietPort, trusted } from '@junctor/testkit';
import { startAuthority } from '@junctor/testkit/authority';
import { serveHttp } from '@junctor/testkit/test-server';
import { describe, expect } from 'vitest';

describe('health', () => {
  promise(['2.7d', '2.7m'], 'two pings without an answer end a quiet server and start it anew', async () => {
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
    await host.call({ server: 'x', tool: 'good_night' });
    await expect.poll(() => states.slice(0, 3)).toEqual(['error', 'connecting', 'ready']);
    expect(host.status()[0]?.last_error).toMatchObject({ message: "Server 'x' no longer answers." });
    expect(await pid()).not.toBe(first);
    await expect.poll(() => isRunning(first)).toBe(false);
  });

  promise('2.7q', 'the waits between attempts are those of the config', async () => {
    const url = `http://127.0.0.1:${await quietPort()}/mcp`;
    const hostWith = (health: object) =>
      createHost({
        config: { servers: { x: { transport: 'http', url } }, health: { reconnect_attempts: 2, ...health } },
      });
    await using patient = await hostWith({ reconnect_first_wait_ms: 600_000, reconnect_longest_wait_ms: 600_000 });
    const waiting = patient.collect('x').catch(() => {});
    // No wait is longer than the longest, whatever the first one is: this one is through before the other goes on.
    await using hasty = await hostWith({ reconnect_first_wait_ms: 600_000, reconnect_longest_wait_ms: 300 });
    await expect(hasty.collect('x')).rejects.toMatchObject({ code: 'connection_failed' });
    expect(patient.links.state('x')).toEqual({ kind: 'connecting', attempt: 1 });
    await patient.close();
    await waiting;
  });

  promise('2.7o', 'a server that is too busy to answer pings is not ended while a call runs', async () => {
    await using host = await createHost({
      config: {
        servers: { busy: trusted(misbehaving('late-pings')) },
        health: { ping_interval_ms: 50, ping_timeout_ms: 50 },
      },
    });
    const call = async (tool: string, args = {}) => (await host.call({ server: 'busy', tool }, args)).output;
    const pid = await call('pid');
    expect(await call('work', { ms: 1500 })).toBe(pid);
    expect(await call('pid')).toBe(pid);
  });

  promise('2.7o', 'a server that answers no ping, but sends something else, is not ended', async () => {
    await using host = await createHost({
      config: {
        servers: { chatty: trusted(misbehaving('late-pings', 'chatty')) },
        health: { ping_interval_ms: 50, ping_timeout_ms: 100 },
      },
    });
    const call = async (tool: string) => (await host.call({ server: 'chatty', tool })).output;
    const pid = await call('pid');
    await expect.poll(async () => Number(await call('pings')), { timeout: 10_000, interval: 400 }).toBeGreaterThan(5);
    expect(await call('pid')).toBe(pid);
  });

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
    'a server that is not there yet is tried again, five times, then at once when asked',
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

  promise('2.7n', 'a server that did not answer within its connect timeout is tried once', async () => {
    await using host = await createHost({
      config: { servers: { hangs: { ...misbehaving('never-answers'), connect_timeout_ms: 200 } } },
    });
    const attempts: number[] = [];
    host.events.on('state-changed', ({ state }) => {
      if (state.kind === 'connecting') attempts.push(state.attempt);
    });
    await expect(host.links.ready('hangs')).rejects.toMatchObject({ code: 'timeout' });
    expect(host.links.state('hangs').kind).toBe('error');
    expect(attempts).toEqual([1]);
  });

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
