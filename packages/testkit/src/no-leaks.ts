/** Fails a test file that leaves something behind: a process, a listening port, a timer or a file. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect } from 'vitest';
import { LEAK_MARK } from './harness/home.ts';
import { processesMarked } from './harness/processes.ts';

const mark = randomUUID();
const outerTmp = tmpdir();
let folder: string;
let before: Map<string, number>;

/** What ends in the background has this long to do so. */
const GRACE_MS = 4000;

beforeAll(() => {
  process.env[LEAK_MARK] = mark;
  folder = mkdtempSync(join(outerTmp, 'junctor-test-'));
  process.env.TMPDIR = folder;
  before = openThings();
});

afterAll(async () => {
  const giveUpAt = Date.now() + GRACE_MS;
  let left = leftovers();
  while (left.length > 0 && Date.now() < giveUpAt) {
    await sleep(50);
    left = leftovers();
  }
  rmSync(folder, { recursive: true, force: true });
  process.env.TMPDIR = outerTmp;
  expect(left, 'this test file left something behind').toEqual([]);
}, GRACE_MS * 2);

function leftovers(): string[] {
  return [
    ...processesMarked(`${LEAK_MARK}=${mark}`).map(({ pid, command }) => `process ${pid}: ${command}`),
    ...[...openThings()].flatMap(([kind, count]) => {
      const more = count - (before.get(kind) ?? 0);
      return more > 0 ? [`${more} × ${kind}`] : [];
    }),
    ...readdirSync(folder)
      .filter(name => name !== 'node-compile-cache')
      .map(name => `file ${name}`),
  ];
}

const WATCHED = new Set(['Timeout', 'TCPServerWrap', 'TCPSocketWrap', 'ProcessWrap', 'PipeWrap', 'FSEvent']);

function openThings(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) {
    if (WATCHED.has(kind)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return counts;
}
