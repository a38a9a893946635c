import { promise } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { describeProblem } from '../../problem.ts';
import type { Edit } from '../document.ts';
import { yamlFormat } from './yaml.ts';

const value = (text: string): unknown => {
  const read = yamlFormat.read('f.yaml', text);
  if (!read.ok) return read.problems.map(describeProblem);
  const { value, duplicates = [] } = read.document;
  return duplicates.length > 0 ? duplicates.map(({ problem }) => describeProblem(problem)) : value;
};

describe('reading YAML', () => {
  const rows: readonly [string, unknown][] = [
    ['a: 1\nb: [x, "y"] # c\n', { a: 1, b: ['x', 'y'] }],
    ['\uFEFFa: 1\r\nb: 2\r\n', { a: 1, b: 2 }],
    ['{"a": 1}', { a: 1 }],
    ['# nothing yet\n', {}],
    ['---\na: 1\n...\n', { a: 1 }],
    ['a: yes\nb: 2001-12-14\nc: 0o17\nd: ~\n', { a: 'yes', b: '2001-12-14', c: 15, d: null }],
    [
      '%YAML 1.1\n---\na: yes\nb: !!timestamp 2001-12-14\nc: !run x\nd: !!js/function x\n',
      { a: 'yes', b: '2001-12-14', c: 'x', d: 'x' },
    ],
    ['1: a\ntrue: b\n', { '1': 'a', true: 'b' }],
    ['a: &x { k: 1 }\nb: *x\n', { a: { k: 1 }, b: { k: 1 } }],
    [
      'a: &x { k: 1, l: 1 }\nb: { <<: *x, k: 2 }\nc: { <<: [{ m: 3 }, *x] }',
      { a: { k: 1, l: 1 }, b: { k: 2, l: 1 }, c: { m: 3, k: 1, l: 1 } },
    ],
    ['"<<": 1\n', { '<<': 1 }],
    ['', ['f.yaml:1:1: The file is empty. Write a config into it, or remove it.']],
    [
      's:\n  a: 1\n  b: 2\n  "a": 3\n',
      ["f.yaml:4:3 s.a: The key 'a' stands twice: here and at line 2. Remove or rename one of them."],
    ],
    ['1: a\n"1": b\n', ["f.yaml:2:1 1: The key '1' stands twice: here and at line 1. Remove or rename one of them."]],
    [
      'a: 1\n---\nb: 1\n',
      [
        'f.yaml:2:1: Not valid YAML: a config file holds one document, and here another begins. Mend the syntax at this place.',
      ],
    ],
    ['a:\n\tb: 1\n', [expect.stringMatching(/^f\.yaml:2:1: Not valid YAML: tabs are not allowed as indentation\./)]],
    ['a: *x\n', ['f.yaml:1:4: Not valid YAML: the alias *x has no anchor before it. Mend the syntax at this place.']],
    [
      'a: &x [*x]\n',
      ['f.yaml:1:8: Not valid YAML: the alias *x stands inside what it repeats. Mend the syntax at this place.'],
    ],
    [
      '? [a]\n: 1\n',
      ['f.yaml:1:3: Not valid YAML: a key must be a text, not a list or a map. Mend the syntax at this place.'],
    ],
    ['<<: 1\n', ['f.yaml:1:1: Not valid YAML: a merge key needs a map. Mend the syntax at this place.']],
  ];
  test.each(rows)('%j', (text, wanted) => {
    expect(value(text)).toEqual(wanted);
  });

  test('a few aliases that stand for billions of values are refused', () => {
    const bomb = Array.from({ length: 12 }, (_, level) => {
      const items = Array.from({ length: 10 }, () => (level === 0 ? '1' : `*a${level - 1}`));
      return `a${level}: &a${level} [${items.join(', ')}]\n`;
    });
    expect(value(bomb.join(''))).toEqual([expect.stringContaining('aliases repeat more than 10000 values')]);
  });

  test('finds the place of a path, or of what is nearest to it', () => {
    const read = yamlFormat.read(
      'f.yaml',
      '# head\nservers:\n  fs:\n    args:\n      - a\n      - 7\n  gh: &g { url: x }\n  gl: *g\n',
    );
    const at = (...path: PropertyKey[]) => (read.ok ? read.document.locate(path) : undefined);
    expect(at()).toEqual({ line: 2, column: 1 });
    expect(at('servers', 'fs')).toEqual({ line: 3, column: 3 });
    expect(at('servers', 'fs', 'args', 1)).toEqual({ line: 6, column: 9 });
    expect(at('servers', 'fs', 'command')).toEqual({ line: 3, column: 3 });
    expect(at('servers', 'gl', 'url')).toEqual({ line: 7, column: 12 });
  });
});

const set = (path: Edit['path'], to: unknown): Edit => ({ path, value: to });
const FILE = `# head
version: 1   # v
servers: # s
    # fs server
    fs:
        command: 'npx'  # launcher
        args:
        - "-y"
        - x
        # more args?


    # gh server
    gh: { command: gh } # tail
    # end
# after

other:
    - a: 1 # aa
      # cc
      b: 0x10
    - plain
`;

