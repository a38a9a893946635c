/** What a server is: who uses it, its tools, and what its definition says. */
import type { Server } from '@junctor/hub/answers';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { change } from '../../api/client.ts';
import { useInstances, useTools } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { Foreign } from '../../parts/foreign.tsx';
import { Json } from '../../parts/json.tsx';
import { Failure, Notice } from '../../parts/notice.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import { goTo } from '../../parts/route.ts';
import { Section } from '../../parts/section.tsx';
import { ServerMeta } from '../../parts/server-meta.tsx';
import { State } from '../../parts/state.tsx';
import { Table } from '../../parts/table.tsx';
import { placeOf } from './place-of.ts';

export function About({ server }: { server: Server }) {
  const { id, layer, definition, editable } = server;
  return (
    <>
      <ServerMeta meta={definition.meta} />
      <Section title="In use">
        <Uses id={id} />
      </Section>
      <Tools id={id} />
      <Section title="Definition">
        <p className="mb-2 text-sm text-quiet">
          {layer}, <span className="foreign">{placeOf(server)}</span>; secrets are masked
        </p>
        <Json value={definition} />
      </Section>
      {editable && <Remove id={id} />}
    </>
  );
}

function Tools({ id }: { id: string }) {
  const tools = (useTools().data?.tools ?? []).filter(({ server }) => server === id);
  return (
    <Section title={`Tools (${tools.length})`}>
      {tools.length === 0 ? (
        <Notice title="No tools are known." next="They are listed once the server has answered." />
      ) : (
        <ul className="rounded-lg border border-line bg-card">
          {tools.map(({ name, tool, description }) => (
            <li key={name} className="border-b border-line p-3 last:border-0">
              <PageLink to={['tools', name]}>
                <Foreign text={tool} />
              </PageLink>
              <p className="line-clamp-2 text-sm text-quiet">
                <Foreign text={description ?? ''} most={400} />
              </p>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function Uses({ id }: { id: string }) {
  const instances = (useInstances().data?.instances ?? []).filter(({ server }) => server === id);
  if (instances.length === 0) return <Notice title="It does not run at the moment." />;
  return (
    <Table
      label="Instances"
      rows={instances.map((instance, place) => ({ ...instance, key: String(place) }))}
      keyOf={({ key }) => key}
      columns={[
        { title: 'Mode', cell: ({ mode }) => (mode === 'shared' ? 'one for all' : 'one for each session') },
        { title: 'State', cell: ({ state }) => <State state={state} /> },
        { title: 'Requests now', cell: ({ calls }) => calls, isNumber: true },
        {
          title: 'Sessions',
          cell: ({ sessions }) => (
            <Foreign
              text={sessions.map(({ client, door }) => `${client} at ${door}`).join(', ') || 'none'}
              most={2000}
            />
          ),
        },
      ]}
    />
  );
}

/** It can be put back from the list: nobody is asked first. */
function Remove({ id }: { id: string }) {
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => change(`/api/servers/${encodeURIComponent(id)}`, { method: 'DELETE' }),
    onSuccess: () => {
      goTo('servers');
      return queries.invalidateQueries({ queryKey: ['servers'] });
    },
  });
  return (
    <>
      <Button onClick={() => remove.mutate()} disabled={remove.isPending}>
        Remove this server
      </Button>
      {remove.error && <Failure error={remove.error} />}
    </>
  );
}
