// `npm run attack`: runs the tests that attack Junctor, and prints for each threat how many attacks were tried and stopped.
//   --page   writes the tables of docs/threat-model.md instead
//   --rigs   runs the slow ones that need containers and sandboxes, instead of the others
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { nodeEnv, nodePath, ROOT, ready } from './setup.mjs';
import { isFile, PAGE, page, proofFiles } from './threats/page.mjs';
import { THREATS } from './threats/threats.mjs';

if (process.argv.includes('--page')) {
  writeFileSync(PAGE, page());
  process.exit(0);
}

ready();
const rigs = process.argv.includes('--rigs');
const files = proofFiles();
const proofs = [...new Set(THREATS.flatMap(threat => threat.proofs))];
const clauses = proofs.filter(proof => !isFile(proof));
const cited = clauses.map(clause => clause.replaceAll('.', '\\.')).join('|');
const tests = [
  ...run(clauses.flatMap(files), ['--testNamePattern', `\\[([^\\]]* )?(${cited})( [^\\]]*)?\\]`]),
  ...run(proofs.filter(isFile)),
];

let [tried, stopped] = [0, 0];
for (const { by, threat, proofs } of THREATS) {
  const attacks = tests.filter(test => proofs.some(proof => proves(test, proof)));
  const held = attacks.filter(({ status }) => status === 'passed').length;
  tried += attacks.length;
  stopped += held;
  if (attacks.length > 0)
    console.log(`${held === attacks.length ? 'stopped' : 'NOT STOPPED'} ${held}/${attacks.length}  ${by} ${threat}`);
  for (const { file, title, status } of attacks) if (status !== 'passed') console.log(`    ${file}: ${title}`);
}
console.log(`${tried} attacks tried, ${stopped} stopped`);
process.exit(tried > 0 && stopped === tried ? 0 : 1);

/** What became of the tests of these files. */
function run(chosen, words = []) {
  const here = [...new Set(chosen)].filter(file => file.startsWith('e2e/rigs/') === rigs);
  if (here.length === 0) return [];
  const report = join(ROOT, '.reports', rigs ? 'rigs.json' : 'tests.json');
  rmSync(report, { force: true });
  const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
  const env = { ...nodeEnv(), ...(rigs ? { JUNCTOR_RIGS: '1' } : {}) };
  spawnSync(nodePath(), [vitest, 'run', ...words, ...here], { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'], env });
  return JSON.parse(readFileSync(report, 'utf8')).testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'passed' || status === 'failed')
      .map(({ title, status }) => ({ file: relative(ROOT, name).replaceAll('\\', '/'), title, status })),
  );
}

function proves({ file, title }, proof) {
  if (isFile(proof)) return file === proof;
  return /^\[([^\]]*)\]/.exec(title)?.[1].split(' ').includes(proof) ?? false;
}
