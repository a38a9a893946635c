/** Holds what was measured against a goal. */
import type { Goal } from './goals.ts';
import type { Samples } from './samples.ts';
import { median } from './statistics.ts';

export type Outcome =
  | { readonly kind: 'met' | 'missed' | 'no bar' }
  /** Junctor could not do it in at least one round. */
  | { readonly kind: 'failed' }
  | { readonly kind: 'no baseline'; readonly baseline: string };

export interface Verdict {
  readonly goal: Goal;
  readonly outcome: Outcome;
  readonly measured: number | undefined;
  /** The least and the most over the rounds: how far the measure can be trusted. */
  readonly spread: readonly [number, number] | undefined;
  readonly limit: number | undefined;
  readonly bestPeer: { readonly name: string; readonly value: number } | undefined;
}

export function judge(samples: Samples, goal: Goal, peers: readonly string[]): Verdict {
  const perRound = roundsOf(samples, goal, goal.subject.contestant);
  const measured = summary(goal, perRound);
  return {
    goal,
    measured,
    spread: perRound.length > 0 ? [Math.min(...perRound), Math.max(...perRound)] : undefined,
    limit: goal.limit === undefined ? undefined : summary(goal, roundsOf(samples, goal, goal.limit)),
    bestPeer: bestOf(samples, goal, goal.rival === undefined ? peers : [goal.rival]),
    outcome: outcomeOf(samples, goal, measured),
  };
}

function outcomeOf(samples: Samples, { bar, subject, baseline = '' }: Goal, measured: number | undefined): Outcome {
  // Whatever the other rounds gave: people do not get to choose their round.
  if (samples.errors(subject).length > 0) return { kind: 'failed' };
  if (measured === undefined) return { kind: 'no baseline', baseline };
  if ('wish' in bar) return { kind: 'no bar' };
  const holds = 'atMost' in bar ? measured <= bar.atMost : measured >= bar.atLeast;
  return { kind: holds ? 'met' : 'missed' };
}

function roundsOf(samples: Samples, { subject, metric, baseline }: Goal, contestant: string): number[] {
  const who = { ...subject, contestant };
  return baseline === undefined
    ? samples.values(who, metric)
    : samples.ratios(who, { ...subject, contestant: baseline }, metric);
}

/** Times of their own are the best round, for other work on the machine only ever adds; all else is the median. */
function summary({ unit }: Goal, perRound: readonly number[]): number | undefined {
  if (perRound.length === 0) return undefined;
  return unit === 'ms' ? Math.min(...perRound) : median(perRound);
}

function bestOf(samples: Samples, goal: Goal, peers: readonly string[]): Verdict['bestPeer'] {
  const found = peers.flatMap(name => {
    const value = summary(goal, roundsOf(samples, goal, name));
    return value === undefined ? [] : [{ name, value }];
  });
  const sign = 'atLeast' in goal.bar ? -1 : 1;
  return found.toSorted((a, b) => sign * (a.value - b.value))[0];
}
