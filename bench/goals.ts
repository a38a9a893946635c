/**
 * What Junctor holds itself to. Each goal says whom it measures, against whom, and how far it may go. The bars come from
 * what peers reach and what plain Node allows on the same machine; they are ratios wherever a machine could matter.
 */
import type { Subject } from './samples.ts';

export type Bar = { readonly atMost: number } | { readonly atLeast: number } | { readonly wish: string };

export interface Goal {
  readonly measure: string;
  readonly subject: Subject;
  readonly metric: string;
  /** The contestant the ratio is taken against. Absent: the number itself is the measure. */
  readonly baseline?: string;
  /** Who shows what is possible here: the floor, or the reference gateway. */
  readonly limit?: string;
  /** The same of a peer, where it goes by a name of its own. */
  readonly rival?: string;
  readonly unit: '×' | 'ms' | 'MiB' | 'KB' | '%' | 'delivered' | '';
  readonly bar: Bar;
}

type Case = Pick<Goal, 'measure' | 'metric' | 'baseline' | 'unit' | 'bar'>;

export const GOALS: readonly Goal[] = [
  ...library('calls', 'stdio', [
    times('p50Ms', 'sdk2', 'library, stdio echo, p50 × SDK v2', atMost(0.42)),
    times('cpuMs1', 'sdk2', 'library, stdio echo, CPU × SDK v2', atMost(0.45)),
    times('perSecond64', 'sdk2', 'library, stdio echo, calls/s at 64 × SDK v2', atLeast(3)),
  ]),
  ...library('calls', 'http', [
    times('p50Ms', 'sdk2', 'library, http echo, p50 × SDK v2', atMost(0.6)),
    times('cpuMs1', 'sdk2', 'library, http echo, CPU × SDK v2', atMost(0.5)),
    times('perSecond64', 'sdk2', 'library, http echo, calls/s at 64 × SDK v2', atLeast(3)),
  ]),
  ...library('big', 'stdio 10 MB', [times('ms', 'floor', 'library, 10 MB over stdio × floor', atMost(1.5))]),
  ...library('big', 'stdio 11 MB', [plain('delivered', 'delivered', 'library, 11 MB over stdio', atLeast(1))]),
  ...library('big', 'stdio 100 MB', [
    plain('delivered', 'delivered', 'library, 100 MB over stdio', atLeast(1)),
    times('peakMiB', 'floor', 'library, 100 MB over stdio, peak RSS × floor', { wish: 'bounded' }),
  ]),
  ...library('start', '1 server', [times('wallMs', 'sdk2', 'library, 1 server to tools × SDK v2', atMost(0.6))]),
  ...library('start', '30 servers', [times('wallMs', 'sdk2', 'library, 30 servers to tools × SDK v2', atMost(0.88))]),
  ...library('start', '30 slow servers', [
    times('wallMs', 'floor', 'library, 30 servers that need 300 ms × floor', atMost(1.1)),
  ]),
  ...library('list', 'library', [times('ms', 'sdk2', 'library, list of 10,000 tools × SDK v2', atMost(0.25))]),
  ...hub('calls', 'gateway', [
    times('p50Ms', 'direct', 'hub, echo, p50 × direct http', atMost(1.9)),
    times('cpuMs1', 'ref-parse', 'hub, echo, CPU × ref-parse', atMost(1.6)),
    times('perSecond64', 'ref-parse', 'hub, echo, calls/s at 64 × ref-parse', atLeast(0.9)),
    times('cpuMs64', 'ref-parse', 'hub, echo, CPU at 64 × ref-parse', atMost(1.5)),
  ]),
  ...hub('big', 'gateway 10 MB', [
    times('ms', 'direct', 'hub, 10 MB × direct http', atMost(1.5)),
    plain('peakMiB', 'MiB', 'hub, 10 MB, peak RSS', atMost(120)),
  ]),
  ...hub('memory', '50 sessions', [
    plain('upstreams', '', 'hub, 50 sessions, upstream processes', atMost(1)),
    plain('pssMiBEach', 'MiB', 'hub, 50 sessions, PSS each', atMost(0.3)),
  ]),
  ...hub('start', 'gateway', [plain('startMs', 'ms', 'hub, start with 1 server', atMost(250))]),
  ...hub('idle', 'gateway', [
    plain('rssMiB', 'MiB', 'hub, idle, RSS', atMost(90)),
    // 0.0 % as people see it in a process list.
    plain('cpuPercent', '%', 'hub, idle, CPU', atMost(0.05)),
  ]),
  ...hub('trouble', 'ten servers', [
    times('toolsMs', 'hub, healthy', 'hub, 3 of 10 servers in trouble, tools/list × without them', atMost(1.3)),
    times('promptsMs', 'hub, healthy', 'hub, 3 of 10 servers in trouble, prompts/list × without them', atMost(1.3)),
    times('callMs', 'hub, healthy', 'hub, 3 of 10 servers in trouble, echo × without them', atMost(1.3)),
  ]),
  ...hub('page-load', 'overview', [plain('score', '', 'page, overview, Lighthouse performance', atLeast(95))]),
  ...library('config', '1,000 servers', [
    times('ms', 'floor', 'config, 1,000 servers in 20 files × JSON.parse + zod', atMost(2)),
  ]),
  ...library('catalogue', 'snapshot', [
    times('ms', 'floor', 'catalogue, 10,000 tools, snapshot × JSON.parse', atMost(3)),
  ]),
  ...['anthropic', 'openai', 'gemini'].flatMap(provider =>
    library('catalogue', `list for ${provider}`, [
      times('ms', 'floor', `catalogue, 10,000 tools, list for ${provider} × JSON.parse`, atMost(3)),
    ]),
  ),
  ...library('catalogue', 'search', [times('ms', 'floor', 'catalogue, 10,000 tools, search × JSON.parse', atMost(3))]),
  ...library('catalogue', 'one server changed', [
    times('ms', 'floor', 'catalogue, one of 200 servers changed × JSON.parse', atMost(0.3)),
  ]),
  ...library('chat', 'conversation', [times('cpuMs', 'floor', 'chat, one conversation, CPU × AI SDK', atMost(1.1))]),
  ...library('catalogue', 'memory', [plain('heapMiB', 'MiB', 'catalogue, 10,000 tools, heap', atMost(120))]),
  {
    subject: { workload: 'connect', variant: 'stdio', contestant: 'junctor connect' },
    ...times('p50Ms', 'sdk2', 'connect, echo by an SDK client, p50 × direct stdio', atMost(2.5)),
  },
  ...page('first load', [plain('scriptKB', 'KB', 'page, first load, scripts', atMost(150))]),
  ...['1,000 servers', '10,000 tools', '100,000 calls'].flatMap(variant =>
    page(variant, [
      plain('worstMs', 'ms', `page, ${variant}, slowest key or scroll`, atMost(100)),
      plain('cpuMs', 'ms', `page, ${variant}, slowest key, CPU of its thread`, atMost(100)),
    ]),
  ),
  command('junctor --help', 'mcporter --version', atMost(1.6)),
  command('junctor mcp list', undefined, atMost(2)),
  command('junctor mcp tools, known', undefined, atMost(2.5)),
  command('junctor mcp call', 'mcporter call', atMost(5)),
  command('junctor mcp call, hub', undefined, atMost(2.5)),
];

