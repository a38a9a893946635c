/** An executor whose settings do not say where programs start. They never start on this machine instead. Pure. */
import type { NextStep } from '../base/error.ts';
import type { SiteKind } from '../config/schema/site-schema.ts';
import type { ExecutorPolicy } from './policy.ts';
import type { LeftOut } from './roster.ts';
import { describeSite, siteOf } from './site.ts';

/** Where programs of servers start on an executor, in words. Undefined: nowhere, until somebody says where. */
export function describePlace(executor: string, policy: ExecutorPolicy): string | undefined {
  const site = siteOf(executor, policy);
  if (site) return describeSite(site);
  return executor === 'local' || policy.local ? 'started on this machine' : undefined;
}

/** Why the program of a server cannot start there. Undefined where it can. */
export function whyNoPlace(executor: string, policy: ExecutorPolicy): Omit<LeftOut, 'id'> | undefined {
  if (describePlace(executor, policy) !== undefined) return undefined;
  const because = `no settings of executor '${executor}' say where its program starts`;
  return { because, kind: 'policy', next: howToSetUp(executor) };
}

/** The smallest settings of each kind that are enough. */
const EXAMPLES: Readonly<Record<Exclude<SiteKind, 'sandbox'>, string>> = {
  docker: '{ "docker": { "image": "IMAGE" } }',
  ssh: '{ "ssh": { "host": "HOST" } }',
  k8s: '{ "k8s": { "image": "IMAGE" } }',
};

function howToSetUp(executor: string): NextStep {
  const example = Object.entries(EXAMPLES).find(([kind]) => kind === executor)?.[1];
  const place = example ?? 'docker, ssh, k8s or sandbox settings';
  return { hint: `set executors.${executor} to ${place}, or to { "local": true } to start programs on this machine` };
}
