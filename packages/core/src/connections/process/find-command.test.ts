import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cannotStart } from './cannot-start.ts';
import { findCommand } from './find-command.ts';

let root: string;
const at = (...parts: string[]): string => join(root, ...parts);

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'find-command-'));
  for (const folder of ['first', 'second', 'second/tool', 'app/bin']) await mkdir(at(folder), { recursive: true });
  for (const file of ['first/locked', 'second/serve-it', 'app/bin/run']) await writeFile(at(file), '#!/bin/sh\n');
  for (const file of ['second/serve-it', 'app/bin/run']) await chmod(at(file), 0o755);
});

afterAll(() => rm(root, { recursive: true }));

const look = (command: string, cwd = at('app')) =>
  findCommand({ command, cwd }, { PATH: `${at('first')}:bin:${at('second')}` });

/** What a person reads, with the folder of this test taken out. */
async function complaint(command: string, cwd?: string) {
  const lookup = await look(command, cwd);
  if (lookup.kind === 'found') throw new Error(`found ${lookup.file}`);
  const { code, message, why, hint } = cannotStart('s', { command, args: [], cwd, env: {} }, lookup);
  const plain = (text: string | undefined) => text?.replaceAll(root, '');
  return { code, message, why: plain(why), hint: plain(hint) };
}

describe.skipIf(process.platform === 'win32')('a command', () => {
  test.each([
    ['serve-it', 'second/serve-it'],
    ['run', 'app/bin/run'],
    ['bin/run', 'app/bin/run'],
    ['./bin/run', 'app/bin/run'],
  ])('%s is found as %s', async (command, file) => {
    expect(await look(command)).toEqual({ kind: 'found', file: at(file) });
  });

  test('that is missing names where it was looked for, and what was perhaps meant', async () => {
    expect(await complaint('serve-its')).toEqual({
      code: 'command_not_found',
      message: "The program 'serve-its' of server 's' was not found.",
      why: 'it is not on PATH: /first, /app/bin, /second',
      hint: "did you mean 'serve-it'? Otherwise install it, or give its full path as command",
    });
  });

  test('that is a path names the file', async () => {
    expect(await complaint('./bin/none')).toMatchObject({
      why: 'there is no file /app/bin/none',
      hint: 'check the path',
    });
  });

  test('that is a whole command line is to be split', async () => {
    expect(await complaint('serve-it -y "a b" --key=k')).toMatchObject({
      message: "The program 'serve-it -y \"a b\" --key=k' of server 's' was not found.",
      hint: 'split it: "command": "serve-it", "args": ["-y", "a b", …]',
    });
    expect(await complaint('bin/run --x')).toMatchObject({ hint: 'split it: "command": "bin/run", "args": ["--x"]' });
    expect(await complaint('/no such/program')).toMatchObject({ hint: 'check the path' });
  });

  test('with ~ says that it is not expanded', async () => {
    expect(await complaint('~/run')).toMatchObject({ hint: 'write ${HOME} in the place of ~' });
  });

  test('that may not be run, or is a folder, is told apart', async () => {
    expect(await complaint('locked')).toMatchObject({
      code: 'command_not_found',
      message: "The program 'locked' of server 's' is not executable.",
      hint: 'chmod +x /first/locked, or make its interpreter the command and the file its first argument',
    });
    expect(await complaint('tool')).toMatchObject({
      message: "The program 'tool' of server 's' is a directory.",
      why: '/second/tool',
    });
  });

  test('whose folder is missing, or is a file, is told apart', async () => {
    expect(await complaint('serve-it', at('gone'))).toMatchObject({
      code: 'folder_not_found',
      message: "The folder that server 's' starts in does not exist.",
      why: 'there is no /gone',
    });
    expect(await complaint('serve-it', at('first/locked'))).toMatchObject({ why: '/first/locked is not a folder' });
  });
});
