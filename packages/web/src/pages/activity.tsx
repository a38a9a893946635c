/** Every call that passed the hub, newest first, and who is connected now. */
import type { Call } from '@junctor/hub/answers';
import { useState } from 'react';
import { useCalls, useSessions } from '../api/queries.ts';
import { Ago } from '../parts/ago.tsx';
import { Choice } from '../parts/choice.tsx';
import { Failure, Notice } from '../parts/notice.tsx';
import { Table } from '../parts/table.tsx';

/** What people look for, and how the hub is asked for it. */
const QUERIES = {
  All: '',
  Failed: '&failed=true',
  'Not sent': '&outcome=not_sent',
  'Outcome unknown': '&outcome=unknown',
} as const;
type Filter = keyof typeof QUERIES;
const FILTERS = Object.keys(QUERIES) as Filter[];

export default function Activity() {
  const [filter, setFilter] = useState<Filter>('All');
  const { data, error } = useCalls(`?limit=100${QUERIES[filter]}`);
  const sessions = useSessions().data?.sessions ?? [];
  if (error) return <Failure error={error} />;
  return (
    <>
      <h1 className="mb-4 text-2xl font-semibold">Activity</h1>
      <h2 className="mb-2 text-lg font-semibold">Connected now</h2>
      {sessions.length === 0 ? (
        <Notice title="No agent is connected." next="Connect one: junctor mcp export AGENT --via hub --write" />
      ) : (
        <Table
          label="Sessions"
          rows={sessions}
          keyOf={({ id }) => id}
          columns={[
            { title: 'Agent', cell: ({ agent, server }) => agent ?? `server ${server}` },
            { title: 'Client', cell: ({ client }) => client },
            { title: 'Protocol', cell: ({ protocol }) => protocol },
            { title: 'Since', cell: ({ opened }) => <Ago at={opened} /> },
            {
              title: 'Servers called',
              cell: ({ servers }) => servers.filter(({ called }) => called).length,
              isNumber: true,
            },
          ]}
        />
      )}
      <h2 className="mb-2 mt-6 text-lg font-semibold">Calls</h2>
      <div className="mb-3">
        <Choice label="Which calls" options={FILTERS} chosen={filter} onChoose={setFilter} />
      </div>
      {data && data.calls.length === 0 && <Notice title="No such call was made." />}
      {data && data.calls.length > 0 && <Calls calls={data.calls} />}
    </>
  );
}

function Calls({ calls }: { calls: readonly Call[] }) {
  return (
    <Table
      label="Calls"
      rows={calls}
      keyOf={({ call_id: id }) => id}
      columns={[
        { title: 'When', cell: ({ started }) => <Ago at={started} /> },
        { title: 'Agent', cell: ({ agent }) => agent ?? '–' },
        { title: 'Server', cell: ({ server }) => server },
        { title: 'Tool', cell: ({ tool }) => tool },
        { title: 'Verdict', cell: ({ verdict, because }) => <span title={because}>{verdict}</span> },
        { title: 'Outcome', cell: outcomeOf },
        { title: 'Took', cell: ({ ms }) => `${Math.round(ms)} ms`, isNumber: true },
        { title: 'Answer', cell: ({ bytes_out: bytes }) => `${bytes} B`, isNumber: true },
      ]}
    />
  );
}

function outcomeOf({ outcome, failed, code }: Call): string {
  if (outcome === 'not_sent') return 'not sent';
  if (outcome === 'unknown') return 'sent, outcome unknown';
  return failed ? `failed${code === null ? '' : `: ${code}`}` : 'done';
}
