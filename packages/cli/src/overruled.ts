/** Where an organisation has a policy, no other config counts. Whoever writes or names one is told, and need not wonder. */
import { policyPath } from '@junctor/core/light';
import type { Context } from './context.ts';

/** True where it is so. */
export async function tellOverruled({ surroundings, talk }: Context, what: string): Promise<boolean> {
  const policy = await policyPath(surroundings);
  if (policy === undefined) return false;
  talk(`${what} does not count: the policy of your organisation, ${policy}, decides alone`);
  return true;
}
