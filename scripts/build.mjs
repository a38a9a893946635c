// Compiles every package with tsc and bundles the library and the command line. Runs as npm's `prepare`, and whenever a
// source is newer.
import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundle } from './bundle.mjs';
import { writeNotices } from './notices.mjs';
import { loaderCode, SELDOM } from './seldom.mjs';
import { nodePath, ROOT, say, stampBuild } from './setup.mjs';

say('building …');
const started = performance.now();
const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
const { status } = spawnSync(nodePath(), [tsc, '-b'], { cwd: ROOT, stdio: ['ignore', 2, 2] });
if (status !== 0) process.exit(1);

/**
 * What signing in stands on is a file of its own, with its own copy of what it shares with the rest: a shared part would
 * grow by all that only a sign-in needs, and every start would pay for it.
 */
const SIGN_IN = 'sign-in-sdk';
/** What the search knows of the meaning of words, read when it is needed. */
const WORD_VECTORS = 'word-vectors.bin';
const apart = { file: '/sdk-parts.ts', as: `./${SIGN_IN}.js` };
const core = name => join(ROOT, 'packages', 'core', 'src', `${name}.ts`);
const cli = join(ROOT, 'packages', 'cli');
/** Parsing without waiting is for programs: the rest reads configs when it has to, and loads what that needs only then. */
const PARSE = 'parse';
const parsing = { importer: core('index'), source: './config/parse.ts', functions: ['parseMcpConfig'] };

/** Modules of functions that neither reading an ordinary config nor starting its servers calls: see decision 12. */
const SELDOM_NEEDED = [
  'host/host-results',
  'host/host-permissions',
  'connections/auth/make-credentials',
  'connections/protocol/tasks',
  'permissions/decision',
  'connections/client-features/form',
  'connections/process/cannot-start',
  'connections/client-features/elicitation',
  'connections/client-features/sampling',
  'permissions/grants/grant',
  'results/budget/cut-json',
  'connections/client-features/form-content',
  'results/model-content',
  'permissions/lockfile/lock-changes',
  'connections/rpc/trace',
  'results/media/lighten',
  'connections/auth/failures',
  'permissions/arguments',
  'catalogue/header-arguments',
  'host/status',
  'config/masking/masking',
  'config/sources/watch',
  'catalogue/lists/other-lists-text',
  'host/config/watch-host',
  'permissions/lockfile/changes',
  'results/media/image-size',
  'catalogue/search-mode/arguments',
  'calls/no-such-tool',
  'results/media/resize-all',
  'calls/visit-first',
  'results/budget/cut-text',
  'host/startup',
  'resolve/availability',
  'base/text/nearest',
  'calls/own-call',
  'catalogue/untrusted/instructions',
  'calls/unwritable-arguments',
  'catalogue/lists/recall-tools',
  'connections/client-features/pages-to-visit',
  'catalogue/similar-tool',
  'resolve/unknown-server',
  'catalogue/tool-not-found',
  'results/reading/reading-text',
  'base/log/mask-arguments',
  'base/text/plain-text',
  'resolve/compare',
  'permissions/lockfile/tool-terms',
  'connections/backoff',
];

await buildLibrary(join(ROOT, 'packages', 'core', 'dist'));
const page = await buildPage(join(ROOT, 'packages', 'web'));
await buildCommandLine(join(cli, 'bundle'));
stampBuild();
say(`built in ${((performance.now() - started) / 1000).toFixed(1)} s`);

async function buildLibrary(dist) {
  // Chunks of an earlier build have other names, and would stay for ever.
  rmSync(join(dist, 'chunks'), { recursive: true, force: true });
  const chunks = 'chunks/[name]-[hash].js';
  const readable = true;
  const names = ['index', 'light', 'config-read', 'config-write', 'known', 'internal'];
  const entries = Object.fromEntries([
    ...names.map(name => [name, core(name)]),
    [PARSE, core('config/parse')],
    ['chunks/seldom', SELDOM],
  ]);
  const together = {
    library: core('index'),
    catalogue: core('catalogue/catalogue'),
    // Before the others: with its first call it must bring nothing that only they need.
    seldom: SELDOM,
    readers: core('catalogue/tool-view'),
    dialects: core('config/reading/read-any'),
  };
  const seldom = { files: SELDOM_NEEDED.map(core) };
  const onDemand = { ...parsing, name: PARSE };
  const data = file => (file.startsWith('chunks/') ? '../../data/' : '../data/');
  const held = [];
  held.push(...(await bundle({ entries, folder: dist, together, apart, onDemand, seldom, data, chunks, readable })));
  const loads = { seldom: './seldom.js', [PARSE]: `../${PARSE}.js` };
  writeFileSync(join(dist, 'chunks', 'on-first-call.cjs'), loaderCode(loads));
  // For browsers too: it must not stand on the rest, which needs Node.
  const inPlaceOf = { 'node:path': core('base/files/path-without-node') };
  const pure = await bundle({
    entries: { pure: core('pure') },
    folder: dist,
    together: { pure: core('pure') },
    inPlaceOf,
    chunks,
    readable,
  });
  held.push(...pure);
  held.push(
    ...(await bundle({
      entries: { [SIGN_IN]: core('connections/auth/oauth/sdk-parts') },
      folder: join(dist, 'chunks'),
      readable,
    })),
  );
  writeNotices(dist, held);
  writeFileSync(join(dist, `${SIGN_IN}.js`), `export * from './chunks/${SIGN_IN}.js';\n`);
}

/** The page of the hub: where it was built, and the modules that it holds. */
async function buildPage(web) {
  const { build } = await import('vite');
  const built = await build({ configFile: join(web, 'vite.config.ts'), logLevel: 'warn' });
  const held = [built].flat().flatMap(({ output }) => output.flatMap(({ moduleIds = [] }) => moduleIds));
  return { folder: join(web, 'dist'), held };
}

async function buildCommandLine(folder) {
  // Built beside the old one and put in its place: a command that starts meanwhile finds one or the other.
  const fresh = `${folder}.new`;
  rmSync(fresh, { recursive: true, force: true });
  const main = join(cli, 'src', 'main.ts');
  const together = {
    start: main,
    errand: join(cli, 'src', 'commands', 'mcp', 'call.ts'),
    // What `connect` needs, which every agent that speaks stdio starts: it carries lines, and knows nothing of servers.
    wire: [core('connections/rpc/frame'), core('connections/rpc/answer-id'), core('base/files/file-lock')],
    config: core('config-read'),
    known: [core('host/lists/known-tools'), core('catalogue/fit-report')],
    library: core('index'),
    dialects: core('config/reading/read-any'),
  };
  // No command parses without waiting: the function is not part of the command line.
  const held = [
    ...(await bundle({ entries: { main }, folder: fresh, together, apart, onDemand: parsing, data: () => './' })),
    ...(await bundle({ entries: { [SIGN_IN]: core('connections/auth/oauth/sdk-parts') }, folder: fresh })),
  ];
  writeNotices(fresh, [...held, ...page.held]);
  copyFileSync(join(ROOT, 'packages', 'core', 'data', WORD_VECTORS), join(fresh, WORD_VECTORS));
  cpSync(page.folder, join(fresh, 'page'), { recursive: true });
  rmSync(folder, { recursive: true, force: true });
  renameSync(fresh, folder);
}
