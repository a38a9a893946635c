/** A new server from a form. Everything that the form does not ask can be written in its definition later. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { change } from '../../../api/client.ts';
import { goTo } from '../../../parts/route.ts';
import { type NewServer, ServerForm } from '../../../parts/server-form.tsx';

export function FillIn() {
  const queries = useQueryClient();
  const add = useMutation({
    mutationFn: (body: NewServer) => change('/api/servers', { method: 'POST', body }),
    onSuccess: async (_written, { id }) => {
      await queries.invalidateQueries({ queryKey: ['servers'] });
      goTo('servers', id);
    },
  });
  return (
    <div className="max-w-xl">
      <ServerForm onSubmit={add.mutate} onCancel={() => goTo('servers')} error={add.error} isPending={add.isPending} />
    </div>
  );
}
