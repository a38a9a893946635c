/** Results of 10 MB and more: whether they arrive, how long they take, and how much memory they need on the way. */
import { inRounds } from '../rounds.ts';
import { measureLibrary, runWorker } from '../run-worker.ts';
import { startHttpUpstream, stdioUpstreams } from '../upstreams.ts';
import type { Workload } from './workload.ts';

const MB = 1_000_000;

/** 11 MB is just past the buffer at which the official SDK drops the connection. */
const SIZES = [
  { variant: 'stdio 10 MB', bytes: 10 * MB, repeat: 3 },
  { variant: 'stdio 11 MB', bytes: 11 * MB, repeat: 1 },
  { variant: 'stdio 100 MB', bytes: 100 * MB, repeat: 1 },
];

export const big: Workload = {
  name: 'big',
  about: 'results of 10, 11 and 100 MB through a pipe, and of 10 MB through a gateway',
  async run(bench) {
    for (const { variant, bytes, repeat } of SIZES) {
      await inRounds(bench.libraries, bench.rounds, (library, round) =>
        bench.record({ workload: 'big', variant, contestant: library.name }, round, () =>
          measureLibrary(bench.stage, library, stdioUpstreams(1), { kind: 'big', bytes, repeat }),
        ),
      );
    }
    await using server = await startHttpUpstream(bench.stage);
    await inRounds(bench.doors(server.upstream), bench.rounds, (door, round) =>
      bench.record({ workload: 'big', variant: 'gateway 10 MB', contestant: door.name }, round, async () => {
        await using open = await door.open();
        const job = { kind: 'big', bytes: 10 * MB, repeat: 3 } as const;
        return await runWorker(bench.stage, { target: open.target, job });
      }),
    );
  },
};
