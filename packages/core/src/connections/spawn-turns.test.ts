import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { SpawnTurns } from './spawn-turns.ts';

test('one begins at once, each further one in a turn of its own and in order', async () => {
  const turns = new SpawnTurns();
  const begun: number[] = [];
  const begin = async (number: number): Promise<void> => {
    await turns.next();
    begun.push(number);
  };
  const all = Promise.all([1, 2, 3, 4].map(begin));
  const perTurn: number[] = [];
  for (let before = 0; before < 4; before = begun.length) {
    await turn();
    perTurn.push(begun.length - before);
  }
  await all;
  expect(begun).toEqual([1, 2, 3, 4]);
  expect(Math.max(...perTurn)).toBeLessThanOrEqual(2);
  expect(turns.next()).toBeInstanceOf(Promise);
  await turn();
  await turn();
  expect(turns.next()).toBeUndefined();
});
