/** What a run says in the end: the goals, the peers, and what failed. */
import { availableParallelism } from 'node:os';
import { GOALS } from './goals.ts';
import type { Options } from './options.ts';
import type { Samples } from './samples.ts';
import { goalTable, table } from './table.ts';
import { judge, type Verdict } from './verdict.ts';

/** One verdict for each goal whose contestant took part. */
export function verdictsOn(samples: Samples, { peers }: Options): Verdict[] {
  const names = peers.map(({ name }) => name);
  return GOALS.filter(goal => samples.has(goal.subject)).map(goal => judge(samples, goal, names));
}

export function report(verdicts: readonly Verdict[], samples: Samples, options: Options): string {
  const withPeers = options.peers.length > 0;
  const failures = samples.errors();
  return [
    ...(verdicts.length > 0 ? [goalTable(verdicts, withPeers)] : []),
    circumstances(samples, options),
    ...(withPeers ? [peerTable(options)] : []),
    ...(failures.length > 0 ? [failureList(failures)] : []),
  ].join('\n\n');
}

function circumstances(samples: Samples, { rounds }: Options): string {
  const machine = `Node ${process.versions.node}, ${availableParallelism()} cores`;
  const load = `load average ${samples.medianLoad().toFixed(1)}`;
  return `${rounds} rounds, ${machine}, ${load}. × = median of the ratios inside each round; ms = best round.`;
}

function peerTable({ peers }: Options): string {
  const rows = peers.map(({ name, package: packageName, state }) => [
    name,
    packageName,
    state.kind === 'installed' ? state.version : `missing: ${state.installCommand}`,
  ]);
  return table(['peer', 'package', 'version'], rows);
}

/** The same failure in every round is one line. */
function failureList(failures: ReturnType<Samples['errors']>): string {
  const lines = failures.map(
    ({ contestant, workload, variant, error }) => `- ${contestant}, ${workload} ${variant}: ${error}`,
  );
  const counts = Map.groupBy(lines, line => line);
  return ['What failed:', ...[...counts].map(([line, same]) => `${line} (${same.length}×)`)].join('\n');
}
