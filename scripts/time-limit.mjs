// What `npm test` may take on two cores. A suite that takes longer is run less often, so a run that does fails.
import { availableParallelism } from 'node:os';
import { relative } from 'node:path';
import { ROOT, say } from './setup.mjs';

const USUAL_MINUTES = 10;
/** So many of the files that took longest are named: there is time to win in them. */
const NAMED = 5;

/** Says how long a run took, and whether it may. TEST_LIMIT_MINUTES gives a busy machine more. */
export function keepsTime(ms, { testResults }) {
  const limit = Number(process.env.TEST_LIMIT_MINUTES ?? USUAL_MINUTES);
  const took = `took ${Math.floor(ms / 60_000)} min ${Math.floor((ms / 1000) % 60)} s`;
  if (availableParallelism() < 2) {
    say(`${took}; what it may take is said for two cores.`);
    return true;
  }
  if (ms <= limit * 60_000) {
    say(`${took} of the ${limit} min it may take.`);
    return true;
  }
  say(`${took}: more than the ${limit} min it may take. What took longest:`);
  const slowest = testResults
    .map(({ name, startTime, endTime }) => ({ name: relative(ROOT, name), seconds: (endTime - startTime) / 1000 }))
    .sort((a, b) => b.seconds - a.seconds);
  for (const { name, seconds } of slowest.slice(0, NAMED)) say(`  ${seconds.toFixed(0)} s ${name}`);
  say('Make it faster, or move what proves no everyday property to e2e/rigs; TEST_LIMIT_MINUTES gives it more time.');
  return false;
}
