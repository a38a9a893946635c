import { promise } from '@junctor/testkit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { identityHash, type NamingStrategy, publicNames } from './strategy.ts';

const names = (strategy: NamingStrategy, ...pairs: [string, string][]) =>
  publicNames(
    pairs.map(([server, tool]) => ({ server, tool })),
    strategy,
  );

describe('publicNames', () => {
  promise(['3.1a', '3.1g'], 'joins server and tool by the strategy', () => {
    expect(names('mcp__', ['github', 'create_issue'])).toEqual(['mcp__github__create_issue']);
    expect(names('server_tool', ['github', 'create_issue'])).toEqual(['github_create_issue']);
  });

  promise('3.1c', 'hashes server id, NUL and tool name', () => {
    // printf 'github\0create_issue' | sha256sum
    expect(identityHash({ server: 'github', tool: 'create_issue' })).toBe('5b9912e6');
  });

  promise(['3.1m', 'A10m'], 'gives both of two colliding tools a name of their own, whatever their order', () => {
    const pairs: [string, string][] = [
      ['a_b', 'c'],
      ['a', 'b_c'],
      ['x', 'y'],
    ];
    const forwards = names('server_tool', ...pairs);
    const backwards = names('server_tool', ...pairs.toReversed()).toReversed();
    expect(new Set(forwards).size).toBe(3);
    expect(forwards).toEqual(backwards);
    expect(forwards[2]).toBe('x_y');
  });

  test('every name is one that any provider reads, and no two are equal', () => {
    const part = fc.string({
      unit: fc.constantFrom('a', 'B', '_', '-', '.', ' ', 'é', '/'),
      minLength: 1,
      maxLength: 90,
    });
    const pair = fc.tuple(part, part);
    fc.assert(
      fc.property(fc.uniqueArray(pair, { selector: ([server, tool]) => `${server}\0${tool}` }), pairs => {
        const given = names('mcp__', ...pairs);
        expect(new Set(given).size).toBe(pairs.length);
        for (const name of given) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
      }),
    );
  });
});
