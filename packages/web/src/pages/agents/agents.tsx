/** Every agent the hub has a door for; and one of them: its switch, its servers, and how far its sessions came. */

import { useAgents, useSessions } from '../../api/queries.ts';
import { Failure, Loading, Notice } from '../../parts/notice.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import { Table } from '../../parts/table.tsx';
import type { PageProps } from '../../shell/pages.tsx';
import { AgentDetail } from './agent-detail.tsx';

export default function Agents({ rest: [agent] }: PageProps) {
  return agent === undefined ? <AgentList /> : <AgentDetail key={agent} agent={agent} />;
}

function AgentList() {
  const { data, error } = useAgents();
  const open = useSessions().data?.sessions;
  const sessions = Map.groupBy(open ?? [], ({ agent }) => agent);
  if (error) return <Failure error={error} />;
  if (!data) return <Loading />;
  return (
    <>
      <h1 className="mb-4 text-2xl font-semibold">Agents</h1>
      {open?.length === 0 && (
        <div className="mb-4">
          <Notice
            title="No agent is attached right now."
            next="Choose yours below: its page writes the hub into its file, or has the lines to copy."
          />
        </div>
      )}
      <Table
        label="Agents"
        rows={data.agents}
        keyOf={({ agent_id: id }) => id}
        columns={[
          {
            title: 'Agent',
            cell: ({ agent_id: id }) => <PageLink to={['agents', id]}>{id}</PageLink>,
          },
          { title: 'MCP', cell: ({ enabled }) => (enabled ? 'On' : 'Off') },
          { title: 'Servers', cell: ({ servers }) => servers.join(', ') || 'none' },
          { title: 'From', cell: ({ stored }) => (stored ? 'its own list' : 'the config files') },
          { title: 'Sessions now', cell: ({ agent_id: id }) => sessions.get(id)?.length ?? 0, isNumber: true },
        ]}
      />
    </>
  );
}
