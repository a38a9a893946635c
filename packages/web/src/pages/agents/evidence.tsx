/** Session by session and server by server: which steps were seen. What was not seen is not shown as done. */
import type { Session } from '@junctor/hub/answers';
import { useSessionsOf } from '../../api/queries.ts';
import { Ago } from '../../parts/ago.tsx';
import { Foreign } from '../../parts/foreign.tsx';
import { Failure, Notice } from '../../parts/notice.tsx';
import { type Column, Table } from '../../parts/table.tsx';

type Attachment = Session['servers'][number];

const STEPS = ['delivered', 'initialised', 'listed', 'called'] as const;

const COLUMNS: readonly Column<Attachment>[] = [
  { title: 'Server', cell: ({ server }) => server },
  { title: 'configured', cell: ({ configured }) => (configured ? 'yes' : 'no') },
  { title: 'filtered', cell: ({ filtered }) => filtered ?? 'no' },
  ...STEPS.map(step => ({ title: step, cell: (row: Attachment) => <Step at={row[step]} /> })),
];

export function Evidence({ agent }: { agent: string }) {
  const { data, error } = useSessionsOf(agent);
  if (error) return <Failure error={error} />;
  if (data?.sessions.length === 0)
    return <Notice title="It was never here." next="Connect it with a line from above." />;
  return data?.sessions.map(session => (
    <div key={session.id} className="mb-4">
      <p className="foreign mb-1 text-sm">
        <Foreign text={session.client} most={200} />, {session.protocol}, since <Ago at={session.opened} />
        {session.closed ? '; over' : '; connected'}
      </p>
      <Table label={`Session ${session.id}`} rows={session.servers} keyOf={({ server }) => server} columns={COLUMNS} />
    </div>
  ));
}

function Step({ at }: { at: string | null }) {
  if (at === null) return 'not seen';
  return (
    <>
      yes, <Ago at={at} />
    </>
  );
}
