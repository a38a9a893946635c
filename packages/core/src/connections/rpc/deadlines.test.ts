import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { monotonicMs } from '../../base/time/monotonic.ts';
import { Deadlines } from './deadlines.ts';

test('a program that stands still again and again ends what is overdue all the same', async () => {
  let sweeps = 0;
  const deadlines = new Deadlines(() => {
    sweeps++;
    return Number.POSITIVE_INFINITY;
  });
  const now = monotonicMs();
  deadlines.expect(now + 1, now);
  standStill(510);
  await sleep(1);
  expect(sweeps).toBe(0);
  standStill(800);
  await sleep(1);
  expect(sweeps).toBe(1);
});

function standStill(ms: number): void {
  const until = monotonicMs() + ms;
  while (monotonicMs() < until);
}
