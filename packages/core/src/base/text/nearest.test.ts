import { expect, test } from 'vitest';
import { nearest } from './nearest.ts';

test.each([
  ['comand', ['command', 'cwd'], 'command'],
  ['Dem', ['demo'], 'demo'],
  ['FS', ['fs'], 'fs'],
  ['x', ['[', 'w'], undefined],
  ['ls', ['fs'], undefined],
  ['ecoh', ['echo', 'each'], 'echo'],
  ['no-such', ['touch'], undefined],
  ['something', ['else'], undefined],
])('%s is meant as one of %j: %s', (word, known, meant) => {
  expect(nearest(word, known)).toBe(meant);
});
