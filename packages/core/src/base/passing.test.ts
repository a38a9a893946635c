import { expect, test } from 'vitest';
import { Passing } from './passing.ts';

test('what comes is there until it is taken, in the order in which it came', () => {
  const passing = new Passing<string, object>();
  const [one, two, three] = [{ one: 1 }, { two: 2 }, { three: 3 }];
  passing.set('9', one);
  passing.set('1', two);
  passing.set('x', three);
  expect(passing.get('1')).toBe(two);
  expect(passing.take('1')).toBe(two);
  expect(passing.take('1')).toBeUndefined();
  expect([passing.size, passing.has('1'), passing.has('x')]).toEqual([2, false, true]);
  expect(passing.entries()).toEqual([
    ['9', one],
    ['x', three],
  ]);
  for (const value of passing.values()) if (value === one) passing.clear();
  expect([passing.size, passing.values()]).toEqual([0, []]);
});
