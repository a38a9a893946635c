/** A catalogue of 10,000 tools over 200 servers: snapshot, list for a provider, search, a change of one server, beside JSON.parse. */
import { spawnSync } from 'node:child_process';
import type { Bench } from '../bench.ts';
import { PROGRAMS } from '../programs.ts';
import type { Workload } from './workload.ts';

const VARIANTS = [
  'snapshot',
  ...['list for anthropic', 'list for openai', 'list for gemini'],
  'search',
  'one server changed',
];

export const catalogue: Workload = {
  name: 'catalogue',
  about: '10,000 tools over 200 servers: snapshot, list for a provider, search, one server changed',
  async run(bench) {
    for (let round = 0; round < bench.rounds; round++) {
      const found = measured();
      for (const variant of VARIANTS) {
        await record(bench, { variant, contestant: 'floor' }, round, () => ({ ms: found().parse ?? Number.NaN }));
        await record(bench, { variant, contestant: 'junctor' }, round, () => ({ ms: found()[variant] ?? Number.NaN }));
      }
      const memory = { variant: 'memory', contestant: 'junctor' };
      await record(bench, memory, round, () => ({ heapMiB: found().heapMiB ?? Number.NaN }));
    }
  },
};

type Found = Readonly<Record<string, number>>;

/** Both sides are measured in one process, so that what disturbs one disturbs the other. */
function measured(): () => Found {
  const run = spawnSync(process.execPath, ['--expose-gc', PROGRAMS.catalogue], { encoding: 'utf8', timeout: 60_000 });
  return () => {
    if (run.status !== 0) throw new Error((run.stderr || String(run.error)).slice(0, 300));
    return JSON.parse(run.stdout) as Found;
  };
}

function record(
  bench: Bench,
  subject: { readonly variant: string; readonly contestant: string },
  round: number,
  values: () => Found,
): Promise<void> {
  return bench.record({ workload: 'catalogue', ...subject }, round, async () => values());
}
