import { expect, test } from 'vitest';
import { LearnedQuestions } from './learned-questions.ts';

test('requests that were inside together are suspects until one of them is certain to ask', () => {
  const learned = new LearnedQuestions();
  learned.learn(['a', 'b', 'a']);
  learned.learn(['c', 'd']);
  expect(['a', 'b', 'c', 'd', 'e'].map(what => learned.has(what))).toEqual([true, true, true, true, false]);
  learned.learn(['a']);
  expect(['a', 'b', 'c', 'd'].map(what => learned.has(what))).toEqual([true, false, true, true]);
  // A question that is explained already makes nobody suspect.
  learned.learn(['a', 'b']);
  expect(learned.has('b')).toBe(false);
});

test('what is stored is read again and put together with what was learned elsewhere', () => {
  const [here, there] = [new LearnedQuestions(), new LearnedQuestions()];
  here.learn(['a', 'b']);
  there.learn(['b']);
  expect(here.merge(JSON.stringify(there)).toJSON()).toEqual({ certain: ['b'], suspects: [] });
  expect(there.merge('{"certain": 7').merge('[]').merge('{"suspects":[7,["x",1]]}').toJSON().certain).toEqual([
    'b',
    'x',
  ]);
});

test('it tells of news only, and keeps no more than so many, however long their names', () => {
  let told = 0;
  const learned = new LearnedQuestions(() => told++);
  for (const what of ['a', 'a', 'b']) learned.learn([what]);
  expect(told).toBe(2);
  for (let i = 0; i < 520; i++) learned.learn([`${'n'.repeat(10_000)}${i}`]);
  for (let i = 0; i < 520; i++) learned.learn([`x${i}`, `y${i}`]);
  expect(learned.has(`${'n'.repeat(10_000)}519`)).toBe(true);
  expect(JSON.stringify(learned).length).toBeLessThan(100_000);
});
