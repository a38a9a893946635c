/** One glance tells whether all is well: what runs, who is here, what waits for a person. */

import type { ServerStatus } from '@junctor/hub/answers';
import { useApprovals, useCalls, useSessions, useStatus } from '../api/queries.ts';
import { Ago, useNow } from '../parts/ago.tsx';
import { Foreign } from '../parts/foreign.tsx';
import { FirstAgent, FirstServer } from '../parts/next-steps.tsx';
import { Failure, Loading, Notice } from '../parts/notice.tsx';
import { PageLink } from '../parts/page-link.tsx';
import { addressOf } from '../parts/route.ts';
import { State } from '../parts/state.tsx';
import { Table } from '../parts/table.tsx';
import { Dashboard } from './dashboard.tsx';

/** Calls of the last minute tell what happens now. */
const MINUTE_MS = 60_000;

/** So many of them are read: enough to be counted at a glance. */
const MOST_CALLS = 200;

export function Overview() {
  const { data: status, error } = useStatus();
  if (error) return <Failure error={error} />;
  if (!status) return <Loading />;
  return (
    <>
      <h1 className="mb-4 text-2xl font-semibold">Overview</h1>
      {status.servers.length === 0 ? <FirstServer /> : <Glance servers={status.servers} />}
    </>
  );
}

function Glance({ servers }: { servers: readonly ServerStatus[] }) {
  const approvals = useApprovals().data?.approvals ?? [];
  const sessions = useSessions().data?.sessions;
  const calls = useCalls(`?limit=${MOST_CALLS}`).data;
  const now = useNow();
  const recent = (calls?.calls ?? []).filter(({ started }) => now - Date.parse(started) < MINUTE_MS);
  const troubled = servers.filter(({ state }) => TROUBLE.has(state));
  const agents = new Set(sessions?.map(({ agent, server }) => agent ?? server));
  return (
    <>
      <dl className="mb-3 grid grid-cols-2 gap-3 md:grid-cols-3 lg:grid-cols-6">
        <Figure title="Servers ready" value={`${count(servers, 'ready')} of ${servers.length}`} to="servers" />
        <Figure title="Need a login" value={count(servers, 'auth_required')} to="servers" />
        <Figure title="Approvals waiting" value={approvals.length} to="approvals" />
        <Figure title="Agents attached" value={agents.size} to="agents" />
        <Figure title="Calls, last minute" value={counted(recent.length)} to="activity" />
        <Figure title="Errors, last minute" value={recent.filter(({ failed }) => failed).length} to="activity" />
      </dl>
      <States servers={servers} />
      <h2 className="mb-2 text-lg font-semibold">What needs you</h2>
      {troubled.length === 0 && approvals.length === 0 ? (
        <Notice title="Nothing. All servers are well, and no call waits for a yes." />
      ) : (
        <>
          {approvals.length > 0 && (
            <p className="mb-3">
              <PageLink to={['approvals']}>
                {approvals.length === 1 ? 'One call waits' : `${approvals.length} calls wait`} for your yes
              </PageLink>
              , the oldest since <Ago at={(approvals[0] as { asked: string }).asked} />.
            </p>
          )}
          {troubled.length > 0 && <Trouble servers={troubled} />}
        </>
      )}
      {sessions?.length === 0 && (
        <div className="mt-3">
          <FirstAgent title="No agent is attached right now." />
        </div>
      )}
      <h2 className="mb-2 mt-6 text-lg font-semibold">Every server</h2>
      <Dashboard servers={servers} />
    </>
  );
}

const TROUBLE = new Set(['error', 'auth_required', 'untrusted']);

function Trouble({ servers }: { servers: readonly ServerStatus[] }) {
  return (
    <Table
      label="Servers that need attention"
      rows={servers}
      keyOf={({ id }) => id}
      columns={[
        {
          title: 'Server',
          cell: ({ id }) => <PageLink to={['servers', id]}>{id}</PageLink>,
        },
        { title: 'State', cell: ({ state }) => <State state={state} /> },
        { title: 'Why', cell: ({ last_error: error }) => <Foreign text={error?.message ?? ''} most={400} /> },
        { title: 'What to do', cell: server => <Next server={server} /> },
      ]}
    />
  );
}

function Next({ server: { id, state, last_error: error } }: { server: ServerStatus }) {
  const hint = <Foreign text={error?.hint ?? ''} most={400} />;
  if (state !== 'auth_required') return hint;
  return (
    <>
      <PageLink to={['servers', id]}>Log in to {id}</PageLink>
      {error?.hint && <span className="text-quiet"> or: {hint}</span>}
    </>
  );
}

function Figure({ title, value, to }: { title: string; value: string | number; to: string }) {
  return (
    <div className="rounded-lg border border-line bg-card p-3">
      <dt className="text-sm text-quiet">{title}</dt>
      <dd className="text-2xl font-semibold tabular-nums">
        <a href={addressOf(to)}>{value}</a>
      </dd>
    </div>
  );
}

function counted(calls: number): string {
  return calls < MOST_CALLS ? String(calls) : `${MOST_CALLS} or more`;
}

/** How many servers are in each state there is. */
function States({ servers }: { servers: readonly ServerStatus[] }) {
  const groups = Map.groupBy(servers, ({ state }) => state);
  return (
    <ul aria-label="Servers by state" className="mb-6 flex flex-wrap gap-x-5 gap-y-1">
      {[...groups].map(([state, those]) => (
        <li key={state} className="tabular-nums">
          {those.length} <State state={state} />
        </li>
      ))}
    </ul>
  );
}

function count(servers: readonly ServerStatus[], state: ServerStatus['state']): number {
  return servers.filter(server => server.state === state).length;
}
