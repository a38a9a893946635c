import { setTimeout as sleep } from 'node:timers/promises';
import type { RunningHub } from '@junctor/testkit';

/** So long for servers that never get anywhere; a test of those goes on without them. */
const LONGEST_MS = 20_000;

/**
 * Waits until no server of an agent is being connected any more. A hub lists what is there within a few seconds, so that one
 * slow server holds nobody up; on a busy machine every server is slow, and what a test asks for would be missing.
 */
export async function settled(hub: Pick<RunningHub, 'fetch'>, agent?: string): Promise<void> {
  const giveUpAt = Date.now() + LONGEST_MS;
  while (Date.now() < giveUpAt) {
    const answer = await hub.fetch(`/api/status${agent === undefined ? '' : `?agent=${agent}`}`);
    const { servers = [] } = (await answer.json()) as { servers?: { state: string }[] };
    // Somebody who may not ask is told so, and has no servers here.
    if (!servers.some(({ state }) => state === 'connecting')) return;
    await sleep(50);
  }
}

/** The same for whoever comes in by this door. */
export async function settledBehind(hub: Pick<RunningHub, 'fetch'>, path: string): Promise<void> {
  const agent = /^\/mcp\/([\w-]+)$/.exec(path)?.[1];
  if (agent !== undefined) await settled(hub, agent);
}
