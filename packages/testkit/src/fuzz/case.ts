/** What one case is about, decided by its number alone. */
import { Dice } from './dice.ts';

export type FuzzEra = 'legacy' | 'modern';

/** The fuzzed servers, and how many of the cases each gets. Requests to a shared one wait while it asks something. */
const SHARES = { 'pipe-legacy': 8, 'pipe-modern': 8, 'pipe-shared': 0.5, 'web-legacy': 8, 'web-modern': 8 };
export type Upstream = keyof typeof SHARES;
export const UPSTREAMS = Object.keys(SHARES) as Upstream[];

export interface FuzzCase {
  readonly seed: number;
  readonly number: number;
  readonly endpoint: 'agent' | 'server';
  /** What the client speaks. */
  readonly era: FuzzEra;
  readonly upstream: Upstream;
  readonly method: string;
  /** Whose messages are damaged. */
  readonly damaged: 'answer' | 'request';
}

const METHODS = {
  'tools/call': 10,
  'tools/list': 2,
  'prompts/get': 3,
  'prompts/list': 1,
  'resources/read': 3,
  'resources/list': 1,
  'resources/templates/list': 1,
  'completion/complete': 2,
};
/** Which a client sends as well; the hub answers most of them itself. */
const HUB_METHODS = {
  ...METHODS,
  ping: 1,
  initialize: 0.5,
  'server/discover': 1,
  'logging/setLevel': 1,
  'resources/subscribe': 1,
  'resources/unsubscribe': 1,
  'subscriptions/listen': 0.5,
  'tasks/get': 0.5,
  'no/such/method': 0.5,
  'notifications/cancelled': 1,
  'notifications/progress': 1,
  'notifications/roots/list_changed': 1,
  'notifications/no/such': 0.5,
  answer: 1,
};

export function fuzzCase(seed: number, number: number): FuzzCase {
  const dice = new Dice(seed, number);
  const damaged = dice.chance(0.6) ? 'answer' : 'request';
  return {
    seed,
    number,
    endpoint: dice.pick(['agent', 'server'] as const),
    era: dice.pick(['legacy', 'modern'] as const),
    upstream: dice.weighted(SHARES),
    method: dice.weighted(damaged === 'answer' ? METHODS : HUB_METHODS),
    damaged,
  };
}

/** Stands somewhere in each request, so that the server knows which case it answers. */
export function caseMark(number: number): string {
  return `fuzz-${number}-`;
}

export function markedCase(text: string): number | undefined {
  const found = /fuzz-(\d{1,9})-/.exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
}
