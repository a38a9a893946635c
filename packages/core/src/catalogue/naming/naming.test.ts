import { promise } from '@junctor/testkit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { characterSet, commonRule, misfitOf, type NameRule } from './name-rule.ts';
import { identityHash, Namer, onlyOnce, publicNames, type ToolIdentity } from './public-names.ts';
import { PublishedNames } from './published-names.ts';
import { slug } from './slug.ts';
import { expectFit, NAMING_STRATEGIES, type NamingStrategy, whyStrategyUnfit } from './strategy.ts';

const STRATEGIES = Object.keys(NAMING_STRATEGIES) as NamingStrategy[];
const tool = (server: string, name: string): ToolIdentity => ({ server, tool: name });
const names = (strategy: NamingStrategy, ...pairs: [string, string][]) =>
  publicNames(
    pairs.map(([server, name]) => tool(server, name)),
    strategy,
  );
const rule = (more: Partial<NameRule> = {}): NameRule => ({ ...commonRule(), ...more });

describe('a strategy', () => {
  promise(['3.1a', '3.1g'], 'joins server and tool', () => {
    expect(STRATEGIES.flatMap(strategy => names(strategy, ['github', 'create_issue']))).toEqual([
      'mcp__github__create_issue',
      'mcp_github_create_issue_5b9912e6',
      'create_issue@github',
      'mcp_github_create_issue',
      'github::create_issue',
      'github_create_issue',
      'create_issue',
    ]);
  });

  promise('3.1c', 'hashes server id, NUL and tool name', () => {
    // printf 'github\0create_issue' | sha256sum
    expect(identityHash(tool('github', 'create_issue'))).toBe('5b9912e6');
  });

  test('is refused where its names cannot be read, with the reason and what to use', () => {
    const strict = rule({ forbidden: ['__'] });
    expect(STRATEGIES.map(strategy => whyStrategyUnfit(strategy, strict))).toEqual([
      "its names hold '__', which may not stand in a name there",
      undefined,
      "its names hold '@', which cannot be read there",
      undefined,
      "its names hold ':', which cannot be read there",
      undefined,
      undefined,
    ]);
    expect(() => expectFit('at', strict, 'Grok')).toThrow(
      expect.objectContaining({
        code: 'usage',
        message: "The naming strategy 'at' cannot be used for Grok.",
        hint: 'use one of hash, mcp_, server_tool, auto',
      }),
    );
    expect(whyStrategyUnfit('mcp__', rule({ maxLength: 17 }))).toBe(
      'names may have 17 characters there, too few for it',
    );
  });
});

describe('a name', () => {
  promise(['3.1m', 'A10m'], 'is there for both of two tools that would have the same, whatever their order', () => {
    const pairs: [string, string][] = [
      ['a_b', 'c'],
      ['a', 'b_c'],
      ['x', 'y'],
    ];
    const forwards = names('server_tool', ...pairs);
    expect(names('server_tool', ...pairs.toReversed()).toReversed()).toEqual(forwards);
    // The longer id is the one a reader would see in it.
    expect(forwards).toEqual(['a_b_c', `a_b_c_${identityHash(tool('a', 'b_c'))}`, 'x_y']);
  });

  test('does not depend on what is connected, only on what could be', () => {
    const servers = ['a', 'a_b'];
    const [alone] = publicNames([tool('a', 'b_c')], 'server_tool', { servers });
    const [, together] = publicNames([tool('a_b', 'c'), tool('a', 'b_c')], 'server_tool', { servers });
    expect(alone).toBe(together);
  });

  test.each([
    [tool('fs', 'read.file'), 'fs_read_file_HASH', 'characters'],
    [tool('fs', 'lire un café'), 'fs_lire_un_cafe_HASH', 'characters'],
    [tool('fs', '読む'), 'fs_tool_HASH', 'characters'],
    [tool('fs', '__'), 'fs___', undefined],
    [tool('fs', 'x'.repeat(300)), `fs_${'x'.repeat(52)}_HASH`, 'length'],
    [tool('s'.repeat(64), 'read'), `${'s'.repeat(50)}_read_HASH`, 'length'],
    [tool('s'.repeat(64), 't'.repeat(64)), `${'s'.repeat(27)}_${'t'.repeat(27)}_HASH`, 'length'],
    [tool('find', 'tools'), 'find_tools_HASH', 'reserved'],
    [tool('fs', 'read_deadbeef'), 'fs_read_deadbeef_HASH', 'looks hashed'],
    [tool('a', 'b_c'), 'a_b_c_HASH', 'ambiguous'],
  ] as const)('of %j tells why it was changed', (identity, name, because) => {
    const namer = new Namer({ strategy: 'server_tool', servers: ['a', 'a_b', 'fs'] });
    expect(namer.name(identity)).toEqual({ name: name.replace('HASH', identityHash(identity)), because });
  });

  test('begins and is spelled as the rule says', () => {
    const letters = rule({ first: characterSet('a-z'), forbidden: ['__'], maxLength: 30 });
    const namer = new Namer({ strategy: 'server_tool', rule: letters, servers: [] });
    expect(namer.name(tool('9lives', 'a__b')).name).toBe(`x9lives_a_b_${identityHash(tool('9lives', 'a__b'))}`);
    expect(slug('a____b', letters)).toBe('a_b');
    expect([...characterSet('a-c_-')]).toEqual(['a', 'b', 'c', '_', '-']);
  });
});

