import { expect, test } from 'vitest';
import { EarlyCancels } from './early-cancels.ts';

test('a request that was given up before it came is told so once; one that came before is not', () => {
  const cancels = new EarlyCancels();
  cancels.note('1');
  expect([cancels.came('1'), cancels.came('1')]).toEqual([true, false]);
  expect(cancels.came('2')).toBe(false);
  cancels.note('2');
  expect(cancels.came('2')).toBe(false);
});

test('words about requests that never come take no more than a little memory', () => {
  const cancels = new EarlyCancels();
  for (let id = 0; id < 1000; id++) cancels.note(String(id));
  expect([cancels.came('0'), cancels.came('999')]).toEqual([false, true]);
});
