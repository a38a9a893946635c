/** Commands from a cold start to their end, beside `node -e 0`: what Node itself takes. */
import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { junctorConfig } from '../contestants/junctor-library.ts';
import { MCPORTER, mcporterConfig } from '../contestants/peers/gateways.ts';
import { JUNCTOR } from '../programs.ts';
import { inRounds } from '../rounds.ts';
import type { Values } from '../samples.ts';
import { median } from '../statistics.ts';
import { stdioUpstreams } from '../upstreams.ts';
import type { Workload } from './workload.ts';

/** A command takes some 30 ms, less than a scheduler's whim: each round takes the median of a few. */
const RUNS_PER_ROUND = 5;

interface Command {
  readonly name: string;
  readonly argv: readonly string[];
}

export const cli: Workload = {
  name: 'cli',
  about: 'commands from start to end: help, list, tools, call',
  async run(bench) {
    const home = bench.stage.newHome();
    const env = bench.stage.environment(home);
    const once = ({ argv }: Command): number => {
      const started = performance.now();
      const run = spawnSync(process.execPath, argv, { env, cwd: home, timeout: 20_000, encoding: 'utf8' });
      if (run.status !== 0) throw new Error((run.stderr || run.stdout || String(run.error)).slice(0, 300));
      return performance.now() - started;
    };
    await inRounds(commands(home), bench.rounds, (command, round) =>
      bench.record({ workload: 'cli', variant: 'cold', contestant: command.name }, round, async (): Promise<Values> => {
        once(command); // fills the compile cache and the known catalogue, as the person's own first use did
        return { ms: median(Array.from({ length: RUNS_PER_ROUND }, () => once(command))) };
      }),
    );
  },
};

function commands(home: string): Command[] {
  const [upstream] = stdioUpstreams(1);
  const config = join(home, 'junctor.json');
  writeFileSync(config, JSON.stringify(junctorConfig([upstream])));
  const places = ['--config', config, '--isolated'];
  const callArgs = ['s0', 'echo', '--args', '{"text":"hi"}', '--yes'];
  return [
    { name: 'node -e 0', argv: ['-e', '0'] },
    { name: 'junctor --help', argv: [JUNCTOR, '--help'] },
    { name: 'junctor --version', argv: [JUNCTOR, '--version'] },
    { name: 'junctor mcp list', argv: [JUNCTOR, 'mcp', 'list', ...places] },
    // Every run but the first answers from what the first one listed.
    { name: 'junctor mcp tools, known', argv: [JUNCTOR, 'mcp', 'tools', ...places] },
    { name: 'junctor mcp call', argv: [JUNCTOR, 'mcp', 'call', ...callArgs, ...places] },
    ...(existsSync(MCPORTER) ? mcporterCommands(home) : []),
  ];
}

function mcporterCommands(home: string): Command[] {
  const [upstream] = stdioUpstreams(1);
  const config = join(home, 'mcporter.json');
  writeFileSync(config, JSON.stringify(mcporterConfig(upstream)));
  const mcporter = [MCPORTER, '--config', config];
  return [
    { name: 'mcporter --version', argv: [MCPORTER, '--version'] },
    { name: 'mcporter list', argv: [...mcporter, 'list', '--json'] },
    { name: 'mcporter call', argv: [...mcporter, 'call', 's0.echo', 'text=hi'] },
  ];
}
