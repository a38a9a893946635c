/** Every server at a glance: how it is, what it offers, and what its calls came to. */

import type { ServerStatus, ShortTool, Statistics } from '@junctor/hub/answers';
import { useStatistics, useTools } from '../api/queries.ts';
import { bytesText } from '../parts/amounts.ts';
import { Foreign } from '../parts/foreign.tsx';
import { PageLink } from '../parts/page-link.tsx';
import { State } from '../parts/state.tsx';
import { Table } from '../parts/table.tsx';

/** The list of servers has them all; here a glance must stay one. */
const MOST = 50;

export function Dashboard({ servers }: { servers: readonly ServerStatus[] }) {
  const tools = Map.groupBy(useTools().data?.tools ?? [], ({ server }) => server);
  const statistics = Map.groupBy(useStatistics().data?.tools ?? [], ({ server }) => server);
  return (
    <>
      <Table
        label="Every server"
        rows={servers.slice(0, MOST)}
        keyOf={({ id }) => id}
        columns={[
          {
            title: 'Server',
            cell: ({ id }) => <PageLink to={['servers', id]}>{id}</PageLink>,
          },
          { title: 'State', cell: ({ state }) => <State state={state} /> },
          { title: 'Tools', cell: ({ id }) => <ToolNames tools={tools.get(id) ?? []} /> },
          { title: 'Calls', cell: ({ id }) => sum(statistics.get(id), 'calls'), isNumber: true },
          { title: 'Errors', cell: ({ id }) => sum(statistics.get(id), 'errors'), isNumber: true },
          { title: 'Slowest (p95)', cell: ({ id }) => slowest(statistics.get(id)), isNumber: true },
          { title: 'Answers', cell: ({ id }) => bytesText(sum(statistics.get(id), 'bytes')), isNumber: true },
        ]}
      />
      {servers.length > MOST && (
        <p className="mt-2">
          <PageLink to={['servers']}>All {servers.length} servers</PageLink>
        </p>
      )}
    </>
  );
}

function ToolNames({ tools }: { tools: readonly ShortTool[] }) {
  if (tools.length === 0) return 'none';
  return (
    <details>
      <summary>{tools.length}</summary>
      <ul>
        {tools.map(({ name, tool }) => (
          <li key={name}>
            <PageLink to={['tools', name]}>
              <Foreign text={tool} />
            </PageLink>
          </li>
        ))}
      </ul>
    </details>
  );
}

function sum(tools: readonly Statistics[] = [], key: 'calls' | 'errors' | 'bytes'): number {
  return tools.reduce((total, one) => total + one[key], 0);
}

function slowest(tools: readonly Statistics[] = []): string {
  const times = tools.flatMap(({ p95_ms: ms }) => (ms === null ? [] : [ms]));
  return times.length === 0 ? '–' : `${Math.round(Math.max(...times))} ms`;
}
