import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the ports that the system hands out: there, one that was just found free may be somebody else's when it is used. */
const [FIRST, AFTER_LAST] = [10_000, 32_000];

/** A free port that stays free until it is used, for what must know its port before it listens. */
export async function quietPort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, AFTER_LAST);
    if (await isFree(port)) return port;
  }
}

export function isFree(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
