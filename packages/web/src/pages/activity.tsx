/** Every call that passed the hub, newest first, and who is connected now. */
import type { Call } from '@junctor/hub/answers';
import { useState } from 'react';
import { useCalls, useSessions } from '../api/queries.ts';
import { Ago } from '../parts/ago.tsx';
import { Failure, Notice } from '../parts/notice.tsx';
import { Table } from '../parts/table.tsx';

const FILTERS = [
  { label: 'All', query: '' },
  { label: 'Failed', query: '&failed=true' },
  { label: 'Not sent', query: '&outcome=not_sent' },
  { label: 'Outcome unknown', query: '&outcome=unknown' },
] as const;

export default function Activity() {
  const [filter, setFilter] = useState<string>('');
  const { data, error } = useCalls(`?limit=100${filter}`);
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
      <fieldset className="mb-3 flex flex-wrap gap-2">
        <legend className="sr-only">Which calls</legend>
        {FILTERS.map(({ label, query }) => (
          <button
            key={label}
            type="button"
            aria-pressed={filter === query}
            className={`rounded border border-line px-3 py-1 ${filter === query ? 'bg-accent/15 font-medium' : ''}`}
            onClick={() => setFilter(query)}
          >
            {label}
          </button>
        ))}
      </fieldset>
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
