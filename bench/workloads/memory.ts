/** 50 sessions on one stdio server behind a gateway: processes, and what each further session costs. */
import { inRounds } from '../rounds.ts';
import { runWorker } from '../run-worker.ts';
import type { Workload } from './workload.ts';

const SESSIONS = 50;

export const memory: Workload = {
  name: 'memory',
  about: `${SESSIONS} sessions on one stdio server: processes and memory`,
  async run(bench) {
    await inRounds(bench.gateways(), bench.rounds, (door, round) =>
      bench.record({ workload: 'memory', variant: `${SESSIONS} sessions`, contestant: door.name }, round, async () => {
        await using open = await door.open();
        return await runWorker(bench.stage, { target: open.target, job: { kind: 'sessions', sessions: SESSIONS } });
      }),
    );
  },
};
