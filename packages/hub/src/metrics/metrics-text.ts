/** What a monitor reads. Counters begin anew with each start of the hub; labels are such as config can bound. */
import { VERSION } from '@junctor/core';
import { type CountedTool, classMs } from '@junctor/core/internal';
import type { AgentBook } from '../agents/agent-book.ts';
import type { Records } from '../calls/records.ts';
import type { InstanceReport } from '../relay/instance-report.ts';
import { counter, type Distribution, gauge, histogram, type Sample, single } from './exposition.ts';
import { processMetrics } from './process-metrics.ts';

/** Upper ends of the classes that a monitor sees, in seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

const STATES = ['disabled', 'untrusted', 'idle', 'connecting', 'auth_required', 'ready', 'error'] as const;

export interface MetricsRooms {
  readonly book: AgentBook;
  readonly records: Records;
  readonly instances: () => readonly InstanceReport[];
  /** How many calls wait for a yes. */
  readonly approvalsWaiting: () => number;
  /** How many hubs live on this database; undefined where there can be one only. */
  readonly hubs: () => number | undefined;
  /** Traces that were sent, and given up. */
  readonly spans: () => { readonly sent: number; readonly dropped: number } | undefined;
}

export function metricsText({ book, records, instances, approvalsWaiting, hubs, spans }: MetricsRooms): string {
  const { calls, sessions, counts } = records;
  const each = counts.sinceStart();
  const perTool = (value: (counted: CountedTool) => number): Sample[] =>
    each.map(one => [{ agent: one.agent, server: one.server, tool: one.tool }, value(one)]);
  const states = statesOf(book);
  const lives = instances();
  const traces = spans();
  const replicas = hubs();
  return [
    ...gauge('junctor_build_info', 'The version that runs.', [[{ version: VERSION }, 1]]),
    ...counter(
      'junctor_calls_total',
      'Calls that were sent to a server.',
      perTool(one => one.calls),
    ),
    ...counter(
      'junctor_call_errors_total',
      'Calls that ended as an error.',
      perTool(one => one.errors),
    ),
    ...counter(
      'junctor_call_bytes_total',
      'Size of the answers.',
      perTool(one => one.bytes),
    ),
    ...counter('junctor_call_outcomes_total', 'Calls by what became of them.', outcomesOf(counts.outcomes())),
    ...histogram('junctor_call_duration_seconds', 'How long calls took.', durationsOf(each)),
    ...gauge('junctor_calls_in_flight', 'Calls that run now.', single(calls.inFlight)),
    ...gauge('junctor_calls_unwritten', 'Calls that ended and are not in the database yet.', single(calls.unwritten)),
    ...counter('junctor_calls_unrecorded_total', 'Calls that the database did not take.', single(calls.dropped)),
    ...gauge('junctor_approvals_waiting', 'Calls that wait for a yes.', single(approvalsWaiting())),
    ...gauge(
      'junctor_servers',
      'Servers by state.',
      STATES.map(state => [{ state }, states.get(state) ?? 0]),
    ),
    ...gauge(
      'junctor_instances',
      'Lives of each server.',
      byServer(lives, () => 1),
    ),
    ...gauge(
      'junctor_instance_sessions',
      'Sessions that use each server.',
      byServer(lives, one => one.sessions.length),
    ),
    ...gauge(
      'junctor_instance_requests',
      'Requests that run at each server.',
      byServer(lives, one => one.calls),
    ),
    ...gauge('junctor_sessions', 'Sessions that are open.', single(sessions.size)),
    ...(replicas === undefined ? [] : gauge('junctor_hubs', 'Hubs that live on this database.', single(replicas))),
    ...(traces ? counter('junctor_spans_sent_total', 'Spans that the collector took.', single(traces.sent)) : []),
    ...(traces ? counter('junctor_spans_dropped_total', 'Spans that were given up.', single(traces.dropped)) : []),
    ...processMetrics(),
    '',
  ].join('\n');
}

function outcomesOf(counts: ReadonlyMap<string, ReadonlyMap<string, number>>): Sample[] {
  return [...counts].flatMap(([server, byOutcome]) =>
    [...byOutcome].map(([outcome, count]): Sample => [{ server, outcome }, count]),
  );
}

/** By server: a monitor that had every tool apart would have too many. */
function durationsOf(counts: readonly CountedTool[]): Distribution[] {
  return [...Map.groupBy(counts, ({ server }) => server)].map(([server, own]) => {
    const classes = own.flatMap(({ durations }) => [...durations]);
    const within = BUCKETS.map((end): [number, number] => [
      end,
      classes.reduce((sum, [at, count]) => (classMs(at) / 1000 <= end ? sum + count : sum), 0),
    ]);
    return {
      labels: { server },
      within: new Map(within),
      count: own.reduce((sum, one) => sum + one.calls, 0),
      sum: own.reduce((sum, one) => sum + one.totalMs, 0) / 1000,
    };
  });
}

function byServer(lives: readonly InstanceReport[], value: (life: InstanceReport) => number): Sample[] {
  return [...Map.groupBy(lives, ({ server }) => server)].map(([server, own]) => [
    { server },
    own.reduce((sum, one) => sum + value(one), 0),
  ]);
}

/** A server of the files that an agent with its own servers does not get is no server of that agent. */
function statesOf(book: AgentBook): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { host, agent } of book.hosts()) {
    for (const { id, state } of host.status()) {
      if (agent === undefined || host.serves(agent, id)) counts.set(state, (counts.get(state) ?? 0) + 1);
    }
  }
  return counts;
}
