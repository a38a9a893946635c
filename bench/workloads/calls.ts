/** A tool call of 100 bytes: latency one at a time, throughput at 16 and 64 at once, CPU per call. */
import type { Bench } from '../bench.ts';
import type { Upstream } from '../contestants/contestant.ts';
import { inRounds, MORE_ROUNDS_WHEN_SHORT } from '../rounds.ts';
import { measureLibrary, runWorker } from '../run-worker.ts';
import { startHttpUpstream, stdioUpstreams } from '../upstreams.ts';
import type { Workload } from './workload.ts';

export const calls: Workload = {
  name: 'calls',
  about: 'a tool call of 100 bytes: latency, throughput, CPU per call',
  async run(bench) {
    await using server = await startHttpUpstream(bench.stage);
    await libraries(bench, 'stdio', stdioUpstreams(1), bench.rounds * MORE_ROUNDS_WHEN_SHORT);
    await libraries(bench, 'http', [server.upstream], bench.rounds);
    await inRounds(bench.doors(server.upstream), bench.rounds, (door, round) =>
      bench.record({ workload: 'calls', variant: 'gateway', contestant: door.name }, round, async () => {
        await using open = await door.open();
        return await runWorker(bench.stage, { target: open.target, job: { kind: 'calls' } });
      }),
    );
  },
};

function libraries(bench: Bench, variant: string, upstreams: readonly Upstream[], rounds: number): Promise<void> {
  return inRounds(bench.libraries, rounds, (library, round) =>
    bench.record({ workload: 'calls', variant, contestant: library.name }, round, () =>
      measureLibrary(bench.stage, library, upstreams, { kind: 'calls' }),
    ),
  );
}
