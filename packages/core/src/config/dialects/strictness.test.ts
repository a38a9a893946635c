import { describe, expect, test } from 'vitest';
import { EntryReader } from './entry-reader.ts';
import {
  brokenSection,
  differences,
  readStrictly,
  unknownKeyProblem,
  unknownSectionKeys,
  word,
  writeWords,
} from './strictness.ts';

const WORDS = { program: word('command'), enabled_tools: word('tools.allow'), disabled_tools: word('tools.deny') };
const reader = (entry: Record<string, unknown>): EntryReader => new EntryReader('x', entry, ['servers', 'x']);

describe('a strict format', () => {
  test('reads word by word, and remembers where each key stands or should', () => {
    expect(readStrictly(reader({ program: 'a', disabled_tools: ['b'] }), WORDS)).toEqual({
      server: {
        id: 'x',
        definition: { command: 'a', tools: { deny: ['b'] } },
        path: ['servers', 'x'],
        at: {
          command: ['servers', 'x', 'program'],
          'tools.allow': ['servers', 'x', 'enabled_tools'],
          'tools.deny': ['servers', 'x', 'disabled_tools'],
        },
      },
      problems: [],
    });
  });

  test('suggests the word that was meant: one spelt alike, or another format’s for the same', () => {
    const known = Object.keys(WORDS);
    const suggested = (key: string): string | undefined => unknownKeyProblem(reader({ [key]: 1 }), key, known).fix;
    expect(suggested('progam')).toBe("Did you mean 'program'?");
    expect(suggested('command')).toBe("Did you mean 'program'?");
    expect(suggested('allowTools')).toBe("Did you mean 'enabled_tools'?");
    expect(suggested('colour')).toBe('Remove it, or check its spelling.');
    expect(unknownSectionKeys({ mcp: { sevrers: 1 } }, ['mcp'], ['servers'])).toEqual([
      {
        path: ['mcp', 'sevrers'],
        message: "Unknown key 'sevrers' in 'mcp'.",
        expected: 'servers',
        fix: "Did you mean 'servers'?",
      },
    ]);
  });

  test('says what on the way to its servers is not an object', () => {
    const broken = (value: unknown): string[] => brokenSection(value, ['mcp', 'servers']).map(one => one.message);
    expect(broken([])).toEqual(['The config is not an object.']);
    expect(broken({ mcp: 1 })).toEqual(["'mcp' is not an object."]);
    expect(broken({ mcp: { servers: null } })).toEqual(["'mcp.servers' is not an object."]);
    expect([broken(undefined), broken({}), broken({ mcp: {} }), broken({ mcp: { servers: {} } })]).toEqual([
      [],
      [],
      [],
      [],
    ]);
  });

  test('writes what it has words for, and what goes without saying needs none', () => {
    const implied = { enabled: true, trust: 'untrusted', mode: 'auto', protocol: 'auto', cwd: undefined };
    const definition = { tools: { allow: ['b'], deny: [] }, command: 'a', ...implied };
    expect(writeWords(definition, WORDS)).toEqual({ program: 'a', enabled_tools: ['b'], disabled_tools: [] });
    expect(writeWords({ tools: { deny: [] } }, {})).toEqual({});
    expect(() => writeWords({ command: 'a', cwd: '/' }, WORDS)).toThrow("it has no key for 'cwd'");
  });
});

test('only what differs is edited', () => {
  const old = { a: 1, b: { c: [1, 2], d: 'x' }, e: null };
  const edits = (value: unknown): unknown => differences(old, { path: ['p'], value });
  expect(edits({ e: null, b: { d: 'x', c: [1, 2] }, a: 1 })).toEqual([]);
  expect(edits({ a: 1, b: { c: [1], d: 'x' }, f: { g: 1 } })).toEqual([
    { path: ['p', 'b', 'c'], value: [1] },
    { path: ['p', 'e'], value: undefined },
    { path: ['p', 'f'], value: { g: 1 } },
  ]);
  expect(edits(undefined)).toEqual([{ path: ['p'], value: undefined }]);
  expect(edits('text')).toEqual([{ path: ['p'], value: 'text' }]);
});