function library(workload: string, variant: string, cases: readonly Case[]): Goal[] {
  const subject = { workload, variant, contestant: 'junctor' };
  return cases.map(each => ({ subject, limit: 'floor', ...each }));
}

function hub(workload: string, variant: string, cases: readonly Case[]): Goal[] {
  const subject = { workload, variant, contestant: 'hub' };
  return cases.map(each => ({ subject, limit: 'ref-splice', ...each }));
}

function page(variant: string, cases: readonly Case[]): Goal[] {
  const subject = { workload: 'page', variant, contestant: 'page' };
  return cases.map(each => ({ subject, ...each }));
}

function command(contestant: string, rival: string | undefined, bar: Bar): Goal {
  const subject = { workload: 'cli', variant: 'cold', contestant };
  const measured = times('ms', 'node -e 0', `${contestant} × node -e 0`, bar);
  return { subject, ...(rival === undefined ? {} : { rival }), ...measured };
}

function times(metric: string, baseline: string, measure: string, bar: Bar): Case {
  return { metric, baseline, measure, bar, unit: '×' };
}

function plain(metric: string, unit: Goal['unit'], measure: string, bar: Bar): Case {
  return { metric, unit, measure, bar };
}

function atMost(value: number): Bar {
  return { atMost: value };
}

function atLeast(value: number): Bar {
  return { atLeast: value };
}
