/** The list of 10,000 tools of one server, about 470 bytes each. */
import { inRounds } from '../rounds.ts';
import { measureLibrary, runWorker } from '../run-worker.ts';
import { startHttpUpstream, stdioUpstreams } from '../upstreams.ts';
import type { Workload } from './workload.ts';

const TOOLS = 10_000;

export const list: Workload = {
  name: 'list',
  about: 'a list of 10,000 tools, asked anew by libraries and once more from gateways',
  async run(bench) {
    const args = `--tools=${TOOLS}`;
    await inRounds(bench.libraries, bench.rounds, (library, round) =>
      bench.record({ workload: 'list', variant: 'library', contestant: library.name }, round, () =>
        measureLibrary(bench.stage, library, stdioUpstreams(1, args), { kind: 'list', repeat: 3, anew: true }),
      ),
    );
    // A gateway may keep the list: that it answers the second client from memory is what people want of it.
    await using server = await startHttpUpstream(bench.stage, args);
    await inRounds(bench.doors(server.upstream, TOOLS), bench.rounds, (door, round) =>
      bench.record({ workload: 'list', variant: 'gateway', contestant: door.name }, round, async () => {
        await using open = await door.open();
        return await runWorker(bench.stage, { target: open.target, job: { kind: 'list', repeat: 3, anew: false } });
      }),
    );
  },
};
