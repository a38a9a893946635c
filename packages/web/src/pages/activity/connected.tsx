/** Who is connected at this moment. */
import { useSessions } from '../../api/queries.ts';
import { Ago } from '../../parts/ago.tsx';
import { Foreign } from '../../parts/foreign.tsx';
import { FirstAgent } from '../../parts/next-steps.tsx';
import { Table } from '../../parts/table.tsx';

export function Connected() {
  const sessions = useSessions().data?.sessions ?? [];
  return (
    <>
      <h2 className="mb-2 text-lg font-semibold">Connected now</h2>
      {sessions.length === 0 ? (
        <FirstAgent title="No agent is connected." />
      ) : (
        <Table
          label="Sessions"
          rows={sessions}
          keyOf={({ id }) => id}
          columns={[
            { title: 'Agent', cell: ({ agent, server }) => agent ?? `server ${server}` },
            { title: 'Client', cell: ({ client }) => <Foreign text={client} most={200} /> },
            { title: 'Protocol', cell: ({ protocol }) => protocol },
            { title: 'Since', cell: ({ opened }) => <Ago at={opened} /> },
            { title: 'Last seen', cell: ({ seen }) => <Ago at={seen} /> },
            {
              title: 'Servers called',
              cell: ({ servers }) => servers.filter(({ called }) => called).length,
              isNumber: true,
            },
          ]}
        />
      )}
    </>
  );
}
