import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '@junctor/core/internal';
import { dataDirectory, JunctorError } from '@junctor/core/light';
import { findHub, type HubFile } from '@junctor/hub';
import { defineCommand } from '../../command.ts';

/** Longer than a hub with stubborn servers takes to end them all. */
const PATIENCE_MS = 15_000;
const LOOK_EVERY_MS = 50;

export const hubStop = defineCommand({
  async run(context) {
    const data = dataDirectory(context.surroundings, context.global.data);
    const hub = await findHub(data);
    if (!hub) {
      context.answer({ json: { stopped: false }, text: `no hub runs on the data directory ${data}` });
      return 0;
    }
    process.kill(hub.pid, 'SIGTERM');
    await ended(hub, context.signal);
    context.answer({ json: { stopped: true, url: hub.url, pid: hub.pid }, text: `stopped the hub at ${hub.url}` });
    return 0;
  },
});

async function ended({ pid }: HubFile, signal: AbortSignal): Promise<void> {
  const giveUpAt = Date.now() + PATIENCE_MS;
  while (isAlive(pid)) {
    if (Date.now() > giveUpAt) {
      throw new JunctorError('timeout', `The hub, process ${pid}, did not end within ${PATIENCE_MS / 1000} s.`, {
        hint: `kill -9 ${pid}: its servers end with it`,
      });
    }
    await sleep(LOOK_EVERY_MS, undefined, { signal });
  }
}
