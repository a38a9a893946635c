/** `npm run bench`: measures, then prints the goals beside what was measured. Progress goes to stderr. */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Bench } from './bench.ts';
import { type Options, readOptions, WORKLOADS } from './options.ts';
import { buildPrograms, buildStamp, RESULTS } from './programs.ts';
import { report, verdictsOn } from './report.ts';
import { Samples } from './samples.ts';
import { Stage } from './stage.ts';

const USAGE = `npm run bench -- [workload …] [--rounds 3] [--only name,…]

${WORKLOADS.map(({ name, about }) => `  ${name.padEnd(8)} ${about}`).join('\n')}

--only limits who takes part, such as sdk2,junctor or direct,ref-parse,hub. A ratio needs its baseline.
PEERS_DIR=/some/dir measures peers too, as far as they are installed there; bench/README.md says how.`;

process.exitCode = await main().catch((error: Error) => {
  say(`error: ${error.message}`);
  return 2;
});

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2), process.env);
  if (options.help) {
    process.stdout.write(`${USAGE}\n`);
    return 0;
  }
  await buildPrograms();
  await using stage = new Stage();
  endOnSignals(stage);
  const file = join(RESULTS, `${new Date().toISOString().replaceAll(':', '-')}.jsonl`);
  const samples = new Samples(file, aboutRun(options));
  const bench = new Bench({ ...options.contestants, rounds: options.rounds, stage, samples, say });
  const started = performance.now();
  const built = buildStamp();
  for (const workload of options.workloads) {
    say(`${workload.name}: ${workload.about}`);
    await workload.run(bench);
  }
  say(`${((performance.now() - started) / 1000).toFixed(0)} s; every number is in ${file}`);
  if (buildStamp() !== built)
    say('Junctor was built anew while this ran: the numbers belong to no build. Run it again.');
  const verdicts = verdictsOn(samples, options);
  process.stdout.write(`${report(verdicts, samples, options)}\n`);
  // That a peer failed is a finding; that Junctor did is a fault.
  return verdicts.some(verdict => verdict.outcome.kind === 'failed') ? 1 : 0;
}

function aboutRun({ workloads, rounds }: Options): object {
  const machine = {
    built: buildStamp(),
    node: process.versions.node,
    cores: availableParallelism(),
    platform: process.platform,
  };
  return {
    about: 'junctor bench',
    started: new Date(),
    rounds,
    workloads: workloads.map(({ name }) => name),
    ...machine,
  };
}

function endOnSignals(stage: Stage): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    // Not `once`: Ctrl-C comes from the terminal and from npm as well, and the second must not cut the ending short.
    process.on(signal, () => void stage.close().finally(() => process.exit(130)));
  }
}

function say(line: string): void {
  process.stderr.write(`bench: ${line}\n`);
}
