/** A gateway that nobody uses: what it keeps of the machine. */
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuMs } from '../cpu.ts';
import type { OpenDoor } from '../doors.ts';
import { memoryOf } from '../memory.ts';
import { isUpstream, processesOf } from '../process-tree.ts';
import type { Values } from '../samples.ts';
import type { Workload } from './workload.ts';

/** Shorter, and the end of its start is still counted. */
const SETTLE_MS = 2000;
/** Shorter, and a timer that ticks every few seconds goes unseen. */
const WATCH_MS = 5500;

export const idle: Workload = {
  name: 'idle',
  about: 'a gateway with one server and no client: memory and CPU',
  async run(bench) {
    // All at once: who idles disturbs nobody, and a person need not wait for each in turn.
    for (let round = 0; round < bench.rounds; round++) {
      await Promise.all(
        bench.gateways().map(door =>
          bench.record({ workload: 'idle', variant: 'gateway', contestant: door.name }, round, async () => {
            await using open = await door.open();
            return await watch(open);
          }),
        ),
      );
    }
  },
};

/** The upstream server is left out: it is not the gateway's. */
async function watch({ target }: OpenDoor): Promise<Values> {
  await sleep(SETTLE_MS);
  const { pid = 0, home = '' } = target.gateway ?? {};
  const processes = processesOf(pid, home).filter(candidate => !isUpstream(candidate));
  const before = cpuMs(processes);
  await sleep(WATCH_MS);
  const cpuPercent = ((cpuMs(processes) - before) / WATCH_MS) * 100;
  return { cpuPercent, processes: processes.length, ...memoryOf(processes) };
}
