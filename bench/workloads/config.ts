/** Loading and validating 1,000 servers in 20 files, beside reading, parsing and validating the same text and no more. */
import { spawnSync } from 'node:child_process';
import { writeConfigFiles } from '../config/files.ts';
import { PROGRAMS } from '../programs.ts';
import { inRounds } from '../rounds.ts';
import type { Values } from '../samples.ts';
import { median } from '../statistics.ts';
import type { Workload } from './workload.ts';

const RUNS_PER_ROUND = 5;

export const config: Workload = {
  name: 'config',
  about: 'loading 1,000 servers from 20 files in a fresh process',
  async run(bench) {
    const home = bench.stage.newHome();
    writeConfigFiles(home);
    const once = (program: string): number => {
      const run = spawnSync(process.execPath, [program, home], { encoding: 'utf8', timeout: 20_000 });
      if (run.status !== 0) throw new Error((run.stderr || String(run.error)).slice(0, 300));
      const { ms, servers, problems } = JSON.parse(run.stdout) as { ms: number; servers: number; problems: number };
      if (servers !== 1000 || problems !== 0) throw new Error(`loaded ${servers} servers with ${problems} problems`);
      return ms;
    };
    const loaders = [
      { name: 'floor', program: PROGRAMS.configFloor },
      { name: 'junctor', program: PROGRAMS.configLoad },
    ];
    await inRounds(loaders, bench.rounds, ({ name, program }, round) =>
      bench.record(
        { workload: 'config', variant: '1,000 servers', contestant: name },
        round,
        async (): Promise<Values> => {
          return { ms: median(Array.from({ length: RUNS_PER_ROUND }, () => once(program))) };
        },
      ),
    );
  },
};
