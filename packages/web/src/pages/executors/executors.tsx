/** What each kind of runtime allows, for all agents, and what that comes to; or for one agent, server by server. */
import { useExecutors } from '../../api/queries.ts';
import { Failure, Loading } from '../../parts/notice.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import type { PageProps } from '../../shell/pages.tsx';
import { AgentMatrix, FeasibilityMatrix } from './feasibility.tsx';
import { PolicyCard } from './policy-card.tsx';

export default function Executors({ rest: [agent] }: PageProps) {
  return agent === undefined ? <Policies /> : <OfAgent agent={agent} />;
}

function Policies() {
  const { data, error } = useExecutors();
  if (error) return <Failure error={error} />;
  if (!data) return <Loading />;
  return (
    <>
      <h1 className="mb-4 text-2xl font-semibold">Executors</h1>
      <ul className="mb-8 grid gap-4 lg:grid-cols-2">
        {data.executors.map(executor => (
          <li key={executor.executor} className="min-w-0">
            <PolicyCard executor={executor} />
          </li>
        ))}
      </ul>
      <FeasibilityMatrix />
    </>
  );
}

function OfAgent({ agent }: { agent: string }) {
  return (
    <>
      <p className="mb-1 text-sm">
        <PageLink to={['executors']}>Executors</PageLink>
      </p>
      <h1 className="mb-2 text-2xl font-semibold">What will work for {agent}</h1>
      <p className="mb-4 text-sm">
        <PageLink to={['agents', agent]}>Its settings</PageLink>
      </p>
      <AgentMatrix agent={agent} />
    </>
  );
}
