import { useState } from 'react';
import { useAgentConfig, useAgents, useServers } from '../../api/queries.ts';
import { Failure, Loading } from '../../parts/notice.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import { Section } from '../../parts/section.tsx';
import { AgentFile } from './agent-file.tsx';
import { AgentSwitch } from './agent-switch.tsx';
import { ConnectLines } from './connect-lines.tsx';
import { Evidence } from './evidence.tsx';
import { Explain } from './explain.tsx';
import { Preflight } from './preflight.tsx';
import { ServerListEditor } from './server-list-editor.tsx';
import { SurfaceChoice } from './surface.tsx';

export function AgentDetail({ agent }: { agent: string }) {
  const { data, error } = useAgentConfig(agent);
  const row = useAgents().data?.agents.find(({ agent_id: id }) => id === agent);
  const configured = useServers().data?.servers.map(({ id }) => id) ?? [];
  const [executor, onExecutor] = useState('local');
  if (error) return <Failure error={error} />;
  if (!data) return <Loading />;
  const servers = [...new Set([...Object.keys(data.body.servers), ...configured])];
  return (
    <>
      <p className="mb-1 text-sm">
        <PageLink to={['agents']}>Agents</PageLink>
      </p>
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <h1 className="text-2xl font-semibold">{agent}</h1>
        <AgentSwitch agent={agent} read={data} />
      </div>
      {row && <SurfaceChoice agent={agent} surface={row.surface} />}
      <div className="mb-8">
        <ServerListEditor
          agent={agent}
          read={data}
          isStored={row?.stored ?? false}
          executor={executor}
          onExecutor={onExecutor}
        />
      </div>
      <Section title={`Why, on ${executor}`}>
        <Explain agent={agent} executor={executor} servers={servers} />
      </Section>
      <Section
        title={`Before a run on ${executor}`}
        aside={<PageLink to={['executors', agent]}>What will work everywhere</PageLink>}
      >
        <Preflight agent={agent} executor={executor} />
      </Section>
      <Section title="Its own file">
        <AgentFile agent={agent} />
      </Section>
      <Section title="Lines to copy">
        <ConnectLines agent={agent} />
      </Section>
      <Section title="How far its sessions came">
        <Evidence agent={agent} />
      </Section>
    </>
  );
}
