import { promise } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { describeProblem } from '../../problem.ts';
import type { Edit } from '../document.ts';
import { jsonFormat } from './json.ts';

const value = (text: string): unknown => {
  const read = jsonFormat.read('f.json', text);
  if (!read.ok) return read.problems.map(describeProblem);
  const { value, duplicates = [] } = read.document;
  return duplicates.length > 0 ? duplicates.map(({ problem }) => describeProblem(problem)) : value;
};

describe('reading JSON', () => {
  const rows: readonly [string, unknown][] = [
    ['{"a": 1}', { a: 1 }],
    ['\uFEFF{"a": 1}', { a: 1 }],
    ['{ // one\n "a": [1, 2,], /* two */ }', { a: [1, 2] }],
    ['{"a": "x\\"y:\\\\", "b": {"a": ":"}}', { a: 'x"y:\\', b: { a: ':' } }],
    [
      '{"a\\u0062": 1, "ab": 2}',
      ["f.json:1:16 ab: The key 'ab' stands twice: here and at line 1. Remove or rename one of them."],
    ],
    [
      '{ "s": [{\n "x": 1,\n "x": 2 }] }',
      ["f.json:3:2 s[0].x: The key 'x' stands twice: here and at line 2. Remove or rename one of them."],
    ],
    ['', ['f.json:1:1: The file is empty. Write a config into it, or remove it.']],
    [' \r\n\uFEFF', ['f.json:1:1: The file is empty. Write a config into it, or remove it.']],
    [
      '{ "a": nope,\n "b" 1 }',
      [
        'f.json:1:8: Not valid JSON: invalid symbol at "nope,". Mend the syntax at this place.',
        'f.json:2:6: Not valid JSON: colon expected at "1 }". Mend the syntax at this place.',
      ],
    ],
    ['{ "a": ', ['f.json:1:8: Not valid JSON: value expected at the end. Mend the syntax at this place.']],
    [
      '{\n "a": {\n  b: { "c": 1 } }\n }\n}',
      ['f.json:3:3: Not valid JSON: invalid symbol at "b: { \\"c\\": 1 } }". Mend the syntax at this place.'],
    ],
  ];
  test.each(rows)('%j', (text, wanted) => {
    expect(value(text)).toEqual(wanted);
  });

  test('a key of one escaped character is not taken for another', () => {
    expect(value(String.raw`{"x": 1, "\\": 2}`)).toEqual({ x: 1, '\\': 2 });
    expect(value(String.raw`{"x": 1, "\n": 2}`)).toEqual({ x: 1, '\n': 2 });
  });

  test('finds the place of a path, or of what is nearest to it', () => {
    for (const head of ['', '// head\n']) {
      const read = jsonFormat.read('f.json', `${head}{\n  "servers": {\n    "fs": { "args": ["a", 7] }\n  }\n}\n`);
      const lines = head ? 1 : 0;
      const at = (path: PropertyKey[]) => (read.ok ? read.document.locate(path) : undefined);
      expect(at([])).toEqual({ line: 1 + lines, column: 1 });
      expect(at(['servers', 'fs'])).toEqual({ line: 3 + lines, column: 5 });
      expect(at(['servers', 'fs', 'args', 1])).toEqual({ line: 3 + lines, column: 27 });
      expect(at(['servers', 'fs', 'command'])).toEqual({ line: 3 + lines, column: 5 });
      expect(at(['nothing', 'here'])).toEqual({ line: 1 + lines, column: 1 });
    }
  });
});

const set = (path: Edit['path'], to: unknown): Edit => ({ path, value: to });
const FILE = `{
  // head
  "version": 1, // v
  "servers": {
    // fs server
    "fs": {
      "command": "npx", // launcher
      "args": ["-y", "x"]
    },

    // gh server
    "gh": { "command": "gh" } // tail
    // end
  } // after
}
`;

describe('editing JSON', () => {
  const rows: readonly [string, string, Edit[], string][] = [
    [
      'adds to a file with nothing in it',
      '',
      [set(['a', 'b'], { c: [1] })],
      '{\n  "a": {\n    "b": {\n      "c": [1]\n    }\n  }\n}\n',
    ],
    ['adds to one line', '{"a":1}', [set(['b'], { c: [1] })], '{"a":1, "b": { "c": [1] }}'],
    [
      'keeps tabs, CRLF and a byte order mark',
      '\uFEFF{\r\n\t"a": 1\r\n}',
      [set(['b'], { c: 2 })],
      '\uFEFF{\r\n\t"a": 1,\r\n\t"b": {\r\n\t\t"c": 2\r\n\t}\r\n}',
    ],
    [
      'writes lists as the file does',
      '{\n  "a": [\n    1\n  ]\n}',
      [set(['b'], ['x'])],
      '{\n  "a": [\n    1\n  ],\n  "b": [\n    "x"\n  ]\n}',
    ],
    ['keeps a trailing comma', '{\n  "a": 1, // c\n}', [set(['b'], 2)], '{\n  "a": 1, // c\n  "b": 2,\n}'],
    [
      'removes the last with a comment before it',
      '{ "a": 1, // c\n  "b": 2 }',
      [set(['b'], undefined)],
      '{ "a": 1 // c\n }',
    ],
    ['removes the first', '{ "a": 1, /* c */ "b": 2 }', [set(['a'], undefined)], '{ /* c */ "b": 2 }'],
    ['removes the only one', '{\n  "a": 1\n}\n', [set(['a'], undefined)], '{}\n'],
    ['removes from the middle of a list', '[1, /* x */ 2, 3]', [set([1], undefined)], '[1, /* x */ 3]'],
    ['leaves alone what is not there', '{ "a": 1 }', [set(['b', 'c'], undefined), set(['a'], 1)], '{ "a": 1 }'],
    ['puts an object where null was', '{ "a": null }', [set(['a', 'b'], 1)], '{ "a": { "b": 1 } }'],
    ['replaces everything', '{ "a": 1 /* c */, "b": 2 }', [set([], { a: 3 })], '{ "a": 3 /* c */ }'],
  ];
  test.each(rows)('%s', (_title, before, edits, after) => {
    expect(jsonFormat.edit(before, edits)).toBe(after);
  });

  promise('1.5b', 'keeps the comments and the order of a file', () => {
    const added = jsonFormat.edit(FILE, [set(['servers', 'new'], { command: 'n', env: { A: '1' } })]);
    const lines = '    "new": {\n      "command": "n",\n      "env": {\n        "A": "1"\n      }\n    }\n';
    expect(added).toBe(FILE.replace('"gh" } // tail\n', `"gh" }, // tail\n${lines}`));
    const changed = jsonFormat.edit(FILE, [set(['servers', 'fs'], { command: 'node', args: ['-y', 'y', 'z'] })]);
    expect(changed).toBe(FILE.replace('"npx"', '"node"').replace('"x"]', '"y", "z"]'));
    const removed = jsonFormat.edit(FILE, [set(['servers', 'gh'], undefined)]);
    expect(removed).toBe(FILE.replace('    "gh": { "command": "gh" } // tail\n', '').replace('},\n\n', '}\n\n'));
  });
});
