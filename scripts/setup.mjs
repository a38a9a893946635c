// Brings a clone to the point where it can run: packages installed, Node ≥ 24 found, everything built.
// Plain JavaScript that an older Node can read, because the machine's own Node runs it first.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const INSTALL_STAMP = join(ROOT, 'node_modules', '.junctor-installed');
const BUILD_STAMP = join(ROOT, 'packages', 'cli', 'bundle', '.built');
const NEEDED_MAJOR = 24;

/** Installs when the lockfile changed, builds when a source is newer than the last build. Says what it does. */
export function ready() {
  if (stampOf(INSTALL_STAMP) !== lockfileHash()) {
    say('installing packages (once; about a minute) …');
    // Its warnings are about the machine's own Node, which runs nothing but these scripts.
    const words = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
    run(npm(), words, 'npm ci failed. Fix what it says above, then run the command again.');
  }
  if (buildIsStale()) run(nodePath(), [join(ROOT, 'scripts', 'build.mjs')], 'the build failed; its errors are above.');
}

/** The pinned Node of this workspace, or the running one where that is new enough. */
export function nodePath() {
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const exe = process.platform === 'win32' ? 'node.exe' : 'node';
  const pinned = join(ROOT, 'node_modules', `node-${platform}-${process.arch}`, 'bin', exe);
  if (existsSync(pinned)) return pinned;
  if (Number(process.versions.node.split('.')[0]) >= NEEDED_MAJOR) return process.execPath;
  say(
    `Junctor needs Node.js ${NEEDED_MAJOR} or newer; this is ${process.version}, and no pinned one exists for this platform.`,
  );
  say('Install Node.js 24 (https://nodejs.org) and run the command again.');
  process.exit(1);
}

/** Environment in which `node` means the pinned one, for tools that start `node` by name. */
export function nodeEnv() {
  const bin = join(ROOT, 'node_modules', '.bin');
  const separator = process.platform === 'win32' ? ';' : ':';
  return { ...process.env, PATH: [dirname(nodePath()), bin, process.env.PATH].join(separator) };
}

/** Records that node_modules matches the lockfile and that the build matches the sources. */
export function stampBuild() {
  writeFileSync(INSTALL_STAMP, lockfileHash());
  writeFileSync(BUILD_STAMP, new Date().toISOString());
}

export function say(text) {
  process.stderr.write(`junctor: ${text}\n`);
}

function buildIsStale() {
  if (!existsSync(BUILD_STAMP)) return true;
  const built = statSync(BUILD_STAMP).mtimeMs;
  const sources = ['tsconfig.base.json', 'package-lock.json', 'scripts/build.mjs', 'scripts/bundle.mjs'].map(file =>
    join(ROOT, file),
  );
  for (const name of readdirSync(join(ROOT, 'packages'))) {
    const home = join(ROOT, 'packages', name);
    sources.push(join(home, 'package.json'), join(home, 'tsconfig.json'));
    const src = join(home, 'src');
    if (!existsSync(src)) continue;
    for (const entry of readdirSync(src, { recursive: true })) sources.push(join(src, String(entry)));
  }
  return sources.some(file => existsSync(file) && statSync(file).mtimeMs > built);
}

function lockfileHash() {
  return createHash('sha256')
    .update(readFileSync(join(ROOT, 'package-lock.json')))
    .digest('hex');
}

function stampOf(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

function npm() {
  return process.platform === 'win32' ? 'npm.cmd' : 'npm';
}

function run(command, args, complaint) {
  const { status } = spawnSync(command, args, {
    cwd: ROOT,
    stdio: ['ignore', 2, 2],
    env: process.env,
    shell: command.endsWith('.cmd'),
  });
  if (status === 0) return;
  say(complaint);
  process.exit(1);
}
