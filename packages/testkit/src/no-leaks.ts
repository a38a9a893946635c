/**
 * Fails a test file that leaves something behind: a process, a listening port, a timer or a file. What hosts in the process
 * of a test keep goes to a data directory of its own, never to that of whoever runs the tests.
 */
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect } from 'vitest';
import { LEAK_MARK } from './harness/home.ts';
import { processesMarked } from './harness/processes.ts';
import { ROOT } from './harness/root.ts';

const mark = randomUUID();
const outerTmp = tmpdir();
const outerData = process.env.JUNCTOR_DATA;
let folder: string;
let before: Map<string, number>;

const OWN_DATA = 'data-of-hosts';
/** Where Node keeps what it has compiled: one place for all test files, as all programs of a person share one. */
const COMPILED = 'node-compile-cache';
const COMPILED_ONCE = join(ROOT, 'node_modules', '.cache', COMPILED);
const EXPECTED_FILES = new Set([COMPILED, OWN_DATA]);
/** What Chromium forgets now and then. */
const OF_CHROMIUM = '.org.chromium.Chromium.';

/** What ends in the background has this long to do so; too little, and a busy machine looks like a leak. */
const GRACE_MS = 30_000;

beforeAll(() => {
  process.env[LEAK_MARK] = mark;
  folder = mkdtempSync(join(outerTmp, 'junctor-test-'));
  mkdirSync(COMPILED_ONCE, { recursive: true });
  symlinkSync(COMPILED_ONCE, join(folder, COMPILED), 'junction');
  process.env.TMPDIR = folder;
  process.env.JUNCTOR_DATA = join(folder, OWN_DATA);
  before = openThings();
});

afterAll(async () => {
  const giveUpAt = Date.now() + GRACE_MS;
  let left = leftovers();
  while (left.length > 0 && Date.now() < giveUpAt) {
    await sleep(50);
    left = leftovers();
  }
  // Again where a program that ends just now put a last file there.
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  process.env.TMPDIR = outerTmp;
  if (outerData === undefined) delete process.env.JUNCTOR_DATA;
  else process.env.JUNCTOR_DATA = outerData;
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
      .filter(name => !EXPECTED_FILES.has(name) && !name.startsWith(OF_CHROMIUM))
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
