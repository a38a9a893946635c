/** The handshake: which version is spoken, and what the server can do in it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { SharedState } from '../../shared-state.ts';
import { commonCapabilities, experimental } from '../identity.ts';
import { TASK_CAPABILITY } from './tasks.ts';

/** Newest first. */
export const LEGACY_VERSIONS: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

const NEWEST = '2025-11-25';

/** The version the client asks for; the newest one where it asks for another. */
export function agreedVersion(asked: unknown): string {
  return LEGACY_VERSIONS.find(version => version === asked) ?? NEWEST;
}

/** Tasks, and streams that are broken off to be taken up again, came with the last version. */
export function isNewest(version: string): boolean {
  return version === NEWEST;
}

export async function greeting(version: string, shared: SharedState, signal: AbortSignal): Promise<object> {
  if (shared.options.delayMs) await sleep(shared.options.delayMs, undefined, { signal });
  return {
    protocolVersion: version,
    capabilities: {
      ...commonCapabilities(shared),
      logging: {},
      ...(isNewest(version) && !shared.options.offer ? { tasks: TASK_CAPABILITY } : {}),
      ...experimental(shared),
    },
    serverInfo: shared.info,
    instructions: shared.instructions,
  };
}
