import { expect, test } from 'vitest';
import { Tail } from './tail.ts';

test('keeps the last lines, whatever pieces they came in', () => {
  const tail = new Tail();
  for (const piece of ['one\ntw', 'o\nthr', 'ee\n']) tail.push(piece);
  expect([tail.lines(2), tail.lines(9)]).toEqual(['two\nthree', 'one\ntwo\nthree']);
});

test('what is wrong is not pushed out by the stack of Node and of packages', () => {
  const tail = new Tail();
  const frames = Array.from({ length: 9 }, (_, index) => `    at run (node:internal/modules/loader:${index}:1)`);
  const own = '    at Object.<anonymous> (/home/me/server.js:1:1)';
  const lines = [
    '  throw err;',
    "Error: Cannot find module 'x'",
    own,
    ...frames,
    '    at f (/a/node_modules/b/c.js:1:1) {',
  ];
  tail.push([...lines, '}', '', 'Node.js v24.0.0\n'].join('\n'));
  expect(tail.lines(5)).toBe(["Error: Cannot find module 'x'", own, '}', '', 'Node.js v24.0.0'].join('\n'));
});

test('is bounded', () => {
  const tail = new Tail(10);
  tail.push(`${'x'.repeat(1000)}end`);
  expect(tail.lines(1)).toBe('xxxxxxxend');
});

test('has no orders to a terminal in it', () => {
  const tail = new Tail();
  tail.push('\u001b[31mred\u001b[0m\r\n\u001b]0;title\u0007bell\u0007 and \u001b[2Jtab\tstays\n');
  expect(tail.lines(5)).toBe('red\nbell and tab\tstays');
});
