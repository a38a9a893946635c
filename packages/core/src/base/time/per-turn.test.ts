import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { perTurn } from './per-turn.ts';

test('a question is asked once in a turn, and again in the next', async () => {
  const asked: string[] = [];
  const answer = perTurn((name: string) => {
    asked.push(name);
    return `${name} ${asked.length}`;
  });
  expect([answer('a'), answer('b'), answer('a')]).toEqual(['a 1', 'b 2', 'a 1']);
  await Promise.resolve();
  expect(answer('b')).toBe('b 2');
  await turn();
  expect([answer('a'), asked]).toEqual(['a 3', ['a', 'b', 'a']]);
});
