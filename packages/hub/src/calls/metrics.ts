/** What a monitor reads, in the text format of Prometheus. Counters begin anew with each start of the hub. */
import type { AgentBook } from '../agents/agent-book.ts';
import type { Records } from './records.ts';
import type { Tally } from './tallies.ts';

/** Upper ends of the classes that a monitor sees, in seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

const STATES = ['disabled', 'untrusted', 'idle', 'connecting', 'auth_required', 'ready', 'error'] as const;

export function metricsText(book: AgentBook, records: Records): string {
  const tallies = records.tallies.sinceStart();
  const states = statesOf(book);
  return [
    ...counter(
      'junctor_calls_total',
      'Calls that were sent to a server.',
      tallies.map(one => [labels(one), one.calls]),
    ),
    ...counter(
      'junctor_call_errors_total',
      'Calls that ended as an error.',
      tallies.map(one => [labels(one), one.errors]),
    ),
    ...counter(
      'junctor_call_bytes_total',
      'Size of the answers.',
      tallies.map(one => [labels(one), one.bytes]),
    ),
    ...durations(tallies),
    ...gauge('junctor_calls_in_flight', 'Calls that run now.', [['', records.calls.inFlight]]),
    ...gauge(
      'junctor_servers',
      'Servers by state.',
      STATES.map(state => [`state="${state}"`, states.get(state) ?? 0]),
    ),
    ...gauge('junctor_sessions', 'Sessions that are open.', [['', records.sessions.size]]),
    ...counter('junctor_calls_unrecorded_total', 'Calls that the database did not take.', [
      ['', records.calls.dropped],
    ]),
    ...gauge('process_resident_memory_bytes', 'Memory of the hub itself.', [['', process.memoryUsage.rss()]]),
    '',
  ].join('\n');
}

type Sample = readonly [labels: string, value: number];

function counter(name: string, help: string, samples: readonly Sample[]): string[] {
  return metric(name, 'counter', help, samples);
}

function gauge(name: string, help: string, samples: readonly Sample[]): string[] {
  return metric(name, 'gauge', help, samples);
}

function metric(name: string, type: string, help: string, samples: readonly Sample[]): string[] {
  const lines = samples.map(([inside, value]) => `${name}${inside === '' ? '' : `{${inside}}`} ${value}`);
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines];
}

/** By server: a monitor that had every tool apart would have too many. */
function durations(tallies: readonly Tally[]): string[] {
  const name = 'junctor_call_duration_seconds';
  const lines = [...Map.groupBy(tallies, ({ server }) => server)].flatMap(([server, own]) => {
    const label = `server="${escaped(server)}"`;
    const classes = own.flatMap(({ durations: counts }) => [...counts]);
    const calls = own.reduce((sum, one) => sum + one.calls, 0);
    const seconds = own.reduce((sum, one) => sum + one.totalMs, 0) / 1000;
    const buckets = BUCKETS.map(end => {
      const within = classes.reduce((sum, [at, count]) => (Math.exp(at * GROWTH) / 1000 <= end ? sum + count : sum), 0);
      return `${name}_bucket{${label},le="${end}"} ${within}`;
    });
    const all = [`${name}_bucket{${label},le="+Inf"} ${calls}`, `${name}_sum{${label}} ${seconds}`];
    return [...buckets, ...all, `${name}_count{${label}} ${calls}`];
  });
  return [`# HELP ${name} How long calls took.`, `# TYPE ${name} histogram`, ...lines];
}

/** Each class of durations is a tenth wider than the one before. */
const GROWTH = Math.log(1.1);

function labels({ agent, server, tool }: Tally): string {
  return `agent="${escaped(agent)}",server="${escaped(server)}",tool="${escaped(tool)}"`;
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
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
