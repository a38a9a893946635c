/** What holds for every notation alike. */
import { promise } from '@junctor/testkit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isJunctorError } from '../../base/error.ts';
import { describeProblem } from '../problem.ts';
import { withEdit } from './changes.ts';
import type { Edit, FormatName, Path, TextFormat } from './document.ts';
import { loadFormat } from './format.ts';

const NAMES: readonly FormatName[] = ['json', 'yaml', 'toml'];
const formats = await Promise.all(NAMES.map(loadFormat));

function readValue(format: TextFormat, text: string): unknown {
  if (text.trim() === '') return {};
  const read = format.read('f', text);
  if (!read.ok) throw new Error(`${read.problems.map(describeProblem).join('\n')}\n${text}`);
  return plain(read.document.value);
}

/** Prototypes and the sign of zero do not count. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value === 0 ? 0 : value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}

function problemsOf(format: TextFormat, text: string): string[] {
  const read = format.read('f', text);
  const problems = read.ok ? (read.document.duplicates ?? []).map(({ problem }) => problem) : read.problems;
  return problems.map(describeProblem);
}

describe.each(formats.map(format => [format.name, format] as const))('%s', (name, format) => {
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 12 }).map(text => text.toWellFormed()),
    fc.constantFrom(
      '',
      ' ',
      'yes',
      '1',
      '1e3',
      'null',
      '~',
      '# c',
      '// c',
      'a: b',
      '- a',
      '${X}',
      '"',
      "'",
      '\\',
      '\n',
      '\r\n',
      '---',
      '=',
      '<<',
      '\ufeff',
      '\u2028',
      '{}',
      '[',
      '2001-01-01',
      '__proto__',
    ),
  );
  const keys = fc.oneof(fc.constantFrom('a', 'b', 'env', 'x.y', 'd e', '0', '__proto__', 'constructor', '<<'), texts);
  const leaves = fc.oneof(
    texts,
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    ...(name === 'toml' ? [] : [fc.constant(null)]),
  );
  const { values } = fc.letrec<{ values: unknown }>(tie => ({
    values: fc.oneof(
      { maxDepth: 3 },
      leaves,
      fc.array(tie('values'), { maxLength: 3 }),
      fc.dictionary(keys, tie('values'), { maxKeys: 4, noNullPrototype: false }),
    ),
  }));
  const configs = fc.dictionary(keys, values, { minKeys: 1, maxKeys: 4 });

  promise('1.5a', 'any value that is written is read back the same', () => {
    fc.assert(
      fc.property(configs, config => {
        const text = format.edit(format.empty, [{ path: [], value: config }]);
        expect(readValue(format, text)).toEqual(plain(config));
      }),
      { numRuns: 300 },
    );
  });

  promise(
    ['1.5b', '1.5c', '1.5d'],
    'an edit changes one thing: other values, comments, order and line ends stay',
    () => {
      fc.assert(
        fc.property(
          configs,
          values,
          fc.nat(),
          fc.infiniteStream(fc.nat(9)),
          fc.boolean(),
          (config, value, pick, dice, crlf) => {
            const lines = withComments(format, format.edit(format.empty, [{ path: [], value: config }]), dice);
            const text = lines.join(crlf ? '\r\n' : '\n');
            const before = readValue(format, text);
            expect(before).toEqual(plain(config));
            const paths = pathsIn(config);
            const path = paths[pick % paths.length] ?? [];
            // A list gets one more of what it holds: TOML has another notation for lists of tables.
            const more =
              typeof path.at(-1) === 'number'
                ? path.reduce((inner, step) => (inner as never)[step], config as unknown)
                : value;
            const inserted = [...path.slice(0, -1), typeof path.at(-1) === 'number' ? 1e6 : 'a new key'];
            const added = format.edit(text, [{ path: inserted, value: more }]);
            expect(readValue(format, added)).toEqual(plain(withEdit(config, { path: inserted, value: more })));
            expect(commentsIn(added)).toEqual(commentsIn(text));
            const replaced = format.edit(text, [{ path, value: 'new' }]);
            expect(readValue(format, replaced)).toEqual(plain(withEdit(config, { path, value: 'new' })));
            const removed = format.edit(text, [{ path, value: undefined }]);
            expect(withoutEmpty(readValue(format, removed))).toEqual(
              withoutEmpty(plain(withEdit(config, { path, value: undefined }))),
            );
            const read = format.read('f', text);
            const line = read.ok ? read.document.locate(path).line : 0;
            const above = commentsIn(lines.slice(0, line - 1).join('\n'));
            expect(commentsIn(removed)).toEqual(expect.arrayContaining(above));
            for (const edited of [added, replaced, removed]) expect(/(^|[^\r])\n/.test(edited) && crlf).toBe(false);
          },
        ),
        { numRuns: 150 },
      );
    },
  );

  test('a value with very many changes is written anew', () => {
    const numbers = (offset: number): number[] => Array.from({ length: 200 }, (_, index) => index + offset);
    const text = format.edit('', [{ path: ['a'], value: { list: numbers(0), b: 1 } }]);
    expect(readValue(format, format.edit(text, [{ path: ['a', 'list'], value: numbers(1000) }]))).toEqual({
      a: { list: numbers(1000), b: 1 },
    });
  });

  test('no text makes reading crash', () => {
    const fragments = fc.constantFrom(
      'a',
      '"',
      "'",
      ': ',
      ' = ',
      '=',
      '{',
      '}',
      '[',
      ']',
      ',',
      '\n',
      '\r\n',
      '\n  ',
      '- ',
      '# ',
      '//',
      '/*',
      '&x ',
      '*x',
      '<<: ',
      '|',
      '> ',
      '? ',
      '!!t ',
      '.',
      '[[',
      ']]',
      '"""',
      '1979-05-27',
      '0x',
      '\\',
      '\t',
      '\0',
      '\ufffd',
      '---\n',
      '%',
    );
    const anything = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(fragments, { maxLength: 20 }).map(parts => parts.join('')),
    );
    fc.assert(
      fc.property(anything, text => {
        const read = format.read('f', text);
        if (read.ok) expect(read.document.locate(['a', 0, 'b']).line).toBeGreaterThan(0);
        else expect(read.problems.length).toBeGreaterThan(0);
        try {
          format.edit(text, [{ path: ['new'], value: 1 }]);
        } catch (error) {
          expect(isJunctorError(error)).toBe(true);
        }
      }),
      { numRuns: 1000 },
    );
  });

  promise('1.3c', 'a key that stands twice is told with both places', () => {
    const twice = {
      json: '{\n "s": {\n  "a": 1,\n  "a": 2 } }',
      yaml: 's:\n  b: 1\n  a: 1\n  a: 2\n',
      toml: '[s]\n\na = 1\na = 2\n',
    }[name];
    expect(problemsOf(format, twice)).toEqual([
      expect.stringMatching(/^f:4:\d s\.a: The key 'a' stands twice: here and at line 3\./),
    ]);
  });

  test('a key named __proto__ is data', () => {
    const text = {
      json: '{"__proto__": {"polluted": 1}, "a": {"__proto__": 2}} // c',
      yaml: '__proto__: {polluted: 1}\na: {__proto__: 2}',
      toml: '[__proto__]\npolluted = 1\n[a]\n__proto__ = 2',
    }[name];
    const read = format.read('f', text);
    const value = (read.ok ? read.document.value : {}) as Record<string, object>;
    expect(Object.keys(value)).toEqual(['__proto__', 'a']);
    expect(Object.entries(value.a ?? {})).toEqual([['__proto__', 2]]);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  test('deep nesting, a large file and another encoding are one clear problem each', () => {
    const key = { json: '', yaml: 'a: ', toml: 'a = ' }[name];
    for (const levels of [150, 10_000]) {
      const deep = `${key}${'['.repeat(levels)}${']'.repeat(levels)}`;
      expect(problemsOf(format, deep)).toEqual([expect.stringContaining('Nested more than 100 levels deep.')]);
      expect(() => format.edit(deep, [{ path: ['b'], value: 1 }])).toThrow(/cannot be edited/);
    }
    const large = `${key}"${'x'.repeat(50 * 2 ** 20)}"`;
    if (name === 'json') expect(problemsOf(format, large)).toEqual([]);
    else
      expect(problemsOf(format, large)).toEqual([
        'f: The file is too large for a config: 51 MiB. Check that it is the right file.',
      ]);
    const utf16 = Buffer.from(`\ufeff${key}"x"`, 'utf16le').toString('utf8');
    expect(problemsOf(format, utf16)).toEqual(['f:1:1: The file is not UTF-8 text. Save it in the encoding UTF-8.']);
    expect(readValue(format, { json: '{"a": "\ufffd"}', yaml: 'a: \ufffd', toml: 'a = "\ufffd"' }[name])).toEqual({
      a: '\ufffd',
    });
  });

  test('what cannot be edited says why, and is left alone', () => {
    const broken = { json: '{ "a": }', yaml: 'a: "x', toml: 'a = ' }[name];
    const thrown = (text: string, edit: Edit): unknown => {
      try {
        return format.edit(text, [edit]);
      } catch (error) {
        return error;
      }
    };
    expect(thrown(broken, { path: ['b'], value: 1 })).toMatchObject({
      code: 'config_unreadable',
      why: expect.stringMatching(/^line 1, column \d: /),
    });
    const text = { json: '{"a": 1}', yaml: 'a: 1', toml: 'a = 1' }[name];
    expect(thrown(text, { path: ['a', 'b'], value: 1 })).toMatchObject({
      code: 'config_conflict',
      message: 'Cannot write a.b: a holds a number.',
    });
    expect(thrown(text, { path: ['b'], value: () => 1 })).toMatchObject({ code: 'config_invalid' });
  });
});

/** Comments in lines of their own, behind lines, and blank lines, as the dice fall. */
function withComments(format: TextFormat, text: string, dice: Iterator<number>): string[] {
  const mark = format.name === 'json' ? '//' : '#';
  let count = 0;
  const comment = (): string => `${mark} c${count++}.`;
  const roll = (): number => dice.next().value ?? 9;
  return text.split('\n').flatMap((line, index, all) => {
    const indentation = /^ */.exec(line)?.[0] ?? '';
    const above = roll() < 2 ? [indentation + comment()] : roll() < 1 ? [''] : [];
    return [...above, roll() < 2 && line && index < all.length - 1 ? `${line} ${comment()}` : line];
  });
}

function commentsIn(text: string): string[] {
  return [...text.matchAll(/(?:#|\/\/) c\d+\./g)].map(match => match[0]).toSorted();
}

function pathsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const steps: [string | number, unknown][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  const below = steps.flatMap(([step, item]) => pathsIn(item, [...path, step]));
  return path.length === 0 ? below : [path, ...below];
}

/** In TOML a table may be gone with the last thing in it. */
function withoutEmpty(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutEmpty);
  const kept = Object.entries(value).map(([key, item]) => [key, withoutEmpty(item)] as const);
  return Object.fromEntries(
    kept.filter(([, item]) => typeof item !== 'object' || item === null || Object.keys(item).length > 0),
  );
}
