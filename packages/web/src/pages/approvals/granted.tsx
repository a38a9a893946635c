/** What was allowed for always, so that it can be taken back. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { change } from '../../api/client.ts';
import { useGrants } from '../../api/queries.ts';
import { Ago } from '../../parts/ago.tsx';
import { Button } from '../../parts/button.tsx';
import { LongTable } from '../../parts/long-table.tsx';

export function Granted() {
  const grants = useGrants().data?.grants ?? [];
  if (grants.length === 0) return null;
  return (
    <>
      <h2 className="mb-2 mt-6 text-lg font-semibold">Allowed for always</h2>
      <LongTable
        label="Allowed for always"
        rows={grants}
        keyOf={({ id }) => id}
        columns={[
          { title: 'Server', cell: ({ server }) => server },
          { title: 'Tool', share: 2, cell: ({ tool }) => tool },
          { title: 'Only for', share: 2, cell: ({ when }) => when ?? 'any arguments' },
          { title: 'Since', cell: ({ granted_at: at }) => <Ago at={at} /> },
          { title: 'Take it back', cell: ({ id, tool }) => <TakeBack id={id} tool={tool} /> },
        ]}
      />
    </>
  );
}

function TakeBack({ id, tool }: { id: string; tool: string }) {
  const queries = useQueryClient();
  const back = useMutation({
    mutationFn: () => change(`/api/grants/${encodeURIComponent(id)}`, { method: 'DELETE' }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['grants'] }),
  });
  return (
    <>
      <Button aria-label={`Ask again about ${tool}`} disabled={back.isPending} onClick={() => back.mutate()}>
        Ask again
      </Button>
      {back.error && <p className="mt-1 text-bad">{back.error.message}</p>}
    </>
  );
}
