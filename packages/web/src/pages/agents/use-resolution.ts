/** What a list comes to on one executor, before it is stored: the hub resolves it as it would for a run. */
import type { Resolved } from '@junctor/hub/answers';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { change, HubError } from '../../api/client.ts';
import type { Told } from '../../parts/problems.tsx';
import { useSettled } from '../../parts/use-settled.ts';
import type { ServerList } from './draft.ts';

/** Nobody wants to be told of what is wrong between two letters. */
const PAUSE_MS = 250;

export interface ListResolution {
  readonly resolved: Resolved | undefined;
  readonly error: Error | null;
  /** What the hub has to say about it, each with its place in the list. */
  readonly problems: readonly Told[];
}

/** Without a list there is nothing to ask about. */
export function useResolution(agent: string, executor: string, list: ServerList | undefined): ListResolution {
  const text = useSettled(list && JSON.stringify({ enabled: true, ...list }), PAUSE_MS);
  const { data, error } = useQuery({
    queryKey: ['resolve', agent, executor, text],
    queryFn: () =>
      change<Resolved>(`/api/resolve?agent=${agent}&executor=${executor}`, {
        method: 'POST',
        body: JSON.parse(text ?? ''),
      }),
    enabled: text !== undefined,
    placeholderData: keepPreviousData,
    retry: false,
  });
  const problems = useMemo(() => problemsIn(error, data), [error, data]);
  return { resolved: data, error, problems };
}

function problemsIn(error: Error | null, resolved: Resolved | undefined): Told[] {
  if (error) return error instanceof HubError ? [...error.problems] : [];
  const told = (kind: 'Error' | 'Warning', key: string, list: Resolved['errors'] = []): Told[] =>
    list.map(({ server = '', message }) => ({ kind, path: `servers.${server}.${key}`, about: server, message }));
  return [...told('Error', 'mode', resolved?.errors), ...told('Warning', 'type', resolved?.warnings)];
}
