/** A PostgreSQL of its own for one test file: on loopback, on a free port, in a folder that is removed. */
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { chownSync, globSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { quietPort } from '@junctor/testkit';

export interface Postgres extends AsyncDisposable {
  /** Makes a database of this name. */
  create(database: string): string;
  /** What it answers, a line for each row, as `psql` prints it. */
  query(url: string, statement: string): string;
  /** Runs it while the test goes on. */
  begin(url: string, statement: string): Promise<unknown>;
  stop(): void;
  start(): void;
}

/** Why there is none on this machine; undefined where there is one. */
export function whyNoPostgres(): string | undefined {
  if (programs() === undefined) return 'PostgreSQL is not installed (no initdb)';
  if (isRoot() && spawnSync('id', ['-u', 'postgres']).status !== 0) return "there is no user 'postgres' to run it as";
  return undefined;
}

export async function startPostgres(): Promise<Postgres> {
  const bin = programs() as string;
  // Not below the folder of this test file, which the user it runs as may not enter.
  const folder = mkdtempSync('/tmp/junctor-postgres-');
  if (isRoot()) chownSync(folder, idOf('-u'), idOf('-g'));
  const port = await quietPort();
  const data = join(folder, 'data');
  run(bin, 'initdb', ['-D', data, '-A', 'trust', '-U', 'postgres', '--no-sync', '-E', 'UTF8', '--locale=C.UTF-8']);
  const settings = `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1 -c fsync=off`;
  const start = (): void => {
    run(bin, 'pg_ctl', ['-D', data, '-w', '-l', join(folder, 'log'), '-o', settings, 'start']);
  };
  const stop = (): void => {
    run(bin, 'pg_ctl', ['-D', data, '-w', '-m', 'immediate', 'stop']);
  };
  start();
  let running = true;
  return {
    create(database) {
      run(bin, 'createdb', ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres', database]);
      return `postgres://postgres@127.0.0.1:${port}/${database}`;
    },
    query: (url, statement) => run(bin, 'psql', ['-At', '-c', statement, url]),
    begin: (url, statement) =>
      promisify(execFile)(...asPostgres([join(bin, 'psql'), '-c', statement, url]), { cwd: '/tmp' }),
    start() {
      start();
      running = true;
    },
    stop() {
      stop();
      running = false;
    },
    async [Symbol.asyncDispose]() {
      if (running) stop();
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

function programs(): string | undefined {
  const [found] = globSync('/usr/{lib/postgresql/*,local,local/pgsql,pgsql-*}/bin/initdb').sort();
  return found === undefined ? undefined : dirname(realpathSync(found));
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

function idOf(flag: '-u' | '-g'): number {
  return Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
}

/** It refuses to run as root. */
function asPostgres(command: readonly string[]): [string, string[]] {
  const [file = '', ...rest] = isRoot() ? ['runuser', '-u', 'postgres', '--', ...command] : command;
  return [file, rest];
}

function run(bin: string, program: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(...asPostgres([join(bin, program), ...args]), {
    encoding: 'utf8',
    // A server that is started here would keep our pipe open for as long as it lives.
    stdio: ['ignore', program === 'psql' ? 'pipe' : 'ignore', 'pipe'],
    cwd: '/tmp',
  });
  if (status !== 0) throw new Error(`${program} failed: ${stderr}`);
  return stdout ?? '';
}
