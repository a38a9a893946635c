import { promise } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { compileRule, covers, type Effect } from './rule.ts';

const known = ['fs', 'github', 'a', 'a__b'];
const matches = (effect: Effect, pattern: string, server: string, tool: string) =>
  covers(compileRule(effect, pattern, known), server, tool);

describe('a pattern', () => {
  promise('3.4d', 'matches what it names and nothing more', () => {
    const table: [string, string, string, boolean][] = [
      ['mcp__fs__*', 'fs', 'read', true],
      ['mcp__fs__*', 'github', 'read', false],
      ['mcp__github__create_*', 'github', 'create_issue', true],
      ['mcp__github__create_*', 'github', 'delete_issue', false],
      ['mcp__github__create_*', 'github', 'xcreate_issue', false],
      ['mcp__*', 'a__b', 'anything', true],
      ['mcp__*__read', 'fs', 'read', true],
      ['mcp__*__read', 'fs', 'reads', false],
      ['mcp__fs__re?d', 'fs', 'read', true],
      ['mcp__fs__r.ad', 'fs', 'read', false],
      ['mcp__nobody__*', 'fs', 'read', false],
      ['mcp__fs', 'fs', 'read', true],
      ['mcp__fs', 'github', 'read', false],
      ['fs', 'fs', 'read', true],
      ['mcp__git*', 'github', 'read', true],
    ];
    for (const [pattern, server, tool, expected] of table) {
      expect([pattern, server, tool, matches('allow', pattern, server, tool)]).toEqual([
        pattern,
        server,
        tool,
        expected,
      ]);
    }
  });

  promise(['3.4f', '9.1g', '9.1h', '9.1i'], 'that could mean two servers denies both and allows neither', () => {
    const pattern = 'mcp__a__b__c';
    expect([matches('deny', pattern, 'a', 'b__c'), matches('deny', pattern, 'a__b', 'c')]).toEqual([true, true]);
    expect([matches('ask', pattern, 'a', 'b__c'), matches('ask', pattern, 'a__b', 'c')]).toEqual([true, true]);
    expect([matches('allow', pattern, 'a', 'b__c'), matches('allow', pattern, 'a__b', 'c')]).toEqual([false, false]);
  });

  test('that only one known server fits allows it', () => {
    const rule = compileRule('allow', 'mcp__a__b__c', ['a']);
    expect([covers(rule, 'a', 'b__c'), covers(rule, 'a__b', 'c')]).toEqual([true, false]);
  });
});
