/** From the start of a process until the tools of all its servers are listed. */
import { inRounds, MORE_ROUNDS_WHEN_SHORT } from '../rounds.ts';
import { measureLibrary } from '../run-worker.ts';
import type { Values } from '../samples.ts';
import { stdioUpstreams } from '../upstreams.ts';
import type { Workload } from './workload.ts';

const TOOLS_PER_SERVER = 3;

const CASES = [
  { variant: '1 server', count: 1, args: [], more: MORE_ROUNDS_WHEN_SHORT },
  { variant: '30 servers', count: 30, args: [], more: 1 },
  // Servers that take their time to say hello show who connects one by one.
  { variant: '30 slow servers', count: 30, args: ['--delay-ms=300'], more: 1 },
];

export const start: Workload = {
  name: 'start',
  about: 'process start to all tools listed: 1 server, 30 servers, 30 slow servers; start of a gateway',
  async run(bench) {
    for (const { variant, count, args, more } of CASES) {
      await inRounds(bench.libraries, bench.rounds * more, (library, round) =>
        bench.record({ workload: 'start', variant, contestant: library.name }, round, async () =>
          allListed(
            await measureLibrary(bench.stage, library, stdioUpstreams(count, ...args), { kind: 'start' }),
            count * TOOLS_PER_SERVER,
          ),
        ),
      );
    }
    await inRounds(bench.gateways(), bench.rounds, (door, round) =>
      bench.record({ workload: 'start', variant: 'gateway', contestant: door.name }, round, async () => {
        await using open = await door.open();
        return { startMs: open.startMs };
      }),
    );
  },
};

/** A library that leaves out servers it could not reach would otherwise win. */
function allListed(values: Values, tools: number): Values {
  if (values.tools === tools) return values;
  throw new Error(`${values.tools} of ${tools} tools listed`);
}
