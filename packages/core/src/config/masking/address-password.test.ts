import { expect, test } from 'vitest';
import { passwordsIn, replacePassword } from './address-password.ts';

test.each([
  ['postgres://me:hunter2@db/app', ['hunter2']],
  ['--dsn=postgresql+psycopg2://me:p@ss@db:5432/app?x=1', ['p@ss']],
  ['redis://:only@cache', ['only']],
  ['amqp://a:one@x,amqp://b:two@y', ['one', 'two']],
  ['http://127.0.0.1:8080/me@x', []],
  ['https://me@host/path', []],
])('%s', (text, passwords) => {
  expect(passwordsIn(text)).toEqual(passwords);
});

test('the rest of the text stays as it is', () => {
  const longest = `${'x'.repeat(100)}postgres://me:hunter2@db`;
  expect(replacePassword(longest, () => '***')).toBe(`${'x'.repeat(100)}postgres://me:***@db`);
});

test('a long token without an address is read in one go', () => {
  expect(passwordsIn('a'.repeat(1_000_000))).toEqual([]);
});
