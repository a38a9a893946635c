import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { Bodies } from './bodies.ts';

const MIB = 1024 * 1024;

test('large bodies are read as far as there is room for them together, small ones always', async () => {
  const bodies = new Bodies(3 * MIB);
  let heard = 0;
  const server = createServer(async (asked, answer) => {
    asked.on('data', (piece: Buffer) => {
      heard += piece.length;
    });
    const body = await bodies.read(asked).catch(() => '');
    answer.end(typeof body === 'string' ? String(body.length) : String(body.status));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  /** Sends its first part at once, and the rest when it is told to. */
  const send = (first: number, rest = 0) => {
    const outgoing = request({ port, host: '127.0.0.1', method: 'POST', agent: false });
    const answered = new Promise<string>((resolve, reject) => {
      outgoing.on('error', reject);
      outgoing.on('response', async answer => resolve((await answer.toArray()).join('')));
    });
    outgoing.write(Buffer.alloc(first));
    const finish = (): Promise<string> => {
      outgoing.end(Buffer.alloc(rest));
      return answered;
    };
    return { finish, leave: () => outgoing.destroy(), answered };
  };
  try {
    // The first MiB of each counts for nothing.
    const slow = send(3 * MIB, 10);
    await expect.poll(() => heard).toBe(3 * MIB);
    expect(await send(3 * MIB).finish()).toBe('503');
    expect(await send(MIB).finish()).toBe(String(MIB));
    expect(await slow.finish()).toBe(String(3 * MIB + 10));
    heard = 0;
    const leaving = send(3 * MIB);
    leaving.answered.catch(() => {});
    await expect.poll(() => heard).toBe(3 * MIB);
    expect(await send(3 * MIB).finish()).toBe('503');
    leaving.leave();
    // What nobody finishes takes no room.
    await expect.poll(() => send(3 * MIB).finish()).toBe(String(3 * MIB));
  } finally {
    server.close();
    server.closeAllConnections();
  }
});
