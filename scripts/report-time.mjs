// The time budget of `npm test` on two cores. A run that exceeds it warns and never fails: machines differ.
import { availableParallelism } from 'node:os';
import { relative } from 'node:path';
import { ROOT, say } from './setup.mjs';

const BUDGET_MINUTES = 10;
const SLOWEST_SHOWN = 5;

/** Prints how long a run took and, above the budget, which test files took longest. */
export function reportTime(ms, { testResults }) {
  const took = `took ${Math.floor(ms / 60_000)} min ${Math.floor((ms / 1000) % 60)} s`;
  if (availableParallelism() < 2) {
    say(`${took}; the budget is for two cores.`);
    return;
  }
  if (ms <= BUDGET_MINUTES * 60_000) {
    say(`${took} of a budget of ${BUDGET_MINUTES} min.`);
    return;
  }
  say(`warning: ${took}, over the budget of ${BUDGET_MINUTES} min. The slowest files:`);
  const slowest = testResults
    .map(({ name, startTime, endTime }) => ({ name: relative(ROOT, name), seconds: (endTime - startTime) / 1000 }))
    .sort((a, b) => b.seconds - a.seconds);
  for (const { name, seconds } of slowest.slice(0, SLOWEST_SHOWN)) say(`  ${seconds.toFixed(0)} s ${name}`);
  say('Make them faster, or move what proves no everyday property to e2e/rigs.');
}
