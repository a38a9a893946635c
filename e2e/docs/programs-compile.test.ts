/** Whoever copies a program of a page into a strict project can compile it. */
import { spawnSync } from 'node:child_process';
import { globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '@junctor/testkit';
import { expect, test } from 'vitest';
import { blocksOf, makeFolder } from './run-page.ts';

const STRICT = {
  target: 'esnext',
  module: 'nodenext',
  types: ['node'],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  erasableSyntaxOnly: true,
  allowImportingTsExtensions: true,
  noEmit: true,
  // The types of the AI SDK do not hold so strictly.
  skipLibCheck: true,
};

test('the programs of README.md and of all pages compile, as strictly as the compiler can', () => {
  using folder = makeFolder();
  const files = ['README.md', ...globSync('docs/*.md', { cwd: ROOT })].flatMap(page =>
    blocksOf(page, 'ts').map(({ text }, index) => {
      const file = `${page.replace(/\W/g, '-')}-${index}.ts`;
      writeFileSync(join(folder.path, file), text);
      return file;
    }),
  );
  expect(files.length).toBeGreaterThan(20);
  writeFileSync(join(folder.path, 'package.json'), JSON.stringify({ type: 'module' }));
  writeFileSync(join(folder.path, 'tsconfig.json'), JSON.stringify({ compilerOptions: STRICT, files }));
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder.path], { encoding: 'utf8' });
  expect(stdout).toBe('');
});
