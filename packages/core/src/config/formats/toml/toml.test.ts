import { promise } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { isJunctorError } from '../../../base/error.ts';
import { describeProblem } from '../../problem.ts';
import type { Edit } from '../document.ts';
import { tomlFormat } from './toml.ts';

const value = (text: string): unknown => {
  const read = tomlFormat.read('f.toml', text);
  if (!read.ok) return read.problems.map(describeProblem);
  const { value, duplicates = [] } = read.document;
  return duplicates.length > 0 ? duplicates.map(({ problem }) => describeProblem(problem)) : value;
};
const twice = (place: string, path: string, key: string, line: number): string[] => [
  `f.toml:${place} ${path}: The key '${key}' stands twice: here and at line ${line}. Remove or rename one of them.`,
];

describe('reading TOML', () => {
  const rows: readonly [string, unknown][] = [
    ['a = 1 # c\n"b c".d = [1, 2.5, # in\n  { x = true }, ]\n', { a: 1, 'b c': { d: [1, 2.5, { x: true }] } }],
    ['\uFEFFa = 1\r\n[b]\r\nc = 2\r\n', { a: 1, b: { c: 2 } }],
    ['[[l]]\nn = 1\n[l.sub]\nk = 1\n[[l]]\nn = 2\n', { l: [{ n: 1, sub: { k: 1 } }, { n: 2 }] }],
    ['[a.b]\nx = 1\n[a]\ny = 2\n', { a: { b: { x: 1 }, y: 2 } }],
    ['[a]\nb.c = 1\n[a.b.d]\ne = 2\n', { a: { b: { c: 1, d: { e: 2 } } } }],
    ['d = 1979-05-27\nt = 1979-05-27 07:32:00Z\n', { d: '1979-05-27', t: '1979-05-27 07:32:00Z' }],
    ['big = 9223372036854775807\nh = 0x1F\nn = nan\n', { big: 2 ** 63, h: 31, n: Number.NaN }],
    ['# nothing yet\n', {}],
    ['', ['f.toml:1:1: The file is empty. Write a config into it, or remove it.']],
    ['a = 1\n\na = 2\n', twice('3:1', 'a', 'a', 1)],
    ['[s.a]\nx = 1\n[s.b]\n[s.a]\n', twice('4:1', 's.a', 'a', 1)],
    ['a = { x = 1, x = 2 }\n', twice('1:14', 'a.x', 'x', 1)],
    ['a.b = 1\n[a]\nc = 1\n', twice('2:1', 'a', 'a', 1)],
    ['a = { b = 1 }\n[a.c]\n', twice('2:1', 'a', 'a', 1)],
    ['a = [1]\n[[a]]\n', twice('2:1', 'a', 'a', 1)],
    ['[a.b]\n[a]\nb.c = 1\n', twice('3:1', 'a.b', 'b', 1)],
    ['a = \n', ['f.toml:1:1: Not valid TOML: expected value, reached EOF. Mend the syntax at this place.']],
    ['a = 1\nb = "x\n', [expect.stringMatching(/^f\.toml:2:\d+: Not valid TOML: /)]],
  ];
  test.each(rows)('%j', (text, wanted) => {
    expect(value(text)).toEqual(wanted);
  });

  test('finds the place of a path, or of what is nearest to it', () => {
    const read = tomlFormat.read(
      'f.toml',
      '# head\n[servers.fs]\nargs = ["a", 7]\nenv.A = "1"\n\n[[l]]\n[[l]]\n  n = 1\n',
    );
    const at = (...path: PropertyKey[]) => (read.ok ? read.document.locate(path) : undefined);
    expect(at()).toEqual({ line: 1, column: 1 });
    expect(at('servers', 'fs')).toEqual({ line: 2, column: 1 });
    expect(at('servers', 'fs', 'args', 1)).toEqual({ line: 3, column: 14 });
    expect(at('servers', 'fs', 'env', 'A')).toEqual({ line: 4, column: 1 });
    expect(at('servers', 'fs', 'command')).toEqual({ line: 2, column: 1 });
    expect(at('l', 1, 'n')).toEqual({ line: 8, column: 3 });
  });
});

const set = (path: Edit['path'], to: unknown): Edit => ({ path, value: to });
const FILE = `# head
model = "o3"   # best

# filesystem
[mcp_servers.fs]
command = "npx" # launcher
args = [
  "-y", # yes
  'fs',
]
env = { A = "1" }
# cwd = "x"

# github
[mcp_servers.github]   
command = "gh"

[mcp_servers.github.env]
TOKEN = "x"  # secret


# tail
[other]
d = 1979-05-27
a.b.c = 1_000
`;

