// Compiles every package with tsc and bundles the command line. Runs as npm's `prepare`, and whenever a source is newer.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { nodePath, ROOT, say, stampBuild } from './setup.mjs';

say('building …');
const started = performance.now();
const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
const { status } = spawnSync(nodePath(), [tsc, '-b'], { cwd: ROOT, stdio: ['ignore', 2, 2] });
if (status !== 0) process.exit(1);

const { build } = await import('esbuild');
const bundle = join(ROOT, 'packages', 'cli', 'bundle');
rmSync(bundle, { recursive: true, force: true });
await build({
  entryPoints: [join(ROOT, 'packages', 'cli', 'src', 'main.ts')],
  outdir: bundle,
  bundle: true,
  // Each command is a chunk of its own, so that `--help` does not load the hub.
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  conditions: ['junctor-source'],
  // ES modules where a package has both: they are smaller, and a bundle of CommonJS cannot resolve its own parts.
  mainFields: ['module', 'main'],
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  logLevel: 'warning',
});
stampBuild();
say(`built in ${((performance.now() - started) / 1000).toFixed(1)} s`);
