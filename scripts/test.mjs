// `npm test`: sets the clone up if need be, runs the suite, then holds the kept promises against what passed.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { reportTime } from './report-time.mjs';
import { nodeEnv, nodePath, ROOT, ready, say } from './setup.mjs';
import {
  provideBubblewrap,
  provideChromium,
  provideDockerAndSsh,
  provideKeyring,
  provideKubectl,
  provideNginx,
} from './system-parts.mjs';

ready();
const words = process.argv.slice(2);
const rigs = words.includes('--rigs');
const filters = words.filter(word => word !== '--rigs');
if (rigs)
  for (const provide of [provideKeyring, provideBubblewrap, provideKubectl, provideDockerAndSsh, provideNginx])
    provide();
else provideChromium();
const report = join(ROOT, '.reports', rigs ? 'rigs.json' : 'tests.json');
rmSync(report, { force: true });
// Results of the slow parts belong to the code they ran on, which may have changed since.
if (!rigs) rmSync(join(ROOT, '.reports', 'rigs.json'), { force: true });

const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
const env = { ...nodeEnv(), ...(rigs ? { JUNCTOR_RIGS: '1' } : {}) };
const begun = performance.now();
const { status } = spawnSync(nodePath(), [vitest, 'run', ...filters], { cwd: ROOT, stdio: 'inherit', env });
if (!existsSync(report)) {
  say('the test runner wrote no report: see its output above.');
  process.exit(1);
}

const took = performance.now() - begun;
const results = JSON.parse(readFileSync(report, 'utf8'));
const { numPassedTests, numFailedTests, numPendingTests } = results;
// A part of the suite cannot say anything about promises that the rest of it keeps.
const gate = filters.length === 0 ? checkPromises() : 0;
if (!rigs) reportTime(took, results);
console.log(
  `${numPassedTests} passed, ${numFailedTests} failed${numPendingTests ? `, ${numPendingTests} skipped` : ''}`,
);
process.exit(status || gate || (numPassedTests > 0 ? 0 : 1));

function checkPromises() {
  return spawnSync(nodePath(), [join(ROOT, 'scripts', 'promises.mjs'), rigs ? '--rigs' : '--check'], {
    cwd: ROOT,
    stdio: 'inherit',
  }).status;
}
