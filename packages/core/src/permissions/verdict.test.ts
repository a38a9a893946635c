import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Effect } from './rule.ts';
import { Gate } from './verdict.ts';

const gate = (permissions: Partial<Record<Effect, string[]>>, servers: readonly string[] = ['fs'], trusted = false) =>
  new Gate({ permissions, trust: new Map(servers.map(id => [id, trusted])) });

describe('a rule on arguments', () => {
  test('holds for such calls only; deny beats ask beats allow', () => {
    const rules = gate({
      allow: ['mcp__fs__write(path=/tmp/**)'],
      ask: ['mcp__fs__write(path=/tmp/shared/**)'],
      deny: ['mcp__fs__write(path=**/.ssh/**)', 'mcp__fs__write(path=/tmp/shared/secret)'],
    });
    const effect = (path: unknown) => rules.judge('fs', 'write', { path }).effect;
    expect(effect('/tmp/a')).toBe('allow');
    expect(effect('/tmp/shared/a')).toBe('ask');
    expect(effect('/tmp/shared/secret')).toBe('deny');
    expect(effect('/tmp/.ssh/id')).toBe('deny');
    expect(effect('/var/a')).toBe('ask');
    expect(rules.judge('fs', 'write').effect).toBe('ask');
    expect(rules.judge('fs', 'read', { path: '/tmp/.ssh/id' })).toEqual({
      effect: 'ask',
      because: "no rule covers it, and server 'fs' is not trusted",
    });
    expect(rules.judge('fs', 'write', { path: '/tmp/a' })).toEqual({
      effect: 'allow',
      because: 'the rule allow mcp__fs__write(path=/tmp/**)',
      rule: 'mcp__fs__write(path=/tmp/**)',
    });
  });

  test('that cannot be read takes away for any arguments, and gives for none', () => {
    const rules = gate({ allow: ['mcp__fs__read(path)'], deny: ['mcp__fs__write(path'] });
    expect(rules.judge('fs', 'write', { other: 1 }).effect).toBe('deny');
    expect(rules.judge('fs', 'read', { path: 'a' }).effect).toBe('ask');
  });
});

describe('the verdict', () => {
  const part = fc.string({ unit: fc.constantFrom('a', 'b', '_', '-'), minLength: 1, maxLength: 5 });
  const value = fc.string({ unit: fc.constantFrom('a', '/', '.', ' ', '\n', 'ü'), minLength: 1, maxLength: 8 });
  const calls = fc.record({ server: part, tool: part, value });
  /** Patterns that cover this very call, however they are written. */
  const covering = ({ server, tool, value: text }: { server: string; tool: string; value: string }) => {
    const tools = fc.constantFrom(
      `mcp__${server}__${tool}`,
      `mcp__${server}__*`,
      `mcp__*__${tool}`,
      'mcp__*',
      '*',
      `mcp__${server}__${tool.replace(/^./, '?')}`,
    );
    const conditions = fc.constantFrom(
      '',
      '(x=**)',
      `(x=${text.trim() === text ? text : '*'})`,
      `(x=${'?'.repeat(text.length)})`,
    );
    return fc.tuple(tools, conditions).map(parts => parts.join(''));
  };
  const anyRule = fc.constantFrom<string[]>(
    '*',
    'mcp__*',
    'mcp__a__b',
    'mcp__a(x=a**)',
    'mcp__a__*(x=/**)',
    'mcp__*(x=**)',
    'mcp__b',
  );
  const anyRules = fc.array(anyRule, { maxLength: 4 });

  test('never allows what a deny rule covers, whatever else is said', () => {
    fc.assert(
      fc.property(
        calls.chain(call => fc.tuple(fc.constant(call), covering(call))),
        fc.record({ allow: anyRules, ask: anyRules, deny: anyRules }),
        fc.array(part, { maxLength: 3 }),
        fc.boolean(),
        fc.nat(4),
        ([call, deny], others, servers, trusted, at) => {
          const denied = others.deny.toSpliced(at, 0, deny);
          const rules = gate({ ...others, deny: denied }, [...servers, call.server], trusted);
          const args = { x: call.value };
          expect(rules.judge(call.server, call.tool, args).effect).toBe('deny');
          // A second look, from memory, is no milder.
          expect(rules.judge(call.server, call.tool, args).effect).toBe('deny');
        },
      ),
    );
  });
});
