/**
 * A port for a server that goes away and comes back. It lies below those the system gives out unasked, so that no program
 * beside this test is given it meanwhile.
 */
import { once } from 'node:events';
import { createServer } from 'node:net';

const LOWEST = 20_000;
const HIGHEST = 32_000;

export async function ownPort(): Promise<number> {
  for (;;) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST));
    const probe = createServer();
    const free = await new Promise<boolean>(resolve => {
      probe.once('error', () => resolve(false));
      probe.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!free) continue;
    probe.close();
    await once(probe, 'close');
    return port;
  }
}
