/** Commands that Junctor has people type: they exist, start this program, and mean the same hub and files. */
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { JUNCTOR, junctor, makeHome, promise, ROOT } from '@junctor/testkit';
import { expect } from 'vitest';

const SYSTEM = '/usr/local/bin:/usr/bin:/bin';

promise('8.2e', 'a message starts the program as it can be started there', async () => {
  await using home = await makeHome();
  mkdirSync(join(ROOT, '.reports'), { recursive: true });
  const inClone = mkdtempSync(join(ROOT, '.reports', 'typed-'));
  const step = async (cwd: string, env: Record<string, string>) => {
    const { stderr } = await junctor(home, ['mcp', 'call', 'nobody', 'x', '--data', home.data], { cwd, env });
    return stderr.trimEnd().split('\n').at(-1);
  };
  const says = (program: string) =>
    `  try: add one: ${program} mcp add --data ${home.data}; or copy those of your agents: ${program} mcp import --data ${home.data}`;
  try {
    // npm has its programs in PATH for the time of one command: the next one is typed without them.
    const byNpm = { PATH: `${join(ROOT, 'node_modules', '.bin')}:${SYSTEM}`, npm_execpath: '/usr/bin/npm-cli.js' };
    expect(await step(inClone, byNpm)).toBe(says('npx junctor'));
    expect(await step(home.project, byNpm)).toBe(says(`npx --prefix ${ROOT} junctor`));
    await home.write('bin/empty', '');
    await symlink(JUNCTOR, join(home.path, 'bin', 'junctor'));
    const installed = { PATH: `${join(home.path, 'bin')}:${SYSTEM}` };
    expect(await step(home.project, installed)).toBe(says('junctor'));
    // Another program of this name is not this one.
    await home.write('other/junctor', '#!/bin/sh\n');
    const other = { PATH: `${join(home.path, 'other')}:${installed.PATH}` };
    expect(await step(home.project, other)).toBe(says(`npx --prefix ${ROOT} junctor`));
  } finally {
    rmSync(inClone, { recursive: true });
  }
});

promise('8.2f', 'every command that a text, a page or a document names exists', async () => {
  await using home = await makeHome();
  const { stdout } = await junctor(home, ['--help']);
  const names = new Set([...stdout.matchAll(/^ {2}([a-z-]+(?: [a-z-]+)?)(?= |$)/gm)].map(([, name]) => name as string));
  expect(names.size).toBeGreaterThan(40);
  const groups = new Set([...names].map(name => name.split(' ')[0] as string));
  const files = globSync(['packages/*/src/**/*.{ts,tsx}', 'docs/*.md', 'README.md'], { cwd: ROOT });
  const unknown = files
    .filter(file => !file.endsWith('.test.ts'))
    .flatMap(file => namedIn(readFileSync(join(ROOT, file), 'utf8'), groups).map(name => [file, name] as const))
    .filter(([, name]) => !names.has(name));
  expect(unknown).toEqual([]);
});

/** `junctor mcp call`, and the same words where a page or a message has them composed. */
function namedIn(text: string, groups: ReadonlySet<string>): string[] {
  const typed = [...text.matchAll(/(?<![\w./@-])junctor ([a-z][a-z-]*)(?: ([a-z][a-z-]*))?/g)];
  const composed = [...text.matchAll(/(?:words=["{`]+|\bcommand\(`|\.line\(['`])([a-z][a-z-]*)(?: ([a-z][a-z-]*))?/g)];
  return [...typed, ...composed].flatMap(([, first = '', second]) => {
    // Prose, or a word that is filled in.
    if (!groups.has(first) || (TWO_WORDS.has(first) && second === undefined)) return [];
    return [TWO_WORDS.has(first) ? `${first} ${second}` : first];
  });
}

/** Groups that are no command by themselves: whatever follows is one. */
const TWO_WORDS = new Set(['mcp', 'auth', 'secret']);
