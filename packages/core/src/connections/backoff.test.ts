import { promise } from '@junctor/testkit';
import { expect, test } from 'vitest';
import { JunctorError } from '../base/error.ts';
import { isWorthRetrying, pauseAfter, waitAfter } from './backoff.ts';

promise('2.7e', 'waits begin at 100 ms and double up to 10 s', () => {
  expect(
    [1, 2, 3, 4, 5, 6, 7, 8, 9].map(failures => waitAfter(failures, { firstMs: 100, factor: 2, longestMs: 10_000 })),
  ).toEqual([100, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000]);
});

promise('2.7g', 'pauses in the background begin at 10 s and double up to 5 min', () => {
  expect([1, 2, 3, 4, 5, 6, 7].map(pauseAfter)).toEqual([10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000]);
});

test.each([
  ['connection_failed', undefined, true],
  ['connection_failed', 503, true],
  ['connection_failed', 404, false],
  ['connection_lost', undefined, true],
  ['timeout', undefined, false],
  ['auth_required', 401, false],
  ['command_not_found', undefined, false],
  ['protocol_unsupported', undefined, false],
] as const)('after %s (%s) it is tried again: %s', (code, status, expected) => {
  const cause = status === undefined ? undefined : Object.assign(new Error(`HTTP ${status}`), { status });
  expect(isWorthRetrying(new JunctorError(code, 'words', { cause }))).toBe(expected);
});