describe('editing TOML', () => {
  const rows: readonly [string, string, Edit[], string][] = [
    [
      'adds to a file with nothing in it',
      '',
      [set(['v'], 1), set(['s', 'x y'], { c: 'n', env: { A: '1' } })],
      'v = 1\n\n[s."x y"]\nc = "n"\nenv = { A = "1" }\n',
    ],
    ['adds a row before the first table', '# head\n\n# a\n[a]\n', [set(['b'], 1)], '# head\n\nb = 1\n\n# a\n[a]\n'],
    [
      'keeps CRLF, a byte order mark and no last line end',
      '\uFEFF[a]\r\nb = 1 # c',
      [set(['a', 'c'], [1])],
      '\uFEFF[a]\r\nb = 1 # c\r\nc = [1]',
    ],
    [
      'adds to an inline table',
      's = { a = { c = 1 } } # c',
      [set(['s', 'b'], { c: 2 })],
      's = { a = { c = 1 }, b = { c = 2 } } # c',
    ],
    [
      'adds tables as the others are',
      '[s]\na = { c = 1 }\n',
      [set(['s', 'b'], { c: 2 })],
      '[s]\na = { c = 1 }\nb = { c = 2 }\n',
    ],
    [
      'adds beside dotted keys',
      'a.b = 1 # c\n[d]\n',
      [set(['a', 'c'], { d: 2 })],
      'a.b = 1 # c\na.c = { d = 2 }\n[d]\n',
    ],
    [
      'adds to a list of tables',
      '[[l]]\nn = 1\n\n[z]\n',
      [set(['l', 1], { n: 2 })],
      '[[l]]\nn = 1\n\n[[l]]\nn = 2\n\n[z]\n',
    ],
    [
      'adds to one of a list of tables',
      '[[l]]\n[l.s]\n[[l]]\n',
      [set(['l', 0, 's', 'k'], true)],
      '[[l]]\n[l.s]\nk = true\n[[l]]\n',
    ],
    [
      'gives deep tables headers',
      '',
      [set(['a'], { b: { c: { d: { e: 1 } } }, l: [{ x: 1 }, { x: 2 }] })],
      '[a.b.c]\nd = { e = 1 }\n\n[[a.l]]\nx = 1\n\n[[a.l]]\nx = 2\n',
    ],
    [
      'keeps a list in lines',
      'a = [\n  1, # one\n  2\n]\n',
      [set(['a'], [1, 3, 4])],
      'a = [\n  1, # one\n  3,\n  4\n]\n',
    ],
    ['puts a value where tables were', '[a.b]\nx = 1\n\n[c]\n', [set(['a'], 1)], 'a = 1\n\n[c]\n'],
    ['removes the last row of a table', '[a]\nb = 1\n', [set(['a', 'b'], undefined)], '[a]\n'],
    ['removes dotted keys', 'a.b = 1\nx = 1\na.c = 2', [set(['a'], undefined)], 'x = 1'],
    [
      'removes one of a list of tables',
      '[[l]]\nn = 1\n[l.s]\n\n# two\n[[l]]\nn = 2\n',
      [set(['l', 0], undefined)],
      '# two\n[[l]]\nn = 2\n',
    ],
    ['removes everything', '[a]\nb = 1', [set(['a'], undefined)], ''],
    ['escapes', '', [set(['a'], 'x"\\\n\u007f\u0001')], 'a = "x\\"\\\\\\n\\u007f\\u0001"\n'],
    ['leaves alone what is not there', 'a=1\n', [set(['b', 'c'], undefined), set(['a'], 1)], 'a=1\n'],
  ];
  test.each(rows)('%s', (_title, before, edits, after) => {
    expect(tomlFormat.edit(before, edits)).toBe(after);
  });

  promise('1.5c', 'keeps the comments and the order of a file', () => {
    const added = tomlFormat.edit(FILE, [set(['mcp_servers', 'new'], { command: 'n', args: ['a'], env: { A: '1' } })]);
    const lines = '\n[mcp_servers.new]\ncommand = "n"\nargs = ["a"]\nenv = { A = "1" }\n';
    expect(added).toBe(FILE.replace('# secret\n', `# secret\n${lines}`));
    const changed = tomlFormat.edit(FILE, [
      set(['mcp_servers', 'fs'], { command: 'node', args: ['-y', 'y', 'z'], env: { A: '1', 'B b': '2' } }),
      set(['mcp_servers', 'github', 'env', 'TOKEN'], 'y'),
      set(['other'], { d: '1979-05-27', a: { b: { c: 1000 } }, e: false }),
    ]);
    expect(changed).toBe(
      FILE.replace('"npx"', '"node"')
        .replace("'fs',", '"y",\n  "z",')
        .replace('A = "1" }', 'A = "1", "B b" = "2" }')
        .replace('"x"  # secret', '"y"  # secret')
        .replace('1_000\n', '1_000\ne = false\n'),
    );
    const removed = tomlFormat.edit(FILE, [
      set(['mcp_servers', 'fs'], undefined),
      set(['mcp_servers', 'github'], undefined),
    ]);
    expect(removed).toBe(
      '# head\nmodel = "o3"   # best\n\n# filesystem\n\n# github\n\n\n# tail\n[other]\nd = 1979-05-27\na.b.c = 1_000\n',
    );
  });

  test('says what TOML has no words for', () => {
    for (const bad of [null, [null], '\ud800']) {
      const write = () => tomlFormat.edit('', [set(['a'], bad)]);
      expect(write).toThrow(expect.toSatisfy(error => isJunctorError(error, 'config_invalid')));
    }
  });
});
