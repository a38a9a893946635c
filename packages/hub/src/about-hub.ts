/** What a hub was started with, as far as people may see it: what is not given is its default. */
import { performance } from 'node:perf_hooks';
import { JUNCTOR_BY_NAME } from '@junctor/core/config-write';
import { DEFAULT_KEEP_MS } from './calls/records.ts';
import { PLAIN_COMMANDS } from './commands.ts';
import type { HubOptions } from './hub.ts';
import { DEFAULT_IDLE_MS, DEFAULT_MAX_PER_SERVER } from './relay/instance-limits.ts';
import type { HubFacts } from './rest/hub-facts.ts';
import type { Store } from './store/store.ts';

/** As hosts have it: see `HostOptions.approvals`. */
const DEFAULT_APPROVAL_WAIT_MS = 5 * 60_000;

/** Longer than nearly every call takes, and shorter than what a service manager waits before it kills. */
export const DEFAULT_GRACE_MS = 3000;

export function aboutHub(options: HubOptions, { kind, place }: Store): HubFacts {
  const { dataDirectory, issuer, publicUrl, instances, rate, program = JUNCTOR_BY_NAME } = options;
  return {
    started: new Date(performance.timeOrigin),
    store: { kind, place },
    dataDirectory,
    program,
    commands: options.commands ?? PLAIN_COMMANDS,
    issuer,
    publicUrl,
    limits: {
      maxInstances: instances?.maxPerServer ?? DEFAULT_MAX_PER_SERVER,
      instanceIdleMs: instances?.idleMs ?? DEFAULT_IDLE_MS,
      approvalWaitMs: options.approvalWaitMs ?? DEFAULT_APPROVAL_WAIT_MS,
      keepCallsMs: options.keepMs ?? DEFAULT_KEEP_MS,
      graceMs: options.graceMs ?? DEFAULT_GRACE_MS,
      maxRatePerSecond: rate?.perSecond,
    },
  };
}
