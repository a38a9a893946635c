import { globSync, readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { promise, ROOT } from '@junctor/testkit';
import { expect, test } from 'vitest';
import { citations, readClauses } from '../../scripts/clauses.mjs';

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const FOLDERS = ['packages/*/src/**', 'e2e/**', 'scripts/**', 'bench/**', 'examples/**', 'peers/**'];
const TESTS = globSync(
  FOLDERS.map(folder => `${folder}/*.test.ts`),
  { cwd: ROOT, exclude: ['**/node_modules/**'] },
);
/** It has examples of what must not be. */
const OTHERS = TESTS.filter(file => !import.meta.filename.endsWith(file));

/** A test that is set aside for good, or that sets all others aside. A part that a machine lacks is another thing. */
const SET_ASIDE = /\b(?:test|it|describe|promise)(?:\.\w+)*\.(?:only|skip|todo)\(/;
/** Set aside on Linux, of all systems. */
const NOT_ON_LINUX = /(?:skipIf|skip)\([^)]*platform === 'linux'|runIf\([^)]*platform === '(?:darwin|win32)'/;

promise(
  'A10i',
  'every test, of a part or of the whole, is run by one of the two commands, and none is set aside',
  () => {
    const patterns = [...read('vitest.config.ts').matchAll(/'([^']+\.test\.ts)'/g)].map(([, pattern = '']) => pattern);
    expect(TESTS.filter(file => !patterns.some(pattern => matchesGlob(file, pattern)))).toEqual([]);
    expect(TESTS.filter(file => file.startsWith('packages/')).length).toBeGreaterThan(50);
    expect(TESTS.filter(file => file.startsWith('e2e/')).length).toBeGreaterThan(100);
    expect(OTHERS.filter(file => SET_ASIDE.test(read(file)))).toEqual([]);
    // What they come to decides the exit code of the command, and of the run of all of them.
    expect(read('scripts/test.mjs')).toMatch(/process\.exit\(status \|\| gate/);
  },
);

promise('9.12e', 'what is kept is proved by a test, and no test leaves Linux out', () => {
  const proofs = citations();
  expect(readClauses().filter(({ id, state }) => state === 'kept' && !proofs.has(id))).toEqual([]);
  expect(OTHERS.filter(file => NOT_ON_LINUX.test(read(file)))).toEqual([]);
});

test('a test that is set aside would be found', () => {
  const wrong = ['test.skip(', "describe.only('x'", "test.concurrent.skip('x'"].map(text => `${text}(`);
  expect(wrong.filter(text => !SET_ASIDE.test(text))).toEqual([]);
  expect(SET_ASIDE.test("if (missing) context.skip('no bus here');")).toBe(false);
  expect(NOT_ON_LINUX.test("test.skipIf(process.platform === 'linux')('x')")).toBe(true);
  expect(NOT_ON_LINUX.test("test.runIf(process.platform === 'linux')('x')")).toBe(false);
});
