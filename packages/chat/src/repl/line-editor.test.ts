import { describe, expect, test } from 'vitest';
import { fitted, widthOf, wrapped } from '../show/width.ts';
import { type Key, LineEditor } from './line-editor.ts';

const sign = (sequence: string): Key => ({ sequence, name: sequence });
const key = (name: string, more: Partial<Key> = {}): Key => ({ name, ...more });

function typed(keys: readonly Key[], history: readonly string[] = []): LineEditor {
  const editor = new LineEditor(history);
  for (const one of keys) editor.press(one);
  return editor;
}

describe('what is typed', () => {
  test.each<[string, readonly Key[], string, number]>([
    ['goes in where the cursor stands', [...'ac'].map(sign).concat(key('left'), sign('b')), 'abc', 2],
    ['is erased sign by sign, pairs kept whole', [sign('a'), sign('😀'), key('backspace')], 'a', 1],
    ['is erased word by word', [...'one two'].map(sign).concat(key('w', { ctrl: true })), 'one ', 4],
    ['goes to the start and the end', [...'bc'].map(sign).concat(key('a', { ctrl: true }), sign('a')), 'abc', 1],
    ['takes a new line with Alt', [sign('a'), key('return', { meta: true }), sign('b')], 'a\nb', 3],
    ['takes a new line behind a backslash', [sign('a'), sign('\\'), key('return'), sign('b')], 'a\nb', 3],
    ['takes pasted lines', [key('paste-start'), sign('a'), key('return'), sign('b'), key('paste-end')], 'a\nb', 3],
    ['holds no signs that steer', [sign('a'), sign('\x07')], 'a', 1],
  ])('%s', (_title, keys, text, cursor) => {
    const editor = typed(keys);
    expect([editor.text, editor.cursor]).toEqual([text, cursor]);
  });

  test('comes back after a look into the history', () => {
    const editor = typed([sign('x'), key('up'), key('up')], ['first', 'second']);
    expect(editor.text).toBe('first');
    expect(editor.press(key('up'))).toBe('ignored');
    editor.press(key('down'));
    editor.press(key('down'));
    expect(editor.text).toBe('x');
  });

  test('is taken with Enter, and Ctrl-D leaves only where nothing is typed', () => {
    const editor = typed([sign('x')]);
    expect(editor.press(key('return'))).toBe('submit');
    expect(editor.press(key('d', { ctrl: true }))).toBe('changed');
    expect(new LineEditor().press(key('d', { ctrl: true }))).toBe('leave');
  });
});

describe('room on a terminal', () => {
  test('is counted in columns', () => {
    expect([widthOf('abc'), widthOf('日本'), widthOf('e\u0301')]).toEqual([3, 4, 1]);
    expect([fitted('abcdef', 4), fitted('abc', 4), fitted('日本語', 4)]).toEqual(['abc…', 'abc', '日…']);
  });

  test('is filled word by word, and nothing is lost', () => {
    expect(wrapped('one two three', 8)).toEqual(['one two', 'three']);
    expect(wrapped('abcdefghij', 4)).toEqual(['abcd', 'efgh', 'ij']);
    expect(wrapped('  indented', 20)).toEqual(['  indented']);
    expect(wrapped('', 10)).toEqual(['']);
  });
});
