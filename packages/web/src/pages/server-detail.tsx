/** One server: its state, its last trouble, who uses it, its tools, and what its definition says. */

import { useMutation } from '@tanstack/react-query';
import { change } from '../api/client.ts';
import { useInstances, useServers, useStatus, useTools } from '../api/queries.ts';
import { Ago } from '../parts/ago.tsx';
import { Button } from '../parts/button.tsx';
import { Foreign } from '../parts/foreign.tsx';
import { Json } from '../parts/json.tsx';
import { Failure, Notice } from '../parts/notice.tsx';
import { PageLink } from '../parts/page-link.tsx';
import { State } from '../parts/state.tsx';
import { Table } from '../parts/table.tsx';
import { addressOf, goTo } from '../shell/route.ts';
import { SignIn } from './sign-in.tsx';

export function ServerDetail({ id }: { id: string }) {
  const { data, error } = useServers();
  const status = useStatus().data?.servers.find(one => one.id === id);
  const tools = (useTools().data?.tools ?? []).filter(({ server }) => server === id);
  const server = data?.servers.find(one => one.id === id);
  if (error) return <Failure error={error} />;
  if (!data) return <p className="text-quiet">Loading …</p>;
  if (!server)
    return <Notice title={`There is no server '${id}'.`} next={<a href={addressOf('servers')}>All servers</a>} />;
  return (
    <>
      <p className="mb-1 text-sm">
        <PageLink to={['servers']}>Servers</PageLink>
      </p>
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <h1 className="text-2xl font-semibold">{id}</h1>
        <State state={status?.state ?? server.state} />
        {status?.last_connected_at && (
          <span className="text-sm text-quiet">
            connected <Ago at={status.last_connected_at} />
          </span>
        )}
      </div>
      {status?.last_error && (
        <div className="mb-4" role="alert">
          <Notice title={status.last_error.message} why={status.last_error.why} next={status.last_error.hint} />
        </div>
      )}
      {status?.state === 'auth_required' && <SignIn id={id} />}
      <Section title="Definition">
        <p className="mb-2 text-sm text-quiet">
          {server.layer}
          {server.file && `, ${server.file}`}; secrets are masked
        </p>
        <Json value={server.definition} />
      </Section>
      <Section title="In use">
        <Uses id={id} />
      </Section>
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
      <Remove id={id} />
    </>
  );
}

function Section({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section className="mb-6">
      <h2 className="mb-2 text-lg font-semibold">{title}</h2>
      {children}
    </section>
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
          cell: ({ sessions }) => sessions.map(({ client, door }) => `${client} at ${door}`).join(', ') || 'none',
        },
      ]}
    />
  );
}

function Remove({ id }: { id: string }) {
  const remove = useMutation({
    mutationFn: () => change(`/api/servers/${encodeURIComponent(id)}`, { method: 'DELETE' }),
    onSuccess: () => goTo('servers'),
  });
  const ask = (): void => {
    if (window.confirm(`Take '${id}' out of the config file?`)) remove.mutate();
  };
  return (
    <>
      <Button onClick={ask} disabled={remove.isPending}>
        Remove this server
      </Button>
      {remove.error && <Failure error={remove.error} />}
    </>
  );
}
