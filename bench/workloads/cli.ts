/** Commands from a cold start to their end, beside `node -e 0`: what Node itself takes. */
import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { junctorHub } from '../contestants/gateways.ts';
import { junctorConfig } from '../contestants/junctor-library.ts';
import { MCPORTER, mcporterConfig } from '../contestants/peers/gateways.ts';
import { gatewayDoor } from '../doors.ts';
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
  /** Where it runs, if not in the home of all. */
  readonly home?: string;
}

export const cli: Workload = {
  name: 'cli',
  about: 'commands from start to end: help, list, tools, call',
  async run(bench) {
    const common = bench.stage.newHome();
    const [upstream] = stdioUpstreams(1);
    await using hub = await gatewayDoor(bench.stage, junctorHub, upstream, TOOLS).open();
    const once = ({ argv, home = common }: Command): number => {
      const env = bench.stage.environment(home);
      const started = performance.now();
      const run = spawnSync(process.execPath, argv, { env, cwd: home, timeout: 20_000, encoding: 'utf8' });
      if (run.status !== 0) throw new Error((run.stderr || run.stdout || String(run.error)).slice(0, 300));
      return performance.now() - started;
    };
    const all = [...commands(common), callThroughHub(hub.target.gateway?.home ?? '')];
    await inRounds(all, bench.rounds, (command, round) =>
      bench.record({ workload: 'cli', variant: 'cold', contestant: command.name }, round, async (): Promise<Values> => {
        once(command); // fills the compile cache and the known catalogue, as the person's own first use did
        return { ms: median(Array.from({ length: RUNS_PER_ROUND }, () => once(command))) };
      }),
    );
  },
};

/** The hub runs in that home, with this very server. */
function callThroughHub(home: string): Command {
  const places = ['--config', join(home, 'junctor.json'), '--isolated', '--data', join(home, 'data')];
  return { name: 'junctor mcp call, hub', argv: [JUNCTOR, 'mcp', 'call', ...CALL, ...places], home };
}

const TOOLS = 3;
const CALL = ['s0', 'echo', '--args', '{"text":"hi"}', '--yes'];

function commands(home: string): Command[] {
  const [upstream] = stdioUpstreams(1);
  const config = join(home, 'junctor.json');
  writeFileSync(config, JSON.stringify(junctorConfig([upstream])));
  const places = ['--config', config, '--isolated'];
  return [
    { name: 'node -e 0', argv: ['-e', '0'] },
    { name: 'junctor --help', argv: [JUNCTOR, '--help'] },
    { name: 'junctor --version', argv: [JUNCTOR, '--version'] },
    { name: 'junctor mcp list', argv: [JUNCTOR, 'mcp', 'list', ...places] },
    // Every run but the first answers from what the first one listed.
    { name: 'junctor mcp tools, known', argv: [JUNCTOR, 'mcp', 'tools', ...places] },
    { name: 'junctor mcp call', argv: [JUNCTOR, 'mcp', 'call', ...CALL, ...places] },
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
