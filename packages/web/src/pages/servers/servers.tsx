/** Every server: how it is, who shares it, where it is defined; and one of them, as closely as one likes. */

import type { Server, ServerStatus } from '@junctor/hub/answers';
import { useServers, useStatus, useTools } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { LongTable } from '../../parts/long-table.tsx';
import { FirstServer } from '../../parts/next-steps.tsx';
import { Failure, Loading, Notice } from '../../parts/notice.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import { ADD, goTo } from '../../parts/route.ts';
import { State } from '../../parts/state.tsx';
import type { PageProps } from '../../shell/pages.tsx';
import { AddPage } from './add/add-page.tsx';
import { placeOf } from './place-of.ts';
import { Removed } from './removed.tsx';
import { ServerDetail } from './server-detail.tsx';
import { ServerSwitch } from './server-switch.tsx';
import { Sharing } from './sharing.tsx';

export default function Servers({ rest: [id, view] }: PageProps) {
  if (id === ADD) return <AddPage way={view} />;
  return id === undefined ? <ServerList /> : <ServerDetail key={id} id={id} view={view} />;
}

function ServerList() {
  const { data, error } = useServers();
  const statuses = new Map((useStatus().data?.servers ?? []).map(status => [status.id, status]));
  const tools = Map.groupBy(useTools().data?.tools ?? [], ({ server }) => server);
  if (error) return <Failure error={error} />;
  if (!data) return <Loading />;
  return (
    <>
      <div className="mb-4 flex items-center justify-between gap-3">
        <h1 className="text-2xl font-semibold">Servers</h1>
        <Button onClick={() => goTo('servers', ADD)}>Add a server</Button>
      </div>
      <Removed removed={data.removed} />
      {data.servers.length === 0 && <FirstServer />}
      {data.servers.length > 0 && (
        <LongTable
          label="Servers"
          rows={data.servers}
          keyOf={({ id }) => id}
          columns={[
            {
              title: 'Server',
              cell: ({ id }) => <PageLink to={['servers', id]}>{id}</PageLink>,
            },
            { title: 'State', cell: server => <State state={stateOf(server, statuses)} /> },
            { title: 'Transport', share: 0.8, cell: ({ definition }) => definition.transport },
            { title: 'Tools', share: 0.6, cell: ({ id }) => tools.get(id)?.length ?? '–', isNumber: true },
            { title: 'Latency', share: 0.7, cell: ({ id }) => latency(statuses.get(id)), isNumber: true },
            { title: 'In use', share: 2.2, cell: ({ id }) => <Sharing id={id} /> },
            { title: 'Defined in', cell: server => <span title={placeOf(server)}>{server.layer}</span> },
            { title: 'On', share: 0.6, cell: server => <ServerSwitch server={server} /> },
          ]}
        />
      )}
      {data.invalid.map(({ id, file, message }) => (
        <div key={`${file} ${id}`} className="mt-3">
          <Notice title={`'${id}' is not valid: ${message}`} why={file} />
        </div>
      ))}
    </>
  );
}

function stateOf({ id, state }: Server, statuses: ReadonlyMap<string, ServerStatus>): string {
  return statuses.get(id)?.state ?? state;
}

function latency(status: ServerStatus | undefined): string {
  return status?.latency_ms === undefined ? '–' : `${Math.round(status.latency_ms)} ms`;
}