describe('editing YAML', () => {
  const rows: readonly [string, string, Edit[], string][] = [
    [
      'adds to a file with nothing in it',
      '',
      [set(['a', 'b'], { c: [1, { d: 2, e: {} }] })],
      'a:\n  b:\n    c:\n      - 1\n      - d: 2\n        e: {}\n',
    ],
    ['adds to a file of comments', '# c', [set(['a'], 1)], '# c\na: 1\n'],
    [
      'adds under a key with nothing',
      'servers: # none\nb: 1',
      [set(['servers', 'a'], { c: 1 })],
      'servers: # none\n  a:\n    c: 1\nb: 1',
    ],
    [
      'adds to empty brackets',
      'servers: {} # none\n',
      [set(['servers', 'a'], { c: 1 })],
      'servers: # none\n  a:\n    c: 1\n',
    ],
    ['adds to what is JSON', '{\n  "a": 1\n}\n', [set(['b'], { c: 'x' })], '{\n  "a": 1,\n  "b": { "c": "x" }\n}\n'],
    [
      'keeps CRLF and a byte order mark',
      '\uFEFFa: # c\r\n  b: 1',
      [set(['a', 'c'], [1])],
      '\uFEFFa: # c\r\n  b: 1\r\n  c:\r\n    - 1',
    ],
    ['keeps quotes', 'a: \'x\'\nb: "x"\n', [set(['a'], "it's"), set(['b'], 'y')], "a: 'it''s'\nb: \"y\"\n"],
    [
      'quotes what could be mistaken',
      '',
      [set(['a'], ['yes', '1', '', '${X}', '# c', 'a: b', '12:30', '---'])],
      'a:\n  - "yes"\n  - "1"\n  - ""\n  - "${X}"\n  - "# c"\n  - "a: b"\n  - "12:30"\n  - "---"\n',
    ],
    ['replaces a block text', 'a: |\n  x\n  y\nb: 1\n', [set(['a'], 'z')], 'a: z\nb: 1\n'],
    ['writes a list where a text was', 'a: x # c\nb: 1\n', [set(['a'], [1, 2])], 'a: # c\n  - 1\n  - 2\nb: 1\n'],
    ['writes a text where a map was', 'a: # c\n  # d\n  b: 1\nc: 1\n', [set(['a'], 'x')], 'a: x # c\n  # d\nc: 1\n'],
    [
      'removes the last of a map',
      'a: # c\n  # d\n  b: 1\nc: 1\n',
      [set(['a', 'b'], undefined)],
      'a: {} # c\n  # d\nc: 1\n',
    ],
    ['removes the last of a list', 'a:\n- b: 1\n', [set(['a', 0], undefined)], 'a: []\n'],
    ['removes the only key of a file', '# c\na: 1', [set(['a'], undefined)], '# c\n{}'],
    [
      'writes out an alias that must differ',
      'a: &x\n  k: 1\nb: *x\n',
      [set(['b', 'l'], 2)],
      'a: &x\n  k: 1\nb:\n  k: 1\n  l: 2\n',
    ],
    [
      'writes out aliases when what they repeat changes',
      'a: &x\n  k: 1\nb: *x\n',
      [set(['a', 'k'], 2)],
      'a: &x\n  k: 2\nb:\n  k: 1\n',
    ],
    [
      'overrides what a merge key brings',
      'a: &x { k: 1 }\nb:\n  <<: *x\n',
      [set(['b', 'k'], 2)],
      'a: &x { k: 1 }\nb:\n  <<: *x\n  k: 2\n',
    ],
    [
      'writes out a merge key that brings too much',
      'a: &x { k: 1 }\nb:\n  <<: *x\n  l: 1\n',
      [set(['b', 'k'], undefined)],
      'a: &x { k: 1 }\nb:\n  l: 1\n',
    ],
    ['leaves alone what is not there', 'a:   1\n', [set(['b', 'c'], undefined), set(['a'], 1)], 'a:   1\n'],
  ];
  test.each(rows)('%s', (_title, before, edits, after) => {
    expect(yamlFormat.edit(before, edits)).toBe(after);
  });

  promise('1.5d', 'keeps the comments and the order of a file', () => {
    const added = yamlFormat.edit(FILE, [set(['servers', 'new'], { command: 'new', args: ['a'], env: { A: '1' } })]);
    const lines = '    new:\n        command: new\n        args:\n            - a\n        env:\n            A: "1"\n';
    expect(added).toBe(FILE.replace('    # end\n', `    # end\n${lines}`));
    const changed = yamlFormat.edit(FILE, [set(['servers', 'fs'], { command: 'node', args: ['-y', 'w', 'z'] })]);
    expect(changed).toBe(
      FILE.replace("'npx'", "'node'")
        .replace('- x\n', '- w\n')
        .replace('        # more args?\n', '        # more args?\n        - z\n'),
    );
    const removed = yamlFormat.edit(FILE, [set(['servers', 'fs'], undefined)]);
    expect(removed).toBe(FILE.replace(/ {4}fs:[\s\S]*# more args\?\n/, ''));
    const inList = yamlFormat.edit(FILE, [set(['other', 0, 'a'], undefined), set(['other', 1], undefined)]);
    expect(inList).toBe(FILE.replace('- a: 1 # aa\n      # cc', '- # cc').replace('    - plain\n', ''));
  });
});
