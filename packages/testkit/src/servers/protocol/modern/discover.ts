/** server/discover: what a handshake said in the legacy era, for whoever wants to know it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { SharedState } from '../../shared-state.ts';
import { commonCapabilities, experimental } from '../identity.ts';
import { MODERN_VERSIONS } from './envelope.ts';
import { TASKS_EXTENSION } from './tasks.ts';

export async function discover(shared: SharedState, signal: AbortSignal): Promise<object> {
  if (shared.options.delayMs) await sleep(shared.options.delayMs, undefined, { signal });
  return {
    supportedVersions: MODERN_VERSIONS,
    capabilities: {
      ...commonCapabilities(shared),
      logging: {},
      ...(shared.options.offer ? {} : { extensions: { [TASKS_EXTENSION]: {} } }),
      ...experimental(shared),
    },
    instructions: shared.instructions,
  };
}
