/**
 * An executor that a file sets up which nobody approved yet. Programs that are to run elsewhere, or not at all, must not run here
 * meanwhile. Pure.
 */

import type { ConfigFrame } from '../config/schema/schema.ts';
import type { AskedPower } from '../config/trust/project-powers.ts';
import { describePlace } from './no-place.ts';
import { agentNamed, policyFor } from './policy.ts';
import type { LeftOut } from './roster.ts';
import { siteOf } from './site.ts';

export interface Whereabouts {
  readonly agent: string | undefined;
  /** Default `local`. */
  readonly executor: string | undefined;
}

/** Undefined where programs run at a place that counts, or where no file that waits says anything of them. */
export function whyPlaceWaits(
  waiting: readonly AskedPower[],
  frame: ConfigFrame,
  { agent, executor = 'local' }: Whereabouts,
): string | undefined {
  const keepsFromHere = (written: ConfigFrame): boolean => {
    const policy = policyFor(written, executor, agent);
    return siteOf(executor, policy) !== undefined || !policy.allow_stdio;
  };
  if (keepsFromHere(frame)) return undefined;
  const hasPlace = describePlace(executor, policyFor(frame, executor, agent)) !== undefined;
  const concerns = (written: ConfigFrame): boolean =>
    keepsFromHere(written) || (!hasPlace && policyFor(written, executor, agent).local === true);
  const asks = waiting.find(
    ({ power }) => (power.kind === 'executors' || power.kind === 'agents') && concerns({ [power.kind]: power.value }),
  );
  return asks && unapprovedIn(asks, executor);
}

/** The same as what is in the way of every server with a program. */
export function waitingPlace(...question: Parameters<typeof whyPlaceWaits>): Omit<LeftOut, 'id'> | undefined {
  const because = whyPlaceWaits(...question);
  return because === undefined ? undefined : { because, kind: 'waiting', forRules: true };
}

/** Settings of an executor that wait, also where it has others that count. */
export function whySettingsWait(
  waiting: readonly AskedPower[],
  { agent, executor = 'local' }: Whereabouts,
): string | undefined {
  const asks = waiting.find(({ power }) => {
    if (power.kind === 'executors') return Object.hasOwn(power.value, executor);
    return power.kind === 'agents' && agentNamed({ agents: power.value }, agent)?.executors?.[executor] !== undefined;
  });
  return asks && unapprovedIn(asks, executor);
}

function unapprovedIn({ layer }: AskedPower, executor: string): string {
  return `executor '${executor}' is set up in ${layer.source}, and nobody has approved that yet`;
}
