/** Changes the policy of an executor: one key at a time, of the version that was read, and back again. */
import type { Executor } from '@junctor/hub/answers';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { change, HubError } from '../../api/client.ts';

export type Policy = Executor['policy'];

export type PolicyChange =
  | { readonly kind: 'set'; readonly patch: Partial<Policy> }
  | { readonly kind: 'forget' }
  /** As it was stored before. */
  | { readonly kind: 'back'; readonly stored: Executor['stored'] };

interface Attempt {
  readonly wanted: PolicyChange;
  /** What the person saw when they decided. */
  readonly seen: Executor;
}

export function usePolicy(now: Executor) {
  const queries = useQueryClient();
  const store = useMutation({
    mutationFn: ({ wanted, seen }: Attempt) =>
      change(`/api/executors/${encodeURIComponent(seen.executor)}`, { ...request(wanted, seen), ifMatch: seen.etag }),
    onSettled: () =>
      Promise.all(['executors', 'feasibility', 'resolve'].map(key => queries.invalidateQueries({ queryKey: [key] }))),
  });
  const attempt = store.variables;
  const isOutdated = store.error instanceof HubError && store.error.isOutdated;
  const make = (wanted: PolicyChange): void => store.mutate({ wanted, seen: now });
  return {
    make,
    isPending: store.isPending,
    error: isOutdated ? null : store.error,
    /** What somebody else changed meanwhile; undefined: nobody was in the way. */
    theirs: isOutdated && attempt ? changedKeys(attempt.seen.policy, now.policy) : undefined,
    /** Once more, on top of what is there now. */
    repeat: () => attempt && make(attempt.wanted),
    giveUp: store.reset,
    /** Undefined where there is nothing to take back. */
    undo:
      store.isSuccess && attempt && attempt.wanted.kind !== 'back'
        ? () => make({ kind: 'back', stored: attempt.seen.stored })
        : undefined,
  };
}

function request(wanted: PolicyChange, { policy }: Executor) {
  if (wanted.kind === 'set') return { method: 'PUT', body: { ...policy, ...wanted.patch } } as const;
  const stored = wanted.kind === 'back' ? wanted.stored : undefined;
  return stored === undefined ? ({ method: 'DELETE' } as const) : ({ method: 'PUT', body: stored } as const);
}

/** As sentences. */
function changedKeys(before: Policy, now: Policy): string[] {
  const keys = Object.keys({ ...before, ...now }) as (keyof Policy)[];
  const differing = keys.filter(key => JSON.stringify(before[key]) !== JSON.stringify(now[key]));
  return differing.map(key => `${key} was ${JSON.stringify(before[key])}, and is ${JSON.stringify(now[key])}`);
}
