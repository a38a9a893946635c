/** What a worker does with its connection, one function a workload. Each gives numbers only. */
import type { Connection } from './contestants/contestant.ts';
import { cpuMs } from './cpu.ts';
import { openClient, publicNames } from './endpoint.ts';
import { load, oneByOne } from './load.ts';
import { memoryOf } from './memory.ts';
import { isUpstream, processesOf } from './process-tree.ts';
import type { Values } from './samples.ts';
import { median } from './statistics.ts';
import type { Job, Target } from './task.ts';

export interface Setting {
  readonly target: Target;
  readonly connection: Connection;
  /** The processes whose CPU and memory count: this one for a library, the gateway's for a gateway. */
  readonly measured: readonly number[];
}

const TEXT = 'x'.repeat(100);

export async function perform(job: Job, setting: Setting): Promise<Values> {
  const tools = await setting.connection.list();
  switch (job.kind) {
    case 'start':
      return { tools: tools.length, cpuMs: cpuMs(setting.measured), ...memoryOf(setting.measured) };
    case 'calls':
      return calls(setting);
    case 'big':
      return bigResults(setting, job);
    case 'list':
      return lists(setting, job);
    case 'sessions':
      return sessions(setting, job.sessions);
  }
}

async function calls({ connection, measured }: Setting): Promise<Values> {
  const echoed = await connection.call('echo', { text: TEXT });
  if (!echoed.includes(TEXT)) throw new Error(`not an echo: ${echoed.slice(0, 200)}`);
  return load(() => connection.call('echo', { text: TEXT }), measured);
}

/** The first result is not timed: the server makes its text then, and the client sees such a size for the first time. */
async function bigResults({ connection, measured }: Setting, job: { bytes: number; repeat: number }): Promise<Values> {
  const once = async () => {
    const text = await connection.call('big', { bytes: job.bytes });
    if (text.length < job.bytes) throw new Error(`${text.length} of ${job.bytes} bytes arrived`);
  };
  await once();
  return { ...(await timed(once, job.repeat, measured)), delivered: 1, ...memoryOf(measured) };
}

async function lists({ connection, measured }: Setting, job: { repeat: number; anew: boolean }): Promise<Values> {
  const once = async () => void (await connection.list());
  if (!job.anew) {
    await once();
    return { ...(await timed(once, job.repeat, measured)), ...memoryOf(measured) };
  }
  const rounds: Values[] = [];
  for (let round = 0; round <= job.repeat; round++) {
    const asked = Number(await connection.call('touch', {}));
    rounds.push(await timed(once, 1, measured));
    if (Number(await connection.call('touch', {})) === asked) throw new Error('lists from memory after a change');
  }
  const [, ...warm] = rounds;
  const middle = (metric: string) => median(warm.map(values => values[metric] ?? Number.NaN));
  return { ms: middle('ms'), cpuMs: middle('cpuMs'), ...memoryOf(measured) };
}

async function timed(once: () => Promise<void>, repeat: number, measured: readonly number[]): Promise<Values> {
  const cpuBefore = cpuMs(measured);
  const times: number[] = [];
  for (let run = 0; run < repeat; run++) {
    const started = performance.now();
    await once();
    times.push(performance.now() - started);
  }
  return { ms: median(times), cpuMs: (cpuMs(measured) - cpuBefore) / repeat };
}

/** One session first, then the others beside it: what each further one costs is the difference. */
async function sessions({ target, connection }: Setting, count: number): Promise<Values> {
  if (target.kind !== 'endpoint' || !target.gateway) throw new Error('sessions need a gateway');
  const { pid, home } = target.gateway;
  const account = () => {
    const processes = processesOf(pid, home);
    return { processes: processes.length, upstreams: processes.filter(isUpstream).length, ...memoryOf(processes) };
  };
  const CALLS = 400;
  // As many calls before as after, or the memory of calls would be booked on the sessions.
  await oneByOne(() => connection.call('echo', { text: TEXT }), CALLS);
  const alone = account();

  const opening = performance.now();
  const clients = await Promise.all(Array.from({ length: count - 1 }, () => openClient(target)));
  const openMs = performance.now() - opening;
  const [first] = clients;
  if (!first) throw new Error('sessions need a second client');
  const name = (await publicNames(first))('echo');
  const callOn = (index: number) =>
    clients[index % clients.length]?.request('tools/call', { name, arguments: { text: TEXT } });
  await Promise.all(clients.map((_, index) => callOn(index)));
  let turn = 0;
  const latencies = await oneByOne(async () => callOn(turn++), CALLS);
  const together = account();
  await Promise.all(clients.map(client => client.close()));
  return {
    ...together,
    openMs,
    p50Ms: median(latencies),
    pssMiBEach: (together.pssMiB - alone.pssMiB) / (count - 1),
  };
}
