import { useAgentConfig, useAgents } from '../../api/queries.ts';
import { Failure } from '../../parts/notice.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import { AgentSwitch } from './agent-switch.tsx';
import { ConnectLines } from './connect-lines.tsx';
import { Evidence } from './evidence.tsx';
import { ServerListEditor } from './server-list-editor.tsx';

export function AgentDetail({ agent }: { agent: string }) {
  const { data, error } = useAgentConfig(agent);
  const row = useAgents().data?.agents.find(({ agent_id: id }) => id === agent);
  if (error) return <Failure error={error} />;
  if (!data) return <p className="text-quiet">Loading …</p>;
  return (
    <>
      <p className="mb-1 text-sm">
        <PageLink to={['agents']}>Agents</PageLink>
      </p>
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <h1 className="text-2xl font-semibold">{agent}</h1>
        <AgentSwitch agent={agent} read={data} />
      </div>
      <ServerListEditor agent={agent} read={data} isStored={row?.stored ?? false} />
      <h2 className="mb-2 mt-6 text-lg font-semibold">Connect it</h2>
      <ConnectLines agent={agent} />
      <h2 className="mb-2 mt-6 text-lg font-semibold">How far its sessions came</h2>
      <Evidence agent={agent} />
    </>
  );
}
