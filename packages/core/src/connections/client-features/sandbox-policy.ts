/** What servers are told of the sandbox policy of a config: how they may be reached, and no variable's value. Pure. */
import type { ConfigFrame } from '../../config/schema/schema.ts';
import { policyFor } from '../../resolve/policy.ts';
import type { Resolution } from '../../resolve/resolve.ts';
import { siteOf } from '../../resolve/site.ts';
import type { SandboxState } from './sandbox-state.ts';

/** Undefined where the agent does not run in a sandbox. */
export function sandboxPolicyState(
  frame: ConfigFrame,
  { executor, agent }: Pick<Resolution, 'executor' | 'agent'>,
): SandboxState | undefined {
  const whole = policyFor(frame, executor, agent);
  if (siteOf(executor, whole)?.kind !== 'sandbox') return undefined;
  const { env_injection: _values, env_server_wins: _names, ...policy } = whole;
  return { executor, policy };
}
