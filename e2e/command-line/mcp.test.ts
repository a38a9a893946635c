import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { JUNCTOR, junctor, makeHome, misbehaving, npmServer, promise, testServer } from '@junctor/testkit';
import { describe, expect } from 'vitest';

const node = process.execPath;

describe('junctor', () => {
  promise('8.2a', 'prints its commands and its version', async () => {
    await using home = await makeHome();
    const help = await junctor(home, ['--help']);
    expect([help.code, help.stderr]).toEqual([0, '']);
    for (const word of ['mcp add', 'mcp list', 'mcp tools', 'mcp call', 'hub token', 'test-server'])
      expect(help.stdout).toContain(word);
    expect(await junctor(home, ['--version'])).toEqual({ code: 0, stdout: '0.1.0\n', stderr: '' });
  });

  promise('8.22c', 'used wrongly exits 2 and says what is near', async () => {
    await using home = await makeHome();
    const outcomes = await Promise.all(
      [
        ['mcp', 'ad'],
        ['mcp', 'call', 'fs'],
        ['mcp', 'list', '--jsn'],
        ['mcp', 'list', 'extra'],
        ['frobnicate'],
        ['list'],
        ['mcp', 'add', 'fs', '--command', '-y'],
        ['mcp', 'add', 'fs'],
      ].map(words => junctor(home, words)),
    );
    expect(outcomes.map(({ code }) => code)).toEqual(outcomes.map(() => 2));
    expect(outcomes.map(({ stderr }) => stderr.split('\n').slice(0, 2).join(' '))).toEqual([
      "error: There is no command 'mcp ad'. (usage)   try: did you mean 'mcp add'?",
      "error: 'junctor mcp call' needs TOOL. (usage)   try: junctor mcp call --help",
      'error: There is no option --jsn. (usage)   try: did you mean --json?',
      "error: 'junctor mcp list' does not know what to do with 'extra'. (usage)   try: junctor mcp list --help",
      "error: There is no command 'frobnicate'. (usage)   try: junctor --help",
      "error: There is no command 'list'. (usage)   try: did you mean 'mcp list'?",
      "error: '-y' after --command could be its value or an option. (usage)   try: as a value it is written with =: --command=-y",
      'error: A stdio server needs --command. (usage)   try: a program: junctor mcp add ID -- PROGRAM ARGS…; an address: junctor mcp add ID --url URL',
    ]);
  });
});

describe('mcp test', () => {
  promise(['4.1z', '4.1aa', '4.1l', '4.1n', '8.4a'], 'goes step by step, and says which one failed', async () => {
    await using home = await makeHome();
    await home.write('config/junctor/config.json', {
      servers: {
        good: testServer(),
        gone: { transport: 'stdio', command: 'no-such-program' },
        dead: misbehaving('dies-early'),
        endless: misbehaving('bad-catalogue', '--endless'),
        hidden: testServer(),
      },
    });
    await home.write('project/junctor.json', {
      servers: { hidden: { transport: 'stdio', command: 'no-such-program' } },
    });
    const test = async (id: string, ...more: string[]) => {
      const { code, stdout } = await junctor(home, ['mcp', 'test', id, '--json', ...more]);
      const { steps } = JSON.parse(stdout);
      return [code, steps.map(({ step, ok }: { step: string; ok: boolean }) => `${step} ${ok}`)];
    };
    expect(await test('good')).toEqual([0, ['connect true', 'initialize true', 'tools/list true']]);
    expect(await test('gone')).toEqual([1, ['connect false']]);
    expect(await test('dead')).toEqual([1, ['connect true', 'initialize false']]);
    expect(await test('endless')).toEqual([1, ['connect true', 'initialize true', 'tools/list false']]);
    expect(await test('hidden')).toEqual([3, ['connect false']]);
    expect(await test('hidden', '--scope', 'global')).toEqual([
      0,
      ['connect true', 'initialize true', 'tools/list true'],
    ]);
    const shown = await junctor(home, ['mcp', 'test', 'good']);
    expect(shown.stdout).toMatch(
      /connect +ok +stdio .*\ninitialize +ok +MCP 2026-07-28, junctor-test-server .*\ntools\/list +ok +\d+ tools\n/,
    );
    expect((await junctor(home, ['mcp', 'test', 'dead'])).stderr).toContain('DATABASE_URL is not set');
  });
});

describe('the layers', () => {
  promise(
    ['1.6e', '1.6f', '9.3h', '8.32a', '1.6j'],
    'follow --config, --isolated and the variable, and walk up from the directory',
    async () => {
      await using home = await makeHome();
      const server = (command: string) => ({ transport: 'stdio', command });
      await home.write('config/junctor/config.json', { servers: { user: server('u') } });
      await home.write('project/junctor.json', { servers: { project: server('p') } });
      await home.write('project/deep/down/.keep', '');
      const file = await home.write('other.json', { servers: { other: server('o') } });
      const ids = async (words: string[], options = {}) =>
        JSON.parse((await junctor(home, ['mcp', 'list', '--json', ...words], options)).stdout).servers.map(
          (one: { id: string }) => one.id,
        );
      expect(await ids([])).toEqual(['project', 'user']);
      expect(await ids([], { cwd: join(home.project, 'deep', 'down') })).toEqual(['project', 'user']);
      expect(await ids(['--config', file])).toEqual(['other', 'user']);
      expect(await ids(['--config', file, '--isolated'])).toEqual(['other']);
      expect(await ids([], { env: { JUNCTOR_CONFIG_PATH: file } })).toEqual(['other', 'user']);
    },
  );
});

describe('the published program', () => {
  promise('9.12d', 'says what it needs on an older Node', async () => {
    const text = await readFile(JUNCTOR, 'utf8');
    // Run with a version of our making: no older Node need be installed to see the answer.
    const old = text.replace('process.versions.node', "'20.1.0'");
    await using home = await makeHome();
    const file = await home.write('old/junctor.mjs', old);
    const { spawnSync } = await import('node:child_process');
    const { status, stderr } = spawnSync(node, [file], { encoding: 'utf8', env: home.env });
    expect([status, stderr.split('\n')[0]]).toEqual([
      1,
      `error: Junctor needs Node.js 24 or newer; this is ${process.version}. (node_too_old)`,
    ]);
  });
});

describe('real servers from npm', () => {
  promise('2.2a', 'are listed: everything, filesystem, memory', async () => {
    await using home = await makeHome();
    const server = (name: 'everything' | 'filesystem' | 'memory', ...args: string[]) => ({
      transport: 'stdio',
      command: node,
      args: [npmServer(name), ...args],
      env: { MEMORY_FILE_PATH: join(home.path, 'memory.jsonl') },
    });
    await home.write('config/junctor/config.json', {
      servers: {
        every: server('everything', 'stdio'),
        files: server('filesystem', home.project),
        memory: server('memory'),
      },
    });
    const { tools, failed } = JSON.parse((await junctor(home, ['mcp', 'tools', '--json'])).stdout);
    const count = (id: string) => tools.filter((tool: { server: string }) => tool.server === id).length;
    expect(failed).toEqual([]);
    expect([count('every') > 5, count('files') > 5, count('memory') > 5]).toEqual([true, true, true]);
  });
});
