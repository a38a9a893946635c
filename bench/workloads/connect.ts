/** A client that starts its server on a pipe: the server itself, and `junctor connect` with a hub behind it. */
import { join } from 'node:path';
import { junctorHub } from '../contestants/gateways.ts';
import { sdk2, sdk2AtHub } from '../contestants/sdk2.ts';
import { gatewayDoor } from '../doors.ts';
import { JUNCTOR } from '../programs.ts';
import { inRounds, MORE_ROUNDS_WHEN_SHORT } from '../rounds.ts';
import { measureLibrary } from '../run-worker.ts';
import { stdioUpstreams } from '../upstreams.ts';
import type { Workload } from './workload.ts';

const TOOLS = 3;

export const connect: Workload = {
  name: 'connect',
  about: "a call of the SDK's client on stdio: to the server itself, and through junctor connect",
  async run(bench) {
    const { stage } = bench;
    const [upstream] = stdioUpstreams(1, `--tools=${TOOLS}`);
    await using door = await gatewayDoor(stage, junctorHub, upstream, TOOLS).open();
    const data = join(door.target.gateway?.home ?? '', 'data');
    const piped = { ...upstream, args: [JUNCTOR, 'connect', 'default', '--data', data] };
    const ways = [
      { library: sdk2, on: upstream },
      { library: sdk2AtHub, on: piped },
    ];
    await inRounds(ways, bench.rounds * MORE_ROUNDS_WHEN_SHORT, ({ library, on }, round) =>
      bench.record({ workload: 'connect', variant: 'stdio', contestant: library.name }, round, () =>
        measureLibrary(stage, library, [on], { kind: 'calls' }),
      ),
    );
  },
};
