/** Not beside the other tests: while there is an orphan, every doctor on this machine sees it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { type Home, junctor, makeHome, misbehaving, promise, ROOT, trusted } from '@junctor/testkit';
import { expect } from 'vitest';

interface Report {
  readonly code: number | null;
  readonly orphans: readonly { pid: number; command: string; owner: number }[];
  readonly fix: readonly { fix: string }[];
}

async function doctor(home: Home): Promise<Report> {
  const { code, stdout } = await junctor(home, ['doctor', '--json']);
  return { code, ...JSON.parse(stdout) };
}

promise('7.13f', 'doctor finds the processes of a Junctor that was killed together with its guard', async () => {
  await using home = await makeHome();
  const owned = JSON.stringify(trusted(misbehaving('stubborn')));
  const owner = spawn(
    process.execPath,
    ['--conditions=junctor-source', join(ROOT, 'e2e', 'rigs', 'orphan-owner.ts'), owned],
    { cwd: home.project, env: home.env, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const [line] = await once((owner.stdout as Readable).setEncoding('utf8'), 'data');
  const pids = JSON.parse(line as string) as number[];
  const ours = ({ orphans }: Report) => orphans.filter(({ pid }) => pids.includes(pid));
  try {
    expect(ours(await doctor(home))).toEqual([]);

    // The guard is the owner's other child. While one of the two lives no orphan does: a guard ends what its owner left, and
    // an owner replaces a guard that was killed. So both are held still before either ends.
    owner.kill('SIGSTOP');
    const guards = childrenOf(owner.pid as number).filter(pid => !pids.includes(pid));
    expect(guards).toHaveLength(1);
    for (const signal of ['SIGSTOP', 'SIGKILL']) for (const pid of guards) process.kill(pid, signal);
    owner.kill('SIGKILL');
    await once(owner, 'exit');
    const report = await doctor(home);
    const found = ours(report);
    expect(new Map(found.map(({ pid, owner: of }) => [pid, of]))).toEqual(new Map(pids.map(pid => [pid, owner.pid])));
    expect(found.find(({ pid }) => pid === pids[0])?.command).toContain('stubborn.js');
    const last = report.fix.at(-1)?.fix ?? '';
    expect(last).toMatch(/^end what a Junctor that was killed left behind: kill [\d ]+$/);
    for (const pid of pids) expect(last.split(' ')).toContain(String(pid));
    const text = (await junctor(home, ['doctor'])).stdout;
    for (const pid of pids) expect(text).toContain(`  warn  pid ${pid}: `);
    // They belong to no server of this config: nothing here is broken.
    expect(report.code).toBe(0);
  } finally {
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    owner.kill('SIGKILL');
  }
  expect(ours(await doctor(home))).toEqual([]);
});

function childrenOf(parent: number): number[] {
  return readdirSync('/proc').flatMap(entry => {
    const stat = /^\d+$/.test(entry) ? readStat(entry) : '';
    const [, ppid] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(ppid) === parent ? [Number(entry)] : [];
  });
}

/** Empty for a process that ended while we looked. */
function readStat(entry: string): string {
  try {
    return readFileSync(`/proc/${entry}/stat`, 'latin1');
  } catch {
    return '';
  }
}
