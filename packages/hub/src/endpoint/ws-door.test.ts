import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { TokenEnds } from '../security/token-ends.ts';
import { Sessions } from '../visit/sessions.ts';
import { Bodies } from './bodies.ts';
import { KeepAlive } from './keep-alive.ts';
import { News } from './news.ts';
import { WsDoor } from './ws-door.ts';

const MIB = 1024 * 1024;
const blank = (bytes: number) => Buffer.alloc(bytes, ' ');

/** A door, and clients of it. */
async function withDoor(
  messageMs: number | undefined,
  use: (open: () => Promise<WebSocket>, heard: { bytes: number }) => Promise<void>,
): Promise<void> {
  const sessions = new Sessions(() => {});
  const [bodies, keepAlive, news, ends] = [new Bodies(3 * MIB), new KeepAlive(), new News(sessions), new TokenEnds()];
  const context = { sessions, connections: new Set<never>(), bodies, keepAlive, news, ends, elsewhere: undefined };
  const door = new WsDoor(context, messageMs);
  const server = createServer();
  const heard = { bytes: 0 };
  server.on('upgrade', (request, socket, head) => {
    socket.on('data', (piece: Buffer) => {
      heard.bytes += piece.length;
    });
    const room = () => expect.unreachable();
    void door.upgrade({
      path: '/ws/codex',
      room,
      owner: { principal: 'agent x', by: 'hub', bearer: { kind: 'agent', agent: 'codex' } },
      request,
      socket,
      head,
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const clients: WebSocket[] = [];
  const open = async () => {
    const client = new WebSocket(address);
    clients.push(client.on('error', () => {}));
    await once(client, 'open');
    return client;
  };
  try {
    await use(open, heard);
  } finally {
    for (const client of clients) client.terminate();
    await door.close();
    server.close();
    server.closeAllConnections();
  }
}

const answered = async (client: WebSocket) => JSON.parse(String((await once(client, 'message'))[0])).error.code;

test('large messages are held as far as there is room for them together, small ones always', async () => {
  await withDoor(undefined, async (open, heard) => {
    const [slow, refused, small] = [await open(), await open(), await open()];
    slow.send(blank(3 * MIB), { binary: false, fin: false });
    await expect.poll(() => heard.bytes).toBeGreaterThan(3 * MIB);
    const left = once(refused, 'close');
    refused.send(blank(3 * MIB), { binary: false });
    const [code, reason] = await left;
    expect([code, String(reason)]).toEqual([1013, expect.stringContaining('again in a moment')]);
    // Each message of a connection counts for itself.
    for (let count = 0; count < 3; count++) {
      small.send(blank(MIB - 100), { binary: false });
      expect(await answered(small)).toBe(-32700);
    }
    slow.send('x', { fin: true });
    expect(await answered(slow)).toBe(-32700);
    // What is read, and what nobody finishes, takes no room.
    heard.bytes = 0;
    slow.send(blank(3 * MIB), { binary: false, fin: false });
    await expect.poll(() => heard.bytes).toBeGreaterThan(3 * MIB);
    slow.terminate();
    const again = async () => {
      const client = await open();
      client.send(blank(3 * MIB), { binary: false });
      return Promise.race([answered(client), once(client, 'close').then(([why]) => why)]);
    };
    await expect.poll(again).toBe(-32700);
  });
});

test('half of a large message keeps its room for a while only, a small one as long as it likes', async () => {
  await withDoor(50, async open => {
    const [large, small] = [await open(), await open()];
    small.send(blank(MIB / 2), { binary: false, fin: false });
    const left = once(large, 'close');
    large.send(blank(2 * MIB), { binary: false, fin: false });
    expect((await left)[0]).toBe(1008);
    small.send('x', { fin: true });
    expect(await answered(small)).toBe(-32700);
  });
});

test('signs of life are no message, however many come', async () => {
  await withDoor(50, async open => {
    const [alive, large] = [await open(), await open()];
    const signs = Math.ceil((2 * MIB) / 125);
    let heard = 0;
    alive.on('pong', () => heard++);
    for (let count = 0; count < signs; count++) alive.ping(blank(125));
    await expect.poll(() => heard).toBe(signs);
    // Its time begins later, and is over.
    const left = once(large, 'close');
    large.send(blank(2 * MIB), { binary: false, fin: false });
    await left;
    alive.send('x');
    expect(await answered(alive)).toBe(-32700);
  });
});
