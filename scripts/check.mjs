// `npm run check`: everything that can be said about the code without running it.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { wrongImports } from './checks/import-direction.mjs';
import { wrongLicences } from './checks/licences.mjs';
import { longFiles } from './checks/long-files.mjs';
import { nodeEnv, nodePath, ROOT, ready, say } from './setup.mjs';

ready();
const bin = name => join(ROOT, 'node_modules', '.bin', name);
const failed = [];

step('format and lint', () => tool(bin('biome'), ['check', '--error-on-warnings', '.']));
const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
step('types', () => tool(nodePath(), [tsc, '-p', 'tsconfig.check.json']));
step('types of the page', () => tool(nodePath(), [tsc, '-p', 'packages/web']));
step('unused code', () => tool(nodePath(), [join(ROOT, 'node_modules', 'knip', 'bin', 'knip.js'), '--no-progress']));
step('import direction', () => {
  const wrong = wrongImports(ROOT);
  for (const sentence of wrong) console.error(`  ${sentence}`);
  return wrong.length === 0;
});
step('licences', () => {
  const wrong = wrongLicences(ROOT);
  for (const sentence of wrong) console.error(`  ${sentence}`);
  return wrong.length === 0;
});
step('promises', () => tool(nodePath(), [join(ROOT, 'scripts', 'promises.mjs'), '--static']));
for (const { file, lines } of longFiles(ROOT)) say(`worth a second look: ${file} has ${lines} lines`);

if (failed.length > 0) say(`check failed: ${failed.join(', ')}`);
else say('check passed');
process.exit(failed.length > 0 ? 1 : 0);

function step(name, run) {
  say(`checking ${name} …`);
  if (!run()) failed.push(name);
}

function tool(command, args) {
  return spawnSync(command, args, { cwd: ROOT, stdio: 'inherit', env: nodeEnv() }).status === 0;
}
