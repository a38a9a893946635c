/** Ends what Junctors that are gone left behind on executors. For whoever begins there. */
import type { ConfigFrame } from '../../config/schema/schema.ts';
import { policyFor } from '../../resolve/policy.ts';
import { siteOf } from '../../resolve/site.ts';
import type { Environment } from '../process/environment.ts';
import { executorAt } from './executor.ts';

/** One that cannot be reached is passed over: whoever wants to start something there is told. */
export async function sweepExecutors(frame: ConfigFrame, environment: Environment, signal: AbortSignal): Promise<void> {
  const agents = Object.entries(frame.agents ?? {}).flatMap(([agent, { executors = {} }]) =>
    Object.keys(executors).map(executor => [executor, agent] as const),
  );
  const named = [...Object.keys(frame.executors ?? {}).map(executor => [executor, undefined] as const), ...agents];
  await Promise.allSettled(
    named.map(async ([executor, agent]) => {
      const site = siteOf(executor, policyFor(frame, executor, agent));
      const found = site && (await executorAt(site));
      await found?.sweep?.(environment, signal);
    }),
  );
}
