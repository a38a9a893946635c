/** What the loop of chat adds to the AI SDK it stands on, in CPU of one conversation. */
import { spawnSync } from 'node:child_process';
import { PROGRAMS } from '../programs.ts';
import type { Workload } from './workload.ts';

export const chat: Workload = {
  name: 'chat',
  about: 'one conversation with a tool call: the loop of chat beside the AI SDK alone',
  async run(bench) {
    for (let round = 0; round < bench.rounds; round++) {
      const run = spawnSync(process.execPath, ['--expose-gc', PROGRAMS.chat], { encoding: 'utf8', timeout: 120_000 });
      const found = (): { readonly bare: number; readonly loop: number } => {
        if (run.status !== 0) throw new Error((run.stderr || String(run.error)).slice(0, 300));
        return JSON.parse(run.stdout);
      };
      const variant = 'conversation';
      await bench.record({ workload: 'chat', variant, contestant: 'floor' }, round, async () => ({
        cpuMs: found().bare,
      }));
      await bench.record({ workload: 'chat', variant, contestant: 'junctor' }, round, async () => ({
        cpuMs: found().loop,
      }));
    }
  },
};
