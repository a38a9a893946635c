/** Ten servers behind the hub, and the same with one that is dead, one that hangs and one that is slow: what others cost then. */
import type { Gateway, StdioUpstream } from '../contestants/contestant.ts';
import { hubPlan, junctorHub } from '../contestants/gateways.ts';
import { gatewayDoor, type OpenDoor } from '../doors.ts';
import { openClient, publicNames } from '../endpoint.ts';
import { inRounds } from '../rounds.ts';
import type { Values } from '../samples.ts';
import { median } from '../statistics.ts';
import { stdioUpstreams } from '../upstreams.ts';
import type { Workload } from './workload.ts';

const SERVERS = 10;
const TOOLS = 3;
const REQUESTS = 100;

const node = (name: string, program: string): StdioUpstream => ({
  name,
  command: process.execPath,
  args: ['-e', program],
});

/** Instead of three of the ten. */
const TROUBLE: readonly StdioUpstream[] = [
  node('dead', 'process.exit(1)'),
  node('hangs', 'process.stdin.resume()'),
  node('slow', 'setTimeout(() => process.exit(1), 20_000)'),
];

interface Cast {
  readonly name: string;
  readonly upstreams: readonly StdioUpstream[];
}

const HEALTHY = stdioUpstreams(SERVERS - TROUBLE.length, `--tools=${TOOLS}`);
const CASTS: readonly Cast[] = [
  { name: 'hub, healthy', upstreams: HEALTHY },
  { name: 'hub', upstreams: [...HEALTHY, ...TROUBLE] },
];

export const trouble: Workload = {
  name: 'trouble',
  about: 'a dead, a hanging and a slow server among ten: lists, prompts and calls of the others',
  async run(bench) {
    if (!bench.gateways().some(({ name }) => name === junctorHub.name)) return;
    await inRounds(CASTS, bench.rounds, ({ name, upstreams }, round) =>
      bench.record({ workload: 'trouble', variant: 'ten servers', contestant: name }, round, async () => {
        const gateway: Gateway = { ...junctorHub, plan: (_one, port, home) => hubPlan(upstreams, port, home) };
        const door = gatewayDoor(bench.stage, gateway, HEALTHY[0], HEALTHY.length * TOOLS);
        await using open = await door.open();
        return await measure(open);
      }),
    );
  },
};

async function measure({ target }: OpenDoor): Promise<Values> {
  const client = await openClient(target);
  try {
    const name = (await publicNames(client))('echo');
    const timed = async (method: string, params: object): Promise<number> => {
      const times: number[] = [];
      for (let request = 0; request < REQUESTS; request++) {
        const started = performance.now();
        await client.request(method, params);
        times.push(performance.now() - started);
      }
      return median(times);
    };
    return {
      toolsMs: await timed('tools/list', {}),
      promptsMs: await timed('prompts/list', {}),
      callMs: await timed('tools/call', { name, arguments: { text: 'x' } }),
    };
  } finally {
    await client.close();
  }
}
