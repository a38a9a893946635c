import diagnostics from 'node:diagnostics_channel';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHost, type HostEvent } from '@junctor/core';
import { misbehaving, promise, testServer, trusted } from '@junctor/testkit';
import { oldServer } from '@junctor/testkit/peers';
import { describe, expect, test } from 'vitest';

const many = (count: number): Record<string, object> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`s${at}`, oldServer('answers', '/dev/null')]));

/** How many processes were being created at the same moment, at most. */
function watchStarts(): { most: () => number } & Disposable {
  let starting = 0;
  let most = 0;
  const onCreated = (message: unknown): void => {
    starting++;
    most = Math.max(most, starting);
    const { process } = message as { process: NodeJS.EventEmitter };
    process.once('spawn', () => starting--);
  };
  diagnostics.subscribe('child_process', onCreated);
  return { most: () => most, [Symbol.dispose]: () => diagnostics.unsubscribe('child_process', onCreated) };
}

/** Answers a connection only when told to; counts how many wait. */
async function patientServer() {
  const held: (() => void)[] = [];
  let most = 0;
  const http = createServer((request, response) => {
    request.resume();
    held.push(() => response.writeHead(503).end());
    most = Math.max(most, held.length);
  });
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve));
  return {
    url: (at: number) => `http://127.0.0.1:${(http.address() as AddressInfo).port}/${at}`,
    waiting: () => held.length,
    most: () => most,
    release: () => {
      for (const answer of held.splice(0)) answer();
    },
    async [Symbol.asyncDispose]() {
      http.closeAllConnections();
      await new Promise(resolve => http.close(resolve));
    },
  };
}

describe('servers that begin', () => {
  promise('2.5d', 'are at most 3 at once on this machine', async () => {
    using starts = watchStarts();
    await using host = await createHost({ config: { servers: many(8) } });
    await host.start();
    expect(starts.most()).toBeGreaterThan(1);
    // The guard that ends servers of a killed host is a process too, and starts beside them.
    expect(starts.most()).toBeLessThanOrEqual(4);
  });

  promise('2.5e', 'hold no slot while their answer is waited for', async () => {
    const config = {
      startup: { local_at_once: 1 },
      servers: { mute: misbehaving('never-answers'), demo: testServer() },
    };
    await using host = await createHost({ config });
    void host.links.ready('mute').catch(() => {});
    expect(await host.collect('demo')).not.toHaveLength(0);
    expect(host.links.state('mute').kind).toBe('connecting');
  });

  promise(
    '2.5k',
    'hold their slot until they answer where the config says so, and free it when they fail',
    async () => {
      const mute = { ...misbehaving('never-answers'), connect_timeout_ms: 1000 };
      const servers = { mute, broken: misbehaving('dies-early'), demo: testServer() };
      await using host = await createHost({
        config: { startup: { local_at_once: 1, slot_until: 'ready' }, servers },
        attempts: 1,
      });
      using starts = watchStarts();
      const order: string[] = [];
      const begun = ['mute', 'broken', 'demo'].map(id =>
        host.links.ready(id).then(
          () => order.push(`${id} ready`),
          () => order.push(`${id} failed`),
        ),
      );
      await Promise.all(begun);
      // One after the other, in the order in which they were wanted.
      expect(order).toEqual(['mute failed', 'broken failed', 'demo ready']);
      // The guard that ends servers of a killed host is a process too, and starts beside them.
      expect(starts.most()).toBeLessThanOrEqual(2);
      // A slot that counts another way is still given back.
      await host.links.close('demo');
      expect(await host.collect('demo')).not.toHaveLength(0);
    },
  );

  promise(['2.5f', '2.5g'], 'are at most 20 at once on other machines, or as many as the config says', async () => {
    for (const [startup, limit] of [
      [{}, 20],
      [{ remote_at_once: 4 }, 4],
    ] as const) {
      await using remote = await patientServer();
      const servers = Object.fromEntries(
        Array.from({ length: 25 }, (_, at) => [
          `r${at}`,
          { transport: 'http', url: remote.url(at), protocol: 'legacy' },
        ]),
      );
      await using host = await createHost({ attempts: 1, config: { startup, servers } });
      const started = host.start();
      await expect.poll(() => remote.waiting()).toBe(limit);
      const releasing = setInterval(() => remote.release(), 5);
      expect((await started).failed).toHaveLength(25);
      clearInterval(releasing);
      expect(remote.most()).toBeLessThanOrEqual(limit);
    }
  });

  promise(['2.11a', '2.11b'], 'are told one by one, and at the end together', async () => {
    const servers = { demo: trusted(testServer()), broken: misbehaving('dies-early') };
    await using host = await createHost({ attempts: 1, config: { servers } });
    const heard: HostEvent[] = [];
    host.events.listen(event => {
      if (event.type.startsWith('startup')) heard.push(event);
    });
    await host.start();
    expect(heard.slice(0, 2)).toEqual([
      { type: 'startup-update', server: 'demo', status: 'starting' },
      { type: 'startup-update', server: 'broken', status: 'starting' },
    ]);
    expect(heard.slice(2, 4)).toEqual(
      expect.arrayContaining([
        { type: 'startup-update', server: 'demo', status: 'ready' },
        { type: 'startup-update', server: 'broken', status: 'failed' },
      ]),
    );
    expect(heard.slice(4)).toEqual([
      {
        type: 'startup-complete',
        servers: ['demo'],
        failed: [{ server: 'broken', error: expect.objectContaining({ code: 'connection_failed' }) }],
      },
    ]);
  });

  test('do so at once where the program or the config says eager', async () => {
    for (const options of [{ connect: 'eager' }, { startup: { connect: 'eager' } }] as const) {
      const startup = 'startup' in options ? { startup: options.startup } : {};
      await using host = await createHost({ ...options, config: { ...startup, servers: { demo: testServer() } } });
      await expect.poll(() => host.links.state('demo').kind).toBe('ready');
    }
  });
});
