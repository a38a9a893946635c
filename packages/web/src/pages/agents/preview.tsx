/** What a list comes to on one executor: each server, and why others are left out. */
import type { Resolved } from '@junctor/hub/answers';
import { useExecutors } from '../../api/queries.ts';
import { Failure, Loading, Notice } from '../../parts/notice.tsx';
import { Problems } from '../../parts/problems.tsx';
import { Table } from '../../parts/table.tsx';
import type { ListResolution } from './use-resolution.ts';

interface PreviewProps {
  readonly executor: string;
  readonly onExecutor: (executor: string) => void;
  /** Undefined while there is none that could be resolved. */
  readonly resolution: ListResolution | undefined;
  readonly isEnabled: boolean;
}

export function Preview({ executor, onExecutor, resolution, isEnabled }: PreviewProps) {
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
      {resolution && <Resolution {...resolution} />}
    </section>
  );
}

function Resolution({ resolved, error, problems }: ListResolution) {
  if (problems.length === 0 && error) return <Failure error={error} />;
  return (
    <>
      {problems.length > 0 && <Problems problems={problems} />}
      {!error && (resolved ? <Outcome {...resolved} /> : <Loading />)}
    </>
  );
}

function Outcome({ executor, servers, left_out: leftOut }: Resolved) {
  return (
    <>
      {servers.length === 0 ? (
        <Notice title={`On ${executor} this agent gets no servers.`} />
      ) : (
        <Table
          label="Resolution"
          rows={servers}
          keyOf={({ name }) => name}
          columns={[
            { title: 'Server', cell: ({ name }) => name },
            { title: 'Transport', cell: ({ transport }) => transport },
            { title: 'Mode', cell: ({ mode }) => mode },
            { title: 'Endpoint', cell: addressOf },
            { title: 'Variables', cell: ({ env }) => Object.keys(env).join(', ') || '–' },
          ]}
        />
      )}
      {leftOut.length > 0 && (
        <ul aria-label="Left out" className="mt-3 text-sm text-quiet">
          {leftOut.map(({ server, because }) => (
            <li key={server} className="foreign">
              Without {server}: {because}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** A hub may use another address for sessions of an executor than an agent there by itself. */
function addressOf({ endpoint, hub_endpoint: byHub }: Resolved['servers'][number]): string {
  return byHub === undefined ? endpoint : `${endpoint} (through the hub: ${byHub})`;
}
