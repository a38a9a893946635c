/** Who is connected at this moment. */
import { useSessions } from '../../api/queries.ts';
import { Ago } from '../../parts/ago.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Table } from '../../parts/table.tsx';

export function Connected() {
  const sessions = useSessions().data?.sessions ?? [];
  return (
    <>
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
    </>
  );
}