describe('auto', () => {
  promise('10.5a', 'leaves the server out where no other has a tool of that name', () => {
    expect(names('auto', ['fs', 'read'], ['fs', 'write'], ['web', 'read'], ['web', 'get'])).toEqual([
      'fs_read',
      'write',
      'web_read',
      'get',
    ]);
  });

  promise('10.5b', 'gives no name that could be another one', () => {
    const given = names(
      'auto',
      ['notes', 'github_search'],
      ['github', 'github_list'],
      ['a', 'find_tools'],
      ['a', 'x.y'],
    );
    expect(given).toEqual(['notes_github_search', 'github_list', 'a_find_tools', expect.stringMatching(/^a_x_y_/)]);
    expect(names('auto', ['a', 'read_deadbeef'])).toEqual([expect.stringMatching(/^a_read_deadbeef_/)]);
    // One server, whose own names could be mistaken for each other.
    expect(new Set(names('auto', ['a', 'x'], ['b', 'x'], ['a', 'a_x'])).size).toBe(3);
  });
});

/** Names that could be mistaken for each other far more often than chance would have it. */
const part = fc.oneof(
  fc.string({
    unit: fc.constantFrom('a', 'b', '_', '-', '.', '@', ':', ' ', 'é', '漢', '😀'),
    minLength: 1,
    maxLength: 12,
  }),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 8 }),
  fc.string({ unit: fc.constantFrom('a', '_'), minLength: 280, maxLength: 300 }),
  fc.constantFrom('find', 'tools', 'a_00000000', 'mcp', 'a', 'a_b', 'a__b'),
);
const id = fc.stringMatching(/^[ab_9-]{1,8}$/);
const tools = (server: fc.Arbitrary<string>) =>
  fc.uniqueArray(fc.record({ server, tool: part }), { selector: ({ server: of, tool: name }) => `${of}\0${name}` });
const rules = fc.constantFrom<(signs: string) => NameRule>(
  signs => commonRule(signs),
  signs => ({ ...commonRule(signs), maxLength: 49 }),
  signs => ({ ...commonRule(signs), maxLength: 30, first: characterSet('A-Za-z') }),
  signs => ({ ...commonRule(`${signs}.`), maxLength: 128, forbidden: ['__'] }),
);

describe('names of any tools', () => {
  test.each(STRATEGIES)('%s: unique, valid, reversible, and the same in any order', strategy => {
    fc.assert(
      fc.property(fc.oneof(tools(id), tools(part)), rules, fc.gen(), (all, ruleFor, gen) => {
        const joining = NAMING_STRATEGIES[strategy];
        const reader = ruleFor('signs' in joining ? joining.signs : '');
        if (whyStrategyUnfit(strategy, reader)) return;
        const given = publicNames(all, strategy, { rule: reader });
        for (const name of given) expect([name, misfitOf(name, reader)]).toEqual([name, undefined]);
        const back = new Map(given.map((name, index) => [name, all[index]]));
        expect(back.size).toBe(all.length);
        expect(given.map(name => back.get(name))).toEqual(all);
        const shuffled = gen(fc.shuffledSubarray, all, { minLength: all.length });
        expect(
          new Map(publicNames(shuffled, strategy, { rule: reader }).map((name, i) => [name, shuffled[i]])),
        ).toEqual(back);
      }),
    );
  });
});

