/** Editors show what stands above a name: nobody who uses the library should have to open its source. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { ROOT } from '@junctor/testkit';
import { expect, test } from 'vitest';

const ENTRIES = [
  'core/src/index.ts',
  ...['ai-sdk', 'anthropic', 'gemini', 'openai'].map(name => `adapters/src/${name}.ts`),
];

/** Names in braces, by the file they come from: of `export { a, type b } from './c.ts'`, and of imports. */
function named(text: string, word: 'export' | 'import', file: string): Map<string, string> {
  const lists = text.matchAll(new RegExp(`^${word} (?:type )?\\{([^}]*)\\} from '(\\.[^']+)'`, 'gm'));
  return new Map(
    [...lists].flatMap(([, names = '', from = '']) =>
      names.split(',').flatMap(name => {
        const own = name.replace('type ', '').trim();
        return own === '' ? [] : [[own, join(dirname(file), from)] as const];
      }),
    ),
  );
}

const DECLARATION = /^export (?:abstract )?(?:async )?(?:interface|class|type|function|const) (\w+)/;
const MEMBER = /^ {2}(?:(?:readonly|declare|async|get|static|override) )*([a-z]\w*)\??[:(<]/;
const INSIDE = /^ {2}(?:protected|private|abstract|constructor|override readonly name)/;

/** What has no comment above it, of one name of one file and of what it extends there or elsewhere. */
function silent(name: string, file: string, seen: Set<string>): string[] {
  if (seen.has(`${file} ${name}`) || !existsSync(file)) return [];
  seen.add(`${file} ${name}`);
  const text = readFileSync(file, 'utf8');
  const elsewhere = named(text, 'export', file).get(name);
  if (elsewhere !== undefined) return silent(name, elsewhere, seen);
  const lines = text.split('\n');
  const at = lines.findIndex(line => DECLARATION.exec(line)?.[1] === name);
  if (at < 0) return [];
  const where = `${relative(ROOT, file)}: ${name}`;
  const commented = (index: number): boolean => /\*\/$|^\/\/ biome-ignore/.test(lines[index - 1] ?? '');
  const found = commented(at) ? [] : [where];
  if (!/ (?:interface|class) /.test(lines[at] ?? '')) return found;
  const open = lines.findIndex((line, index) => index >= at && line.endsWith('{'));
  const close = lines.findIndex((line, index) => index >= open && /^\}|\{\}$/.test(line));
  const imports = named(text, 'import', file);
  const parents = [
    ...lines
      .slice(at, open + 1)
      .join(' ')
      .matchAll(/\b[A-Z]\w+/g),
  ].map(([word]) => word);
  return [
    ...found,
    ...lines.slice(open + 1, close).flatMap((line, index) => {
      const member = INSIDE.test(line) ? undefined : MEMBER.exec(line)?.[1];
      return member === undefined || commented(open + 1 + index) ? [] : [`${where}.${member}`];
    }),
    ...parents.flatMap(parent => silent(parent, imports.get(parent) ?? file, seen)),
  ];
}

test('every name that the library and the adapters offer, and every member of it, has a comment', () => {
  const seen = new Set<string>();
  const found = ENTRIES.flatMap(entry => {
    const file = join(ROOT, 'packages', entry);
    return [...named(readFileSync(file, 'utf8'), 'export', file)].flatMap(([name, from]) => silent(name, from, seen));
  });
  expect(seen.size).toBeGreaterThan(100);
  expect(found).toEqual([]);
});
