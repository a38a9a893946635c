import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  behindUrl,
  type Home,
  isFree,
  isRunning,
  makeHome,
  misbehaving,
  processesMarked,
  promise,
  quietPort,
  ROOT,
  testServer,
  trusted,
} from '@junctor/testkit';
import { expect } from 'vitest';

const ROUNDS = 20;
const MARK = 'LC_CLEANUP_TEST';

promise(['2.10d', '2.10e'], 'kill -9 of the owner at 20 seeded moments leaves no process, port or file', async () => {
  const seed = Number(process.env.JUNCTOR_SEED ?? Math.trunc(Math.random() * 2 ** 31));
  console.log(`seed of the moments: JUNCTOR_SEED=${seed}`);
  const random = numbersFrom(seed);
  await using home = await makeHome();
  const steadyMs = await timeUntilSteady(home);
  for (let round = 1; round <= ROUNDS; round++) {
    const momentMs = random() * steadyMs * 1.3;
    const left = await killAt(home, `round-${round}`, momentMs);
    expect({ round, momentMs, left }).toEqual({
      round,
      momentMs,
      left: { killed: true, processes: [], portFree: true, files: [] },
    });
  }
});

promise(
  '2.10e',
  'after an orderly close nothing keeps the program from ending, and nothing of it is left',
  async () => {
    await using home = await makeHome();
    const port = await quietPort();
    const owner = await startOwner(home, 'orderly', port, { closes: true });
    const [code] = await once(owner, 'exit');
    const processes = processesMarked(`${MARK}=orderly`);
    expect({ code, processes, portFree: await isFree(port) }).toEqual({ code: 0, processes: [], portFree: true });
  },
);

/** How long the owner takes from its start to steady calls, on this machine, now. */
async function timeUntilSteady(home: Home): Promise<number> {
  const since = performance.now();
  const owner = await startOwner(home, 'dry-run', await quietPort());
  await Promise.race([once(owner.stdout as Readable, 'data'), once(owner, 'exit')]);
  expect(owner.exitCode, 'the owner ended by itself').toBe(null);
  const took = performance.now() - since;
  await kill(owner);
  await until(() => processesMarked(`${MARK}=dry-run`).length === 0);
  return took;
}

async function killAt(home: Home, name: string, momentMs: number) {
  const port = await quietPort();
  const owner = await startOwner(home, name, port);
  await sleep(momentMs);
  // Its guard carries no mark: it is known by its parent, while that lives.
  const children = childrenOf(owner.pid as number);
  const killed = await kill(owner);
  const mark = `${MARK}=${name}`;
  await until(() => processesMarked(mark).length === 0 && !children.some(isRunning));
  return {
    killed,
    processes: [...processesMarked(mark), ...children.filter(isRunning)],
    portFree: await isFree(port),
    files: (await readdir(temporary(home, name))).filter(file => file !== 'node-compile-cache'),
  };
}

async function startOwner(home: Home, name: string, port: number, more: object = {}): Promise<ChildProcess> {
  await mkdir(temporary(home, name));
  const owned = {
    servers: {
      plain: trusted(testServer()),
      stubborn: trusted(misbehaving('stubborn')),
      url: { ...trusted(behindUrl('--stubborn')), env: { PORT: String(port) } },
    },
    tools: { plain: 'pid', stubborn: 'pids', url: 'pids' },
    ...more,
  };
  return spawn(
    process.execPath,
    ['--conditions=junctor-source', join(ROOT, 'e2e', 'rigs', 'cleanup-owner.ts'), JSON.stringify(owned)],
    {
      cwd: home.project,
      // The prefix makes the mark pass to every server.
      env: { ...home.env, [MARK]: name, TMPDIR: temporary(home, name) },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
}

/** Whether it lived until then. */
async function kill(owner: ChildProcess): Promise<boolean> {
  owner.kill('SIGKILL');
  if (owner.exitCode === null && owner.signalCode === null) await once(owner, 'exit');
  return owner.signalCode === 'SIGKILL';
}

/** The guard gives servers a second between asking and forcing; the rest is for a busy machine. */
const PATIENCE_MS = 30_000;

async function until(isSo: () => boolean): Promise<void> {
  const giveUpAt = performance.now() + PATIENCE_MS;
  while (!isSo() && performance.now() < giveUpAt) await sleep(50);
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc').flatMap(entry => {
    const stat = /^\d+$/.test(entry) ? readStat(entry) : '';
    const [, ppid] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(ppid) === parent ? [Number(entry)] : [];
  });
}

function readStat(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return '';
  }
}

function temporary(home: Home, name: string): string {
  return join(home.path, name);
}

/** The same numbers between 0 and 1 for the same seed. */
function numbersFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
