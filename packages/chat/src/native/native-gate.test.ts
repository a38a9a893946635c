import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FileChanges } from './change-file.ts';
import { NativeGate } from './native-gate.ts';
import type { NativeName } from './native-tool.ts';
import { NATIVE_TOOLS } from './native-tools.ts';

let cwd: string;
let around: string;

beforeAll(async () => {
  around = await mkdtemp(join(tmpdir(), 'gate-'));
  cwd = join(around, 'work');
  await mkdir(join(cwd, 'src'), { recursive: true });
  await writeFile(join(around, 'outside.txt'), 'secret words');
  await writeFile(join(cwd, 'src', 'a.txt'), 'secret words');
  await writeFile(join(cwd, '.env'), 'KEY=secret words');
  await symlink(around, join(cwd, 'up'));
});

afterAll(() => rm(around, { recursive: true }));

const tool = (name: NativeName) => NATIVE_TOOLS.find(one => one.name === name) as (typeof NATIVE_TOOLS)[number];

async function effect(name: NativeName, args: object, permissions = {}, servers: string[] = []): Promise<string> {
  const gate = new NativeGate(permissions, NATIVE_TOOLS, servers);
  return (await gate.judge(tool(name), args as Record<string, unknown>, cwd)).effect;
}

describe('without a rule', () => {
  test.each<[NativeName, object, string]>([
    ['read', { path: 'src/a.txt' }, 'allow'],
    ['list', {}, 'allow'],
    ['search', { pattern: 'x' }, 'allow'],
    ['read', { path: '../outside.txt' }, 'ask'],
    ['read', { path: '/etc/passwd' }, 'ask'],
    ['read', { path: 'up/outside.txt' }, 'ask'],
    ['read', { path: '.env' }, 'ask'],
    ['read', { path: 'src/../.env.local' }, 'ask'],
    ['read', { path: '.git-credentials' }, 'ask'],
    ['read', { path: 'keys/id_ed25519' }, 'ask'],
    ['read', { path: 'keys/id_rsa.pub' }, 'allow'],
    ['read', { path: '.kube/config' }, 'ask'],
    ['read', { path: '.docker/config.json' }, 'ask'],
    ['read', { path: 'gcp-credentials.json' }, 'ask'],
    ['read', { path: 'src/credentials.ts' }, 'allow'],
    ['search', { pattern: 'x', path: '..' }, 'ask'],
    ['write', { path: 'src/b.txt', content: '' }, 'ask'],
    ['edit', { path: 'src/a.txt', old: 'a', new: 'b' }, 'ask'],
    ['shell', { command: 'ls' }, 'ask'],
  ])('%s %j is judged %s', async (name, args, expected) => {
    expect(await effect(name, args)).toBe(expected);
  });
});

describe('with rules', () => {
  const permissions = {
    allow: ['write(path=src/**)', 'shell(command=git **)', 'mcp__*'],
    ask: ['list'],
    deny: ['read(path=src/secret*)'],
  };

  test.each<[NativeName, object, string]>([
    ['write', { path: 'src/deep/b.txt' }, 'allow'],
    ['write', { path: './src/b.txt' }, 'allow'],
    ['write', { path: 'src/../b.txt' }, 'ask'],
    ['write', { path: 'up/src/b.txt' }, 'ask'],
    ['shell', { command: 'git log -3' }, 'allow'],
    ['shell', { command: 'git log; rm -rf .' }, 'ask'],
    ['shell', { command: 'git log $(rm x)' }, 'ask'],
    ['shell', { command: 'git log\nrm x' }, 'ask'],
    ['shell', { command: 'rm x' }, 'ask'],
    ['shell', { command: 'git diff --stat --oneline HEAD~1' }, 'allow'],
    ['shell', { command: 'git commit --all --message done' }, 'allow'],
    ['list', {}, 'ask'],
    ['read', { path: 'src/secrets.txt' }, 'deny'],
    ['edit', { path: 'src/a.txt' }, 'ask'],
  ])('%s %j is judged %s', async (name, args, expected) => {
    expect(await effect(name, args, permissions)).toBe(expected);
  });

  test('a rule for one program is asked about where its options can start another', async () => {
    for (const command of [
      'git -c alias.x=!id x',
      "git '-c' core.pager=id log",
      'git --exec-path=. status',
      'git fetch --upload-p=./x origin',
      'git grep -O./x needle',
      'git rebase -x id main',
      'git fetch ext::id',
      'git config core.pager id',
      'git bisect run id',
    ])
      expect([command, await effect('shell', { command }, permissions)]).toEqual([command, 'ask']);
  });

  test('a rule that could as well mean a server of this name allows nothing here, but denies', async () => {
    expect(await effect('shell', { command: 'ls' }, { allow: ['shell'] })).toBe('allow');
    expect(await effect('shell', { command: 'ls' }, { allow: ['shell'] }, ['shell'])).toBe('ask');
    expect(await effect('shell', { command: 'ls' }, { deny: ['shell'] }, ['shell'])).toBe('deny');
  });
});

test('a search finds nothing outside its folder, and no keys', async () => {
  const { signal } = new AbortController();
  const found = (args: object) =>
    tool('search').run({ pattern: 'secret', ...args }, { cwd, env: {}, files: new FileChanges() }, signal);
  expect(await found({})).toBe('src/a.txt:1:secret words');
  expect(await found({ files: '../*' })).toBe('found nothing');
  expect(await found({ files: 'up/*' })).toBe('found nothing');
  expect(await found({ files: '.env' })).toBe('found nothing');
});
