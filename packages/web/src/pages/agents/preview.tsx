/** What a list comes to on one executor, before it is stored: the hub resolves it as it would for a run. */
import type { Resolved } from '@junctor/hub/answers';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { change, HubError } from '../../api/client.ts';
import { useExecutors } from '../../api/queries.ts';
import { Failure, Notice } from '../../parts/notice.tsx';
import { Table } from '../../parts/table.tsx';
import { useSettled } from '../../parts/use-settled.ts';
import type { ServerList } from './draft.ts';
import { Problems } from './problems.tsx';

/** Nobody wants to be told of what is wrong between two letters. */
const PAUSE_MS = 250;

interface PreviewProps {
  readonly agent: string;
  readonly executor: string;
  readonly onExecutor: (executor: string) => void;
  /** Undefined while there is none that could be resolved. */
  readonly list: ServerList | undefined;
  readonly isEnabled: boolean;
}

export function Preview({ agent, executor, onExecutor, list, isEnabled }: PreviewProps) {
  const executors = useExecutors().data?.executors.map(one => one.executor) ?? [executor];
  return (
    <section aria-label="Preview" className="mt-6">
      <div className="mb-2 flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-lg font-semibold">What it comes to</h2>
        <label className="flex items-center gap-2">
          Executor
          <select
            className="rounded border border-line bg-card p-2"
            value={executor}
            onChange={event => onExecutor(event.target.value)}
          >
            {executors.map(name => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      </div>
      {!isEnabled && <p className="mb-2">MCP is off for this agent: it gets none of these until it is switched on.</p>}
      {list && <Resolution agent={agent} executor={executor} list={list} />}
    </section>
  );
}

function Resolution({ agent, executor, list }: { agent: string; executor: string; list: ServerList }) {
  const text = useSettled(JSON.stringify({ enabled: true, ...list }), PAUSE_MS);
  const { data, error } = useQuery({
    queryKey: ['resolve', agent, executor, text],
    queryFn: () =>
      change<Resolved>(`/api/resolve?agent=${agent}&executor=${executor}`, { method: 'POST', body: JSON.parse(text) }),
    placeholderData: keepPreviousData,
    retry: false,
  });
  if (error instanceof HubError && error.problems.length > 0) return <Problems problems={error.problems} />;
  if (error) return <Failure error={error} />;
  if (!data) return <p className="text-quiet">Loading …</p>;
  const told = notices(data);
  return (
    <>
      {told.length > 0 && <Problems problems={told} />}
      {data.servers.length === 0 ? (
        <Notice title={`On ${data.executor} this agent gets no servers.`} />
      ) : (
        <Table
          label="Resolution"
          rows={data.servers}
          keyOf={({ name }) => name}
          columns={[
            { title: 'Server', cell: ({ name }) => name },
            { title: 'Transport', cell: ({ transport }) => transport },
            { title: 'Mode', cell: ({ mode }) => mode },
            { title: 'Endpoint', cell: ({ endpoint }) => endpoint },
            { title: 'Variables', cell: ({ env }) => Object.keys(env).join(', ') || '–' },
          ]}
        />
      )}
      {data.left_out.length > 0 && (
        <ul aria-label="Left out" className="mt-3 text-sm text-quiet">
          {data.left_out.map(({ server, because }) => (
            <li key={server} className="foreign">
              Without {server}: {because}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function notices({ errors, warnings }: Resolved) {
  const told = (kind: 'Error' | 'Warning', list: Resolved['errors']) =>
    list.map(({ server = '', message }) => ({ kind, path: server, message }));
  return [...told('Error', errors), ...told('Warning', warnings)];
}
