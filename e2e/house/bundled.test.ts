/** Programs that are deployed with the library inside a bundle, or with the files that a tracer finds: both work alone. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { promise, ROOT, testServer, trusted } from '@junctor/testkit';
import { rolldown } from 'rolldown';
import { describe, expect, test } from 'vitest';

/** It calls, fails and parses, each of which loads parts that a start does without. */
const PROGRAM = `
  import { createHost, isJunctorError, parseMcpConfig } from '@junctor/core';
  const config = { version: 1, servers: JSON.parse(process.argv[2]) };
  const host = await createHost({ config });
  const { output } = await host.call('mcp__demo__echo', { text: 'hello' });
  const missing = await host.call('mcp__demo__nothing_like_it').catch(({ code }) => code);
  const servers = Object.keys(parseMcpConfig(config).servers);
  let code;
  try {
    parseMcpConfig({ version: 1, servers: { bad: {} } });
  } catch (error) {
    code = isJunctorError(error, 'config_invalid');
  }
  await host.close();
  console.log(JSON.stringify([output, missing, servers, code]));
`;
const SAID = ['hello', 'tool_not_found', ['demo'], true];
const CORE = join(ROOT, 'packages', 'core');

/** In the root of the workspace, where the package is found as it is published: by the conditions that bundlers ask for. */
const virtual = {
  name: 'program',
  resolveId: (id: string) => (id === 'program' ? join(ROOT, 'program.js') : undefined),
  load: (id: string) => (id === join(ROOT, 'program.js') ? PROGRAM : undefined),
};

function withFolder<T>(use: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'deployed-'));
  const done = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    const result = use(folder);
    if (result instanceof Promise) return result.finally(done) as T;
    done();
    return result;
  } catch (error) {
    done();
    throw error;
  }
}

function run(file: string): unknown {
  const servers = JSON.stringify({ demo: trusted(testServer()) });
  return JSON.parse(execFileSync(process.execPath, [file, servers], { cwd: dirname(file), encoding: 'utf8' }));
}

describe('the library inside the bundle of a program', () => {
  test.each([
    ['of many files', {}, {}],
    ['of one file', {}, { codeSplitting: false }],
    ['built with conditions of its own', { resolve: { conditionNames: ['own', 'import', 'default'] } }, {}],
  ])('%s works, native parts left out', (_, input, output) =>
    withFolder(async folder => {
      const build = await rolldown({
        input: 'program',
        platform: 'node',
        plugins: [virtual],
        logLevel: 'silent',
        ...input,
      });
      const names = { entryFileNames: 'program.mjs', chunkFileNames: '[name]-[hash].mjs' };
      const { output: written } = await build.write({ dir: join(folder, 'built'), format: 'esm', ...names, ...output });
      await build.close();
      const single = 'codeSplitting' in output;
      // rolldown leaves a second file of doors that the program never opens: the first is the whole program.
      if (single) cpSync(join(folder, 'built', 'program.mjs'), join(folder, 'alone', 'program.mjs'));
      expect(run(join(folder, single ? 'alone' : 'built', 'program.mjs'))).toEqual(SAID);
      expect(written.length).toBeGreaterThan(0);
    }),
  );
});

/** Everything that a file names literally: what tracers copy, and all that they can know of. */
function namedFrom(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  if (!/\.c?js$/.test(file)) return found;
  const text = readFileSync(file, 'utf8');
  const literal = /(?:\bfrom|\bimport|\bimport\(|\brequire\(|\bnew URL\()\s*["'`](\.{1,2}\/[^"'`]+)["'`]/g;
  for (const [, target] of text.matchAll(literal)) namedFrom(join(dirname(file), String(target)), found);
  return found;
}

promise('12.7a', 'a program works with nothing but the files that its imports name, as file tracers deploy it', () =>
  withFolder(folder => {
    const there = join(folder, 'node_modules', '@junctor', 'core');
    const files = [join(CORE, 'package.json'), ...namedFrom(join(CORE, 'dist', 'index.js'))];
    for (const file of files) {
      mkdirSync(dirname(join(there, relative(CORE, file))), { recursive: true });
      cpSync(file, join(there, relative(CORE, file)));
    }
    expect(files.map(file => relative(CORE, file))).toContain(join('data', 'word-vectors.bin'));
    writeFileSync(join(folder, 'program.mjs'), PROGRAM);
    expect(run(join(folder, 'program.mjs'))).toEqual(SAID);
  }),
);
