/**
 * The order in which test files begin. Where nothing is known of an earlier run, as in a fresh clone, those that take long
 * begin first: one that began last would run alone at the end.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Each takes longer than its size tells; the longest comes first. */
const LONGEST = [
  'e2e/hub/sharing',
  'e2e/docs/pages',
  'e2e/web/every-page',
  'e2e/web/agents',
  'e2e/eras/matrix',
  'e2e/web/hostile',
  'e2e/web/agent-servers',
  'e2e/connections/misbehaving',
  'e2e/web/page',
  'e2e/config/random',
  'e2e/hub/replicas',
  'e2e/search/hub',
  'e2e/hub/store',
  'e2e/sign-in/command-line',
  'e2e/conformance/server',
  'e2e/tools/lockfile',
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    // One project after the other: a process that has run files of one cannot be used for another.
    const projects = [...new Set(sorted.map(({ project }) => project))];
    const place = ({ moduleId }: TestSpecification): number => {
      const found = LONGEST.findIndex(name => moduleId.endsWith(`/${name}.test.ts`));
      return found === -1 ? LONGEST.length : found;
    };
    return sorted.sort((a, b) => projects.indexOf(a.project) - projects.indexOf(b.project) || place(a) - place(b));
  }
}
