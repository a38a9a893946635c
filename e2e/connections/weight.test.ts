import { globSync, readFileSync } from 'node:fs';
import { ROOT } from '@junctor/testkit';
import { expect, test } from 'vitest';
import { loadedWithLibrary } from '../loaded-with.ts';

/** Words that stand in what a start can do without, each in the part it is named after. */
const NOT_BEFORE_A_SERVER_STARTS = {
  schema: 'unrecognized_keys',
  dialects: 'mcp_servers',
  catalogue: 'minContains',
  'model profiles': 'claude-code',
  'node:crypto': 'node:crypto',
  executors: 'which is not on PATH here',
  'sign-ins': 'could not read or write the sign-ins',
  results: 'a large result could not be kept',
  approvals: 'nobody can be asked',
};

test('before the first server is started, nothing is loaded that only reads, names or fits something later', () => {
  const texts = loadedWithLibrary();
  const loaded = Object.entries(NOT_BEFORE_A_SERVER_STARTS).filter(([, word]) =>
    texts.some(text => text.includes(word)),
  );
  expect([texts.length > 1, loaded.map(([part]) => part)]).toEqual([true, []]);
});

test('what is loaded with a first call brings nothing along but what it needs', () => {
  const texts = loadedWithLibrary('chunks/seldom.js');
  const loaded = ['unrecognized_keys', 'mcp_servers', 'claude-code'].filter(word =>
    texts.some(text => text.includes(word)),
  );
  expect([texts.length > 2, loaded]).toEqual([true, []]);
});

test('what is bundled takes built-in modules without their ESM face', () => {
  const built = globSync('packages/{cli/bundle,core/dist/chunks}/**/*.js', { cwd: ROOT });
  expect(built.length).toBeGreaterThan(50);
  expect(built.filter(file => /from\s*["']node:/.test(readFileSync(`${ROOT}/${file}`, 'utf8')))).toEqual([]);
});

test('nothing that is built imports node:http, which would bring undici along', () => {
  const built = globSync('packages/{cli/bundle,core/dist,hub/dist}/**/*.js', { cwd: ROOT });
  const importing = built.filter(file => /from\s*["']node:http["']/.test(readFileSync(`${ROOT}/${file}`, 'utf8')));
  expect(built.length).toBeGreaterThan(50);
  expect(importing).toEqual([]);
});
