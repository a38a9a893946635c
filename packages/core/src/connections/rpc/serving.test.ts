import { expect, test } from 'vitest';
import { JunctorError } from '../../base/error.ts';
import { Serving } from './serving.ts';

/** Answers nothing before its signal is raised. */
function patient() {
  const said: string[] = [];
  const given: unknown[] = [];
  const serving = new Serving({
    answer: (method, _params, signal) =>
      new Promise(resolve => {
        signal.addEventListener('abort', () => {
          given.push(method);
          resolve({});
        });
      }),
    say: text => said.push(text),
    onAllAnswered: () => {},
  });
  return { serving, said, given };
}

const OVER = new JunctorError('connection_lost', 'over');

test('two questions under one id are both given up when the connection ends', async () => {
  const { serving, said, given } = patient();
  const answers = [serving.answer(7, 'first', {}), serving.answer(7, 'second', {})];
  expect(serving.busy).toBe(true);
  serving.end(OVER);
  await Promise.all(answers);
  expect([given, said, serving.busy]).toEqual([['first', 'second'], [], false]);
});

test('a question is withdrawn by its id, and no other', async () => {
  const { serving, given } = patient();
  const answers = [serving.answer(1, 'one', {}), serving.answer('1', 'another', {})];
  serving.withdraw(1, OVER);
  expect(given).toEqual(['one']);
  serving.end(OVER);
  await Promise.all(answers);
});

test('how long the server waited for us is told once for all that was answered meanwhile', async () => {
  const waited: number[] = [];
  const answers: (() => void)[] = [];
  const serving = new Serving({
    answer: () => new Promise(resolve => answers.push(() => resolve({}))),
    say: () => {},
    onAllAnswered: ms => waited.push(ms),
  });
  const both = [serving.answer(1, 'a', {}), serving.answer(2, 'b', {})];
  answers[0]?.();
  await both[0];
  expect(waited).toEqual([]);
  answers[1]?.();
  await both[1];
  expect(waited).toEqual([expect.any(Number)]);
});
