import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { MOST_BYTES, PICTURES } from '../web/screenshots/pictures.ts';

const FOLDER = join(ROOT, 'docs', 'images');

/** Every picture that a document shows. */
function shown(): string[] {
  const pages = ['README.md', ...globSync('docs/**/*.md', { cwd: ROOT })];
  return pages.flatMap(page =>
    [...readFileSync(join(ROOT, page), 'utf8').matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(([, link = '']) =>
      join(ROOT, dirname(page), link),
    ),
  );
}

describe('pictures in the documents', () => {
  test('exist, are small, and are those that npm run screenshots takes', () => {
    const named = PICTURES.map(({ name }) => `${name}.png`).sort();
    expect(readdirSync(FOLDER).sort()).toEqual(named);
    expect(shown().filter(file => !existsSync(file))).toEqual([]);
    expect(named.filter(name => !shown().includes(join(FOLDER, name)))).toEqual([]);
    expect(named.filter(name => statSync(join(FOLDER, name)).size > MOST_BYTES)).toEqual([]);
  });
});
