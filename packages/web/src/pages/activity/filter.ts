/** Which calls somebody wants to see: kept in the address, so that a reload or a link shows the same. */

export const RESULTS = {
  '': 'Any outcome',
  done: 'Done',
  failed: 'Failed',
  not_sent: 'Not sent',
  unknown: 'Outcome unknown',
} as const;

export const RANGES = { '': 'Any time', 1: 'Last hour', 24: 'Last day', 168: 'Last week' } as const;

const KEYS = ['agent', 'server', 'tool', 'result', 'text', 'hours', 'since', 'until'] as const;
export type Key = (typeof KEYS)[number];
export type Filter = Readonly<Partial<Record<Key, string>>>;

export function filterIn(words: string | undefined): Filter {
  const given = new URLSearchParams(words);
  return Object.fromEntries(KEYS.flatMap(key => (given.get(key) ? [[key, given.get(key)]] : [])));
}

export function wordsOf(filter: Filter): string {
  return new URLSearchParams(KEYS.flatMap(key => (filter[key] ? [[key, filter[key]]] : []))).toString();
}

const HOUR_MS = 3_600_000;

/** As the hub is asked. */
export function queryOf({ result = '', hours, ...same }: Filter, now: number): string {
  const query = new URLSearchParams(Object.entries(same).filter(([, value]) => value !== undefined));
  if (result === 'done' || result === 'failed') query.set('failed', String(result === 'failed'));
  if (result !== '' && result !== 'failed') query.set('outcome', result);
  if (hours) query.set('since', new Date(now - Number(hours) * HOUR_MS).toISOString());
  return query.toString();
}
