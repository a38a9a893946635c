/** What pages read. Each list has one key, by which events make it read again. */
import type {
  Agent,
  AgentConfig,
  AgentFeasibility,
  AgentFile,
  Approval,
  ApprovalPreview,
  CallSummary,
  Calls,
  ConfigLayer,
  Executor,
  Feasibility,
  Grant,
  Health,
  Instance,
  InvalidServer,
  Lock,
  Preflight,
  Projects,
  RemovedServer,
  Secret,
  Server,
  ServerExplanation,
  ServerStatus,
  Session,
  Setting,
  Statistics,
  Token,
  ToolDetail,
  ToolExplanation,
  ToolList,
} from '@junctor/hub/answers';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { ask, askTagged, type Tagged } from './client.ts';

function useAnswer<Answer>(key: readonly string[], path: string): UseQueryResult<Answer> {
  return useQuery({ queryKey: key, queryFn: ({ signal }) => ask<Answer>(path, signal) });
}

export const useServers = () =>
  useAnswer<{ servers: Server[]; invalid: InvalidServer[]; removed: RemovedServer[] }>(['servers'], '/api/servers');

/** With the name of its version, for whoever edits it. */
export const useServer = (id: string): UseQueryResult<Tagged<Server>> =>
  useQuery({
    queryKey: ['servers', id],
    queryFn: ({ signal }) => askTagged<Server>(`/api/servers/${encodeURIComponent(id)}`, signal),
  });

export const useStatus = () => useAnswer<{ servers: ServerStatus[] }>(['status'], '/api/status');

/** Ten thousand of them are compared by nobody: those that came last are the true ones. */
export const useToolSearch = (query: string): UseQueryResult<ToolList> =>
  useQuery({
    queryKey: ['tools', query],
    queryFn: ({ signal }) => ask<ToolList>(`/api/tools/search?query=${encodeURIComponent(query)}`, signal),
    placeholderData: before => before,
    structuralSharing: false,
  });

export const useTools = () => useToolSearch('');

export const useTool = (name: string) =>
  useAnswer<ToolDetail>(['tools', 'one', name], `/api/tools/one?name=${encodeURIComponent(name)}`);

/** Every server is asked for it. */
export const useLock = (): UseQueryResult<Tagged<Lock>> =>
  useQuery({ queryKey: ['lock'], queryFn: ({ signal }) => askTagged<Lock>('/api/lock', signal) });

export const useApprovals = () => useAnswer<{ approvals: Approval[] }>(['approvals'], '/api/approvals');

export const useApprovalPreview = (id: string, when: string) =>
  useAnswer<ApprovalPreview>(
    ['approvals', id, when],
    `/api/approvals/${encodeURIComponent(id)}/preview?when=${encodeURIComponent(when)}`,
  );

/** All arguments of a call that waits. */
export const useApprovalArguments = (
  id: string,
  enabled: boolean,
): UseQueryResult<{ text: string; complete: boolean }> =>
  useQuery({
    queryKey: ['approvals', id, 'arguments'],
    enabled,
    queryFn: ({ signal }) =>
      ask<{ text: string; complete: boolean }>(`/api/approvals/${encodeURIComponent(id)}/arguments`, signal),
  });

export const useGrants = () => useAnswer<{ grants: Grant[] }>(['grants'], '/api/grants');

export const useCalls = (query = '') => useAnswer<Calls>(['calls', query], `/api/calls${query}`);

export const useCallSummary = (query: string) =>
  useAnswer<CallSummary>(['call-summary', query], `/api/calls/summary?${query}`);

/** Those whose client is there: over HTTP most leave without a word, and no event tells of it. */
export const useSessions = (): UseQueryResult<{ sessions: Session[] }> =>
  useQuery({
    queryKey: ['sessions'],
    queryFn: ({ signal }) => ask<{ sessions: Session[] }>('/api/sessions?open=true', signal),
    select: ({ sessions }) => ({ sessions: sessions.filter(({ connected }) => connected) }),
    refetchInterval: 60_000,
  });

export const useInstances = () => useAnswer<{ instances: Instance[] }>(['instances'], '/api/instances');

export const useStatistics = () => useAnswer<{ tools: Statistics[] }>(['stats'], '/api/stats');

export const useAgents = () => useAnswer<{ agents: Agent[] }>(['agents'], '/api/agents');

export const useExecutors = () => useAnswer<{ executors: Executor[] }>(['executors'], '/api/executors');

export const useFeasibility = () => useAnswer<Feasibility>(['feasibility'], '/api/feasibility');

export const useFeasibilityOf = (agent: string) =>
  useAnswer<AgentFeasibility>(['feasibility', agent], `/api/feasibility/${agent}`);

/** Newest first, those that are over too. */
export const useSessionsOf = (agent: string) =>
  useAnswer<{ sessions: Session[] }>(['sessions', agent], `/api/sessions?agent=${agent}&limit=10`);

export const useAgentConfig = (agent: string): UseQueryResult<Tagged<AgentConfig>> =>
  useQuery({
    queryKey: ['agents', agent],
    queryFn: ({ signal }) => askTagged<AgentConfig>(`/api/mcp-config?agent=${agent}`, signal),
  });

export const useProjects = () => useAnswer<Projects>(['projects'], '/api/projects');

export const useHealth = () => useAnswer<Health>(['health'], '/api/health');

export const useLayers = () =>
  useAnswer<{ layers: ConfigLayer[]; unapproved: string[] }>(['layers'], '/api/config/layers');

export const useTokens = () => useAnswer<{ tokens: Token[] }>(['tokens'], '/api/tokens');

export const useSecrets = () =>
  useAnswer<{ secrets: Secret[]; key: NonNullable<Secret['key']> }>(['secrets'], '/api/secrets');

export const useSettings = (): UseQueryResult<Tagged<{ file: string; settings: Setting[] }>> =>
  useQuery({
    queryKey: ['settings'],
    queryFn: ({ signal }) => askTagged<{ file: string; settings: Setting[] }>('/api/config/settings', signal),
  });

export const useAgentFile = (agent: string): UseQueryResult<Tagged<AgentFile>> =>
  useQuery({
    queryKey: ['agent-file', agent],
    queryFn: ({ signal }) => askTagged<AgentFile>(`/api/agents/${agent}/file`, signal),
  });

/** Without a tool: of the server itself. */
export function useExplanation({ tool, ...asked }: Record<'agent' | 'executor' | 'server' | 'tool', string>) {
  const query = new URLSearchParams({ ...asked, ...(tool === '' ? {} : { tool }) });
  return useAnswer<ToolExplanation | ServerExplanation>(['explain', String(query)], `/api/explain?${query}`);
}

export function usePreflight(asked: Record<'agent' | 'executor' | 'tools', string>) {
  const query = new URLSearchParams(asked);
  return useAnswer<Preflight>(['preflight', String(query)], `/api/preflight?${query}`);
}
