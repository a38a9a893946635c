/** What pages read. Each list has one key, by which events make it read again. */
import type {
  Approval,
  Calls,
  Instance,
  InvalidServer,
  Server,
  ServerStatus,
  Session,
  Statistics,
  Tools,
} from '@junctor/hub/answers';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { ask } from './client.ts';

function useAnswer<Answer>(key: readonly string[], path: string): UseQueryResult<Answer> {
  return useQuery({ queryKey: key, queryFn: ({ signal }) => ask<Answer>(path, signal) });
}

export const useServers = () => useAnswer<{ servers: Server[]; invalid: InvalidServer[] }>(['servers'], '/api/servers');

export const useStatus = () => useAnswer<{ servers: ServerStatus[] }>(['status'], '/api/status');

export const useTools = () => useAnswer<Tools>(['tools'], '/api/tools');

export const useApprovals = () => useAnswer<{ approvals: Approval[] }>(['approvals'], '/api/approvals');

export const useCalls = (query = '') => useAnswer<Calls>(['calls', query], `/api/calls${query}`);

export const useSessions = () => useAnswer<{ sessions: Session[] }>(['sessions'], '/api/sessions?open=true');

export const useInstances = () => useAnswer<{ instances: Instance[] }>(['instances'], '/api/instances');

export const useStatistics = () => useAnswer<{ tools: Statistics[] }>(['stats'], '/api/stats');
