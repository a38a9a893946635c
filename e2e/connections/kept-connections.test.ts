/** Connections that are kept for the next request, and are no longer good when it comes. */
import type { Socket } from 'node:net';
import { createHost } from '@junctor/core';
import { afterEach, expect, test, vi } from 'vitest';
import { type SmallHttp, smallHttp } from './small-http.ts';

afterEach(() => void vi.useRealTimers());

const hostAt = ({ url }: SmallHttp) =>
  createHost({ config: { servers: { x: { transport: 'http', url, trust: 'trusted', oauth: false } } }, attempts: 1 });

/** A server that knows nothing of the connections it has so far: what comes over them is answered as a stranger would. */
async function forgetfulServer() {
  const seen = new Set<Socket>();
  const forgotten = new Set<Socket>();
  const server = await smallHttp(({ request }) => {
    const { socket } = request;
    seen.add(socket);
    if (!forgotten.has(socket)) return;
    socket.resetAndDestroy();
    return true;
  });
  const forget = (): void => {
    for (const socket of seen) forgotten.add(socket);
  };
  return { server, forget };
}

test('after the sleep of a machine none of them is used', async () => {
  const { server, forget } = await forgetfulServer();
  await using _ = server;
  await using host = await hostAt(server);
  const work = async () => (await host.call({ server: 'x', tool: 'work' })).output;
  await work();
  forget();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 8 * 60 * 60_000 });
  expect(await work()).toBe('done');
});

test('a list that was asked for over one is asked for again', async () => {
  const { server, forget } = await forgetfulServer();
  await using _ = server;
  await using host = await hostAt(server);
  const names = async () => (await host.collect('x')).map(({ name }) => name);
  await names();
  forget();
  host.invalidateAll();
  expect(await names()).toEqual(['work']);
});
