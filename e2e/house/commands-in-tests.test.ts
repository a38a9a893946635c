import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { chmod, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeHome, promise, ROOT } from '@junctor/testkit';
import { expect, test } from 'vitest';

promise('9.13c', '.ci/run runs the check, npm test and the slow parts, and stops at what fails', async () => {
  await using home = await makeHome();
  // An npm that writes down what it is asked: what it would do is proved elsewhere, and takes minutes.
  const npm = await home.write('bin/npm', '#!/bin/sh\necho "$@" >> "$HOME/asked"\n[ "$*" != "$FAILING" ]\n');
  await chmod(npm, 0o755);
  const run = async (failing: string): Promise<[number | null, string[]]> => {
    await home.write('asked', '');
    const env = { ...home.env, PATH: `${join(home.path, 'bin')}:${process.env.PATH}`, FAILING: failing };
    const { status } = spawnSync(join(ROOT, '.ci', 'run'), [], { cwd: home.path, env });
    return [status, (await readFile(join(home.path, 'asked'), 'utf8')).trim().split('\n')];
  };
  const all = ['ci', 'run check', 'run supply-chain', 'test', 'run test:rigs'];
  expect(await run('')).toEqual([0, all]);
  for (const [at, failing] of all.entries()) expect(await run(failing)).toEqual([1, all.slice(0, at + 1)]);
});

/** A clock that is read twice, and the difference held against a number. */
const STOPWATCH = /(?:const|let) (\w+) = (?:performance|Date)\.now\(\) - /g;

function speedAssertions(text: string): string[] {
  const watches = [...text.matchAll(STOPWATCH)].map(([, name]) => name as string);
  const measured = ['(?:performance|Date)\\.now\\(\\) - ', ...watches.map(name => `${name}\\b`)].join('|');
  const asserted = new RegExp(`expect\\((?:Math\\.\\w+\\()?(?:${measured})[^;]*\\.toBe(?:Less|Greater)Than[^;]*;`, 'g');
  return text.match(asserted) ?? [];
}

promise('9.13e', 'no test asserts an absolute speed', () => {
  const files = globSync(['e2e/**/*.ts', 'packages/*/src/**/*.test.ts'], { cwd: ROOT })
    // It has examples of what must not be.
    .filter(file => !import.meta.filename.endsWith(file));
  expect(files.length).toBeGreaterThan(200);
  const found = files.flatMap(file =>
    speedAssertions(readFileSync(join(ROOT, file), 'utf8')).map(line => [file, line]),
  );
  // The age of a time that is told is no speed.
  expect(found.filter(([, line]) => !line?.includes('Date.parse'))).toEqual([]);
  expect(globSync('bench/goals.ts', { cwd: ROOT })).toHaveLength(1);
});

test('an assertion of speed would be found', () => {
  const wrong = ['const took = performance.now() - since;', 'expect(took).toBeLessThan(100);'].join('\n');
  expect(speedAssertions(wrong)).toEqual(['expect(took).toBeLessThan(100);']);
  expect(speedAssertions('expect(Date.now() - begun).toBeLessThan(5);')).toHaveLength(1);
  expect(speedAssertions('const took = performance.now() - since;\nexpect(code).toBe(0);')).toEqual([]);
});
