/** The calls of one filter, as far as somebody scrolled. New ones come by themselves while the first is seen. */
import type { Calls, RunningCall } from '@junctor/hub/answers';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ask } from '../../api/client.ts';
import { useCalls } from '../../api/queries.ts';
import { newerCount, type ReadCalls, withNewer, withOlder } from './joined-calls.ts';

const FIRST = 100;
/** Read at a time while one scrolls. */
const MORE = 500;

export interface CallsRead extends Partial<ReadCalls> {
  readonly running: readonly RunningCall[];
  /** Not shown yet, because somebody reads further down. */
  readonly newer: number;
  readonly error: Error | null;
  readonly isReading: boolean;
  showNewer(): void;
  readOn(): void;
}

export function useCallsRead(query: string, isAtTop: boolean): CallsRead {
  const { data: newest, error } = useCalls(`?limit=${FIRST}&${query}`);
  const [read, setRead] = useState<ReadCalls>();
  const newer = newest && read ? newerCount(read, newest) : 0;
  const showNewer = (): void => {
    if (newest) setRead(known => (known ? withNewer(known, newest) : newest));
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each answer, and when the top is seen again
  useEffect(() => {
    if (isAtTop || !read) showNewer();
  }, [newest, isAtTop]);
  const more = useMutation({
    mutationFn: (before: number) => ask<Calls>(`/api/calls?limit=${MORE}&before=${before}&${query}`),
    onSuccess: older => setRead(known => known && withOlder(known, older)),
  });
  return {
    ...read,
    running: newest?.running ?? [],
    newer,
    error: error ?? more.error,
    isReading: more.isPending,
    showNewer,
    readOn: () => {
      const next = read?.next;
      if (next !== undefined && next !== null && !more.isPending) more.mutate(next);
    },
  };
}
