import { describe, expect, test } from 'vitest';
import { parseConditions, parseRulePattern } from '../config/schema/rule-pattern.ts';
import { compileConditions, type Reading } from './arguments.ts';

function fits(reading: Reading, text: string, args: unknown): boolean {
  const parsed = parseConditions(text);
  if (!parsed.ok) throw new Error(parsed.because);
  return compileConditions(parsed.conditions, reading)(args);
}

describe('a pattern with arguments', () => {
  test('is taken apart: the tools, and one condition for each argument', () => {
    expect(parseRulePattern('mcp__fs__write_file(path=/tmp/**, mode=append)')).toEqual({
      ok: true,
      tools: 'mcp__fs__write_file',
      conditions: [
        { name: 'path', value: '/tmp/**' },
        { name: 'mode', value: 'append' },
      ],
    });
    expect(parseConditions('query=select a, b from c where d=1,limit=3')).toEqual({
      ok: true,
      conditions: [
        { name: 'query', value: 'select a, b from c where d=1' },
        { name: 'limit', value: '3' },
      ],
    });
    expect(parseRulePattern('mcp__fs__*')).toEqual({ ok: true, tools: 'mcp__fs__*', conditions: [] });
  });

  test('that cannot be read says why', () => {
    const table = {
      'mcp__fs__w(path=/tmp': "its '(' is not closed at the end",
      'mcp__fs__w()': 'it names no argument between its brackets',
      'mcp__fs__w(path)': "'path' does not say what the argument must be",
      'mcp__fs__w(=/tmp)': "'=/tmp' names no argument before its '='",
      'mcp__fs__w(path=)': "'path=' has no value after its '='",
    };
    for (const [pattern, because] of Object.entries(table))
      expect(parseRulePattern(pattern)).toEqual({ ok: false, tools: 'mcp__fs__w', because });
  });
});

describe('arguments', () => {
  test('are given narrowly: only what fits for certain is allowed', () => {
    const table: [string, unknown, boolean][] = [
      ['path=/tmp/**', { path: '/tmp/a/b' }, true],
      ['path=/tmp/**', { path: '/tmp' }, false],
      ['path=/tmp/*', { path: '/tmp/a/b' }, false],
      ['path=/tmp/*', { path: '/tmp/a\\b' }, false],
      ['path=/tmp/?', { path: '/tmp//' }, false],
      ['path=/tmp/**', { path: '/tmp/../etc/passwd' }, false],
      ['path=/tmp/**', { path: '/tmp/a\\..\\..\\etc' }, false],
      ['path=/tmp/**', { path: '/tmp/a..b' }, true],
      ['path=/tmp/**', {}, false],
      ['path=/tmp/**', undefined, false],
      ['path=/tmp/**', { path: ['/tmp/a', '/tmp/b'] }, true],
      ['path=/tmp/**', { path: ['/tmp/a', '/etc/b'] }, false],
      ['path=/tmp/**', { path: [] }, false],
      ['edits.path=/tmp/**', { edits: [{ path: '/tmp/a' }, {}] }, false],
      ['edits.path=/tmp/**', { edits: [{ path: '/tmp/a' }, { path: '/tmp/b' }] }, true],
      ['a.b=1', { 'a.b': 1 }, true],
      ['a.b=1', { 'a.b': 1, a: { b: 2 } }, false],
      ['count=3', { count: 3 }, true],
      ['force=true', { force: true }, true],
      ['toString=*', {}, false],
      ['text=a**', { text: 'a\nb' }, true],
      ['path=/tmp/**, mode=append', { path: '/tmp/a', mode: 'overwrite' }, false],
    ];
    for (const [text, args, expected] of table)
      expect([text, args, fits('narrow', text, args)]).toEqual([text, args, expected]);
  });

  test('are taken away generously: what may fit is denied', () => {
    const table: [string, unknown, boolean][] = [
      ['path=/etc/**', { path: '/etc/passwd' }, true],
      ['path=/etc/**', { path: '/etc' }, true],
      ['path=/etc/**', { path: '/etcetera' }, false],
      ['path=/etc/**', { path: '/tmp/../etc/passwd' }, true],
      ['path=/etc/**', { path: '//etc/./passwd' }, true],
      ['path=/etc/**', { path: '/../../etc/passwd' }, true],
      ['path=/etc/**', { path: ['/tmp/a', '/etc/b'] }, true],
      ['path=/etc/**', { path: '/tmp/a' }, false],
      ['path=/etc/**', {}, false],
      ['command=*rm*', { command: '/bin/rm -rf /' }, true],
      ['edits.path=/etc/**', { edits: [{ path: '/tmp/a' }, { path: '/etc/b' }] }, true],
      ['a.b=1', { 'a.b': 1, a: { b: 2 } }, true],
    ];
    for (const [text, args, expected] of table)
      expect([text, args, fits('generous', text, args)]).toEqual([text, args, expected]);
  });
});
