import { describe, expect, test } from 'vitest';
import { stem } from './stem.ts';
import { wordsOf } from './words.ts';

describe('a stem', () => {
  test.each([
    'search searches searching searched',
    'create creates creating created creation creator',
    'recommend recommends recommended recommendation recommendations',
    'organize organizes organizing organization',
    'movie movies',
    'copy copies copied copying',
    'code codes coding coded',
    'run runs running',
    'price prices pricing priced',
    'analysis analyses analyze analyzing',
    'remove removes removing removal',
  ])('is the same for %s', words => {
    expect(new Set(words.split(' ').map(stem)).size).toBe(1);
  });

  test.each(['new news', 'car care', 'plan planet', 'date data', 'read red', 'address add'])(
    'tells %s apart',
    words => {
      expect(new Set(words.split(' ').map(stem)).size).toBe(2);
    },
  );

  test('of other writing is the word itself', () => {
    expect(['café', '天気', 'x1', 'ed', 'ing', 'ss'].map(stem)).toEqual(['café', '天気', 'x1', 'ed', 'ing', 'ss']);
  });
});

describe('words', () => {
  test.each([
    ['createIssue', 'create issue createissue'],
    ['create_issue-v2', 'create issue v 2 v2'],
    ['HTTPServer', 'http server httpserver'],
    ['GitHub, e-mail', 'git hub github e mail'],
    ['getHTTP2Status', 'get http 2 status'],
    ['Crème BRÛLÉE', 'creme brulee'],
    ['日本語', '日本 本語'],
    ['天', '天'],
    ['…!?', ''],
  ])('of %j', (text, words) => {
    expect(wordsOf(text, 100).join(' ')).toBe(words);
  });

  test('are looked for in the beginning of a text only', () => {
    expect(wordsOf('one two three', 7)).toEqual(['one', 'two']);
  });
});
