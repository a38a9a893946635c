// Compiles every package with tsc and bundles the command line. Runs as npm's `prepare`, and whenever a source is newer.
import { spawnSync } from 'node:child_process';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodePath, ROOT, say, stampBuild } from './setup.mjs';

say('building …');
const started = performance.now();
const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
const { status } = spawnSync(nodePath(), [tsc, '-b'], { cwd: ROOT, stdio: ['ignore', 2, 2] });
if (status !== 0) process.exit(1);

const { build } = await import('esbuild');
const SIGN_IN = 'sign-in-sdk.js';
const shared = {
  bundle: true,
  // What is loaded only sometimes (a command, a transport, a notation) is a chunk of its own.
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  conditions: ['junctor-source'],
  // ES modules where a package has both: they are smaller, and a bundle of CommonJS cannot resolve its own parts.
  mainFields: ['module', 'main'],
  // A native addon, looked for at run time and done without where it is missing; and CommonJS that a bundle cannot hold.
  external: ['@napi-rs/keyring', 'ws', 'pg'],
  // Its entry for Node is CommonJS; the other one is the same code as ES modules.
  alias: { yaml: join(ROOT, 'node_modules', 'yaml', 'browser', 'index.js') },
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  logLevel: 'warning',
  plugins: [signInApart()],
};

// The library is bundled too: loading a hundred small files takes longer than starting a server.
const core = join(ROOT, 'packages', 'core');
removeScripts(join(core, 'dist'));
await build({
  ...shared,
  entryPoints: ['index', 'pure', 'light', 'config-read', 'config-write', 'known', 'inside'].map(name =>
    join(core, 'src', `${name}.ts`),
  ),
  outdir: join(core, 'dist'),
  chunkNames: 'chunks/[name]-[hash]',
});
await buildSignIn(join(core, 'dist', 'chunks'));
writeFileSync(join(core, 'dist', SIGN_IN), `export * from './chunks/${SIGN_IN}';\n`);

// Built beside the old one and put in its place: a command that starts meanwhile finds one or the other.
const bundle = join(ROOT, 'packages', 'cli', 'bundle');
const fresh = `${bundle}.new`;
rmSync(fresh, { recursive: true, force: true });
await build({
  ...shared,
  entryPoints: [join(ROOT, 'packages', 'cli', 'src', 'main.ts')],
  outdir: fresh,
  chunkNames: '[name]-[hash]',
});
await buildSignIn(fresh);
rmSync(bundle, { recursive: true, force: true });
renameSync(fresh, bundle);
stampBuild();
say(`built in ${((performance.now() - started) / 1000).toFixed(1)} s`);

/**
 * What signing in stands on is a file of its own, with its own copy of what it shares with the rest: a shared part would
 * grow by all that only a sign-in needs, and every start would pay for it.
 */
function signInApart() {
  return {
    name: 'sign-in-apart',
    setup({ onResolve }) {
      onResolve({ filter: /\/sdk-parts\.ts$/ }, ({ kind }) =>
        kind === 'entry-point' ? undefined : { path: `./${SIGN_IN}`, external: true },
      );
    },
  };
}

function buildSignIn(folder) {
  const entry = join(ROOT, 'packages', 'core', 'src', 'link', 'auth', 'sdk-parts.ts');
  // Part of it was CommonJS once: the first line tells tools, and people, what it is now.
  const banner = { js: 'export {};' };
  return build({ ...shared, splitting: false, banner, entryPoints: [entry], outfile: join(folder, SIGN_IN) });
}

/** Chunks of an earlier build have other names, and would stay for ever. */
function removeScripts(folder) {
  rmSync(join(folder, 'chunks'), { recursive: true, force: true });
}