describe('the server of a name', () => {
  test.each(STRATEGIES)('%s: is among those the name is read as, and first where the name is joined', strategy => {
    fc.assert(
      fc.property(tools(id), rules, (all, ruleFor) => {
        const joining = NAMING_STRATEGIES[strategy];
        const reader = ruleFor('signs' in joining ? joining.signs : '');
        if (whyStrategyUnfit(strategy, reader)) return;
        const servers = new Set(all.map(({ server }) => server));
        const namer = new Namer({ strategy, rule: reader, servers });
        for (const identity of all) {
          const { name, because } = namer.name(identity);
          const read = namer.serversIn(name);
          if (because === undefined && strategy !== 'hash') expect([name, read]).toEqual([name, [identity.server]]);
          expect(read).toContain(identity.server);
        }
      }),
    );
  });

  test('is none where no id stands in the name', () => {
    const namer = new Namer({ strategy: 'mcp__', servers: ['a', 'a__b', 'fs'] });
    expect(['echo', 'mcp__other__echo', 'mcp__fs__'].map(name => namer.serversIn(name))).toEqual([[], [], []]);
    expect(namer.serversIn('mcp__a__b__c')).toEqual(['a__b']);
    expect(namer.serversIn(namer.name(tool('a', 'b__c')).name)).toEqual(['a__b', 'a']);
  });
});

describe('a published name', () => {
  const publish = (
    published: PublishedNames,
    servers: string[],
    all: ToolIdentity[],
    strategy: NamingStrategy = 'server_tool',
  ) => {
    const namer = new Namer({ strategy, servers });
    const isAlone = onlyOnce(all.map(one => one.tool));
    return all.map(identity => published.publish(identity, namer, strategy, isAlone(identity.tool)).name);
  };

  test('stays, and the newcomer that would have it gets another', () => {
    const published = new PublishedNames();
    const [old, newcomer] = [tool('a', 'b_c'), tool('a_b', 'c')];
    expect(publish(published, ['a'], [old])).toEqual(['a_b_c']);
    expect(publish(published, ['a', 'a_b'], [old, newcomer])).toEqual(['a_b_c', `a_b_c_${identityHash(newcomer)}`]);
    // Also after the first is gone.
    expect(publish(published, ['a_b'], [newcomer])).toEqual([`a_b_c_${identityHash(newcomer)}`]);
  });

  test('with a hash stays when nothing makes it ambiguous any more', () => {
    const published = new PublishedNames();
    const hashed = `a_b_c_${identityHash(tool('a', 'b_c'))}`;
    expect(publish(published, ['a', 'a_b'], [tool('a', 'b_c')])).toEqual([hashed]);
    expect(publish(published, ['a'], [tool('a', 'b_c')])).toEqual([hashed]);
  });

  test.each(['server_tool', 'auto'] as const)('of %s never means two tools, whatever comes and goes', strategy => {
    const round = fc.tuple(fc.uniqueArray(id, { minLength: 1, maxLength: 4 }), tools(id));
    fc.assert(
      fc.property(fc.array(round, { maxLength: 5 }), rounds => {
        const published = new PublishedNames();
        const owners = new Map<string, string>();
        const held = new Map<string, string>();
        for (const [servers, all] of rounds) {
          const ids = [...new Set([...servers, ...all.map(({ server }) => server)])];
          const given = publish(published, ids, all, strategy);
          expect(new Set(given).size).toBe(all.length);
          given.forEach((name, index) => {
            const who = JSON.stringify(all[index]);
            expect([name, owners.get(name) ?? who]).toEqual([name, who]);
            expect([who, held.get(who) ?? name]).toEqual([who, name]);
            owners.set(name, who);
            held.set(who, name);
          });
        }
      }),
    );
  });
});
