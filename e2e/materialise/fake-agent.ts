/** A program that stands in for an agent: it reports what it was given, uses its token, and ends as it is told. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Home, ROOT } from '@junctor/testkit';

export interface Report {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** What each file it was pointed at held. */
  readonly files: Readonly<Record<string, string>>;
  /** How the hub answered its token. */
  readonly status: number;
}

const PROGRAM = `
const { readFileSync, writeFileSync, renameSync, existsSync } = require('node:fs');
const argv = process.argv.slice(2);
const named = [...argv.map(word => word.replace(/^(--[\\w-]+=|@)/, '')), ...Object.values(process.env)];
const paths = named.filter(path => path.startsWith('/') && /\\.(json|jsonc|yaml|toml)$/.test(path) && existsSync(path));
const files = Object.fromEntries(paths.map(path => [path, readFileSync(path, 'utf8')]));
const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'fake', version: '1' } } });
const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream',
  authorization: 'Bearer ' + process.env.JUNCTOR_TOKEN };
process.on('SIGTERM', () => process.exit(7));
process.on('SIGINT', () => process.exit(130));
(async () => {
  const answer = process.env.FAKE_URL ? await fetch(process.env.FAKE_URL, { method: 'POST', body, headers }) : { status: 0 };
  writeFileSync(process.env.FAKE_REPORT + '.new', JSON.stringify({ argv, env: process.env, files, status: answer.status }));
  renameSync(process.env.FAKE_REPORT + '.new', process.env.FAKE_REPORT);
  if (process.env.FAKE_STAYS) setInterval(() => {}, 1000);
  else process.exit(Number(process.env.FAKE_CODE ?? 0));
})();
`;

/** Puts such a program on the path under these names. */
export async function installAgents(home: Home, ...names: readonly string[]): Promise<Record<string, string>> {
  const folder = join(home.path, 'bin');
  await mkdir(folder, { recursive: true });
  for (const name of names) {
    await writeFile(join(folder, name), `#!${process.execPath}\n${PROGRAM}`);
    await chmod(join(folder, name), 0o755);
  }
  return { ...home.env, PATH: `${folder}:${home.env.PATH}`, FAKE_REPORT: join(home.path, 'report.json') };
}

export async function readReport(home: Home): Promise<Report> {
  return JSON.parse(await readFile(join(home.path, 'report.json'), 'utf8'));
}

export interface Running {
  readonly child: ChildProcess;
  /** What the agent reported once it was there. */
  readonly report: Report;
  /** The exit code of the command. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Starts `junctor run` and waits until the agent has reported. The agent stays until it gets a signal. */
export async function startRun(
  home: Home,
  env: Readonly<Record<string, string>>,
  words: readonly string[],
  report = join(home.path, `report-${crypto.randomUUID()}.json`),
): Promise<Running> {
  const command = join(ROOT, 'packages/cli/bin/junctor.js');
  const child = spawn(process.execPath, [command, 'run', ...words], {
    cwd: home.project,
    env: { ...env, FAKE_REPORT: report, FAKE_STAYS: '1' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const complaints: Buffer[] = [];
  child.stderr?.on('data', chunk => complaints.push(chunk));
  await Promise.race([
    appears(report),
    once(child, 'exit').then(() => Promise.reject(new Error(Buffer.concat(complaints).toString()))),
  ]);
  return {
    child,
    report: JSON.parse(await readFile(report, 'utf8')),
    async end(signal) {
      child.kill(signal);
      const [code] = (await once(child, 'exit')) as [number | null];
      return code;
    },
  };
}

async function appears(file: string): Promise<void> {
  const found = new Promise<void>(resolve => {
    const watcher = watch(dirname(file), (_event, name) => {
      if (name === null || !file.endsWith(name)) return;
      watcher.close();
      resolve();
    });
  });
  await found;
}
