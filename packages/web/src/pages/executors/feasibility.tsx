/** What will work where: agents by executors in numbers, and for one agent server by server with the reasons. */
import type { AgentFeasibility, Feasibility } from '@junctor/hub/answers';
import { useFeasibility, useFeasibilityOf } from '../../api/queries.ts';
import { LongTable } from '../../parts/long-table.tsx';
import { Failure, Loading, Notice } from '../../parts/notice.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import { ADD } from '../../parts/route.ts';
import { Section } from '../../parts/section.tsx';
import { type Column, Table } from '../../parts/table.tsx';

export function FeasibilityMatrix() {
  const { data, error } = useFeasibility();
  if (error) return <Failure error={error} />;
  if (!data) return <Loading />;
  const columns: Column<Feasibility['agents'][number]>[] = [
    { title: 'Agent', cell: ({ agent }) => <PageLink to={['executors', agent]}>{agent}</PageLink> },
    ...data.executors.map(
      (title, index) => ({ title, cell: row => count(row.on[index]) }) satisfies (typeof columns)[number],
    ),
  ];
  return (
    <Section title="What will work where">
      <p className="mb-2 text-sm text-quiet">
        Of the servers of each agent, how many it can use on each executor. Choose an agent to see which, and why not
        the others.
      </p>
      {data.agents.every(({ on }) => on.every(({ of }) => of === 0)) ? (
        <NoServers />
      ) : (
        <Table label="Agents by executors" rows={data.agents} keyOf={({ agent }) => agent} columns={columns} />
      )}
    </Section>
  );
}

function NoServers() {
  return <Notice title="There are no servers." next={<PageLink to={['servers', ADD]}>Add the first one.</PageLink>} />;
}

function count(on: Feasibility['agents'][number]['on'][number] | undefined): string {
  if (!on || on.of === 0) return 'no servers';
  return on.works === on.of ? `✓ all ${on.of}` : `${on.works} of ${on.of}`;
}

export function AgentMatrix({ agent }: { agent: string }) {
  const { data, error } = useFeasibilityOf(agent);
  if (error) return <Failure error={error} />;
  if (!data) return <Loading />;
  const columns: Column<AgentFeasibility['servers'][number]>[] = [
    { title: 'Server', cell: ({ server }) => server },
    ...data.executors.map(
      (title, index) => ({ title, cell: row => outcome(row.on[index]) }) satisfies (typeof columns)[number],
    ),
  ];
  if (data.servers.length === 0) return <NoServers />;
  return (
    <LongTable label={`Servers of ${agent}`} rows={data.servers} keyOf={({ server }) => server} columns={columns} />
  );
}

function outcome(on: AgentFeasibility['servers'][number]['on'][number] | undefined): string {
  if (on?.mode) return `✓ ${on.mode}`;
  return `✕ ${on?.because ?? 'not there'}`;
}
