/** The findings of a whole visit, and what follows from them. Pure. */
import type { FitReport } from '../../catalogue/fit-report.ts';
import type { Finding } from './finding.ts';
import { howToEnd, type Orphan } from './orphans.ts';

/** What was seen of one server. */
export interface ServerReport {
  /** Its id in the config. */
  readonly id: string;
  /** Whether it can be used. */
  readonly ok: boolean;
  /** What was tried, in order. */
  readonly steps: readonly Finding[];
  /** What to do, the most important first. */
  readonly fix: readonly string[];
}

/** Something about config files as a whole. */
export interface ConfigTrouble extends Pick<Finding, 'person'> {
  readonly text: string;
  readonly fix: string;
}

/** What is well, what is not, and what to do. */
export interface DoctorReport {
  /** `person`: nothing is broken, somebody has to sign in or to approve. Orphans are told, and change nothing here. */
  readonly verdict: 'well' | 'broken' | 'person';
  /** Each server that was looked at. */
  readonly servers: readonly ServerReport[];
  /** What is wrong with config files as a whole. */
  readonly problems: readonly string[];
  /** null: this system does not tell. */
  readonly orphans: readonly Orphan[] | null;
  /** What to do, the most important first. */
  readonly fix: readonly { readonly server?: string; readonly fix: string }[];
  /** Where a model or a client was named: what it gets otherwise than the servers offer it. */
  readonly fit?: FitReport;
}

export function serverReport(id: string, steps: readonly Finding[]): ServerReport {
  const fixes = [...steps].sort((a, b) => weight(a) - weight(b)).flatMap(({ fix }) => fix ?? []);
  return { id, ok: steps.every(({ outcome }) => outcome !== 'no'), steps, fix: [...new Set(fixes)] };
}

export function doctorReport(
  servers: readonly ServerReport[],
  problems: readonly ConfigTrouble[],
  orphans: readonly Orphan[] | null,
): DoctorReport {
  const bad = [...problems, ...servers.flatMap(({ steps }) => steps.filter(({ outcome }) => outcome === 'no'))];
  const broken = bad.some(({ person }) => !person);
  const worst = [...servers].sort((a, b) => heaviest(a) - heaviest(b));
  return {
    verdict: broken ? 'broken' : bad.length > 0 ? 'person' : 'well',
    servers,
    problems: problems.map(({ text }) => text),
    orphans,
    fix: [
      ...[...new Set(problems.map(({ fix }) => fix))].map(fix => ({ fix })),
      ...worst.flatMap(({ id, fix }) => fix.map(one => ({ server: id, fix: one }))),
      ...(orphans && orphans.length > 0 ? [{ fix: howToEnd(orphans) }] : []),
    ],
  };
}

/** What is broken comes before what waits for somebody, and that before what only could be better. */
function weight({ outcome, person }: Finding): number {
  return outcome === 'no' ? (person ? 1 : 0) : 2;
}

function heaviest({ steps }: ServerReport): number {
  return Math.min(...steps.map(weight));
}
