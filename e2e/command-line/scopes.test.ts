import { spawnSync } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Home, junctor, makeHome, promise, testServer } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { missingTerminal, startAtTerminal } from '../sign-in/at-terminal.ts';

const server = (command: string) => ({ transport: 'stdio', command });

function git(home: Home, ...words: string[]): string {
  const { status, stdout, stderr } = spawnSync('git', words, { cwd: home.project, env: home.env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`git ${words.join(' ')}: ${stderr}`);
  return stdout;
}

describe('the mcp commands', () => {
  promise('8.4a', 'add, list, get, remove, enable, disable and test work on the scope they are given', async () => {
    await using home = await makeHome();
    const run = (verb: string, ...words: string[]) => junctor(home, ['mcp', verb, '--json', ...words]);
    const program = testServer();
    const line = ['--', program.command, ...program.args];
    const files = { global: home.userConfig, project: join(home.project, 'junctor.json') };
    for (const [scope, file] of Object.entries(files)) {
      expect(JSON.parse((await run('add', 'demo', '--scope', scope, ...line)).stdout).file).toBe(file);
    }
    for (const [scope, file] of Object.entries(files)) {
      const at = ['--scope', scope];
      const got = JSON.parse((await run('get', 'demo', ...at)).stdout);
      expect([got.source, got.file, got.definition.command]).toEqual([scope, file, program.command]);
      const listed = JSON.parse((await run('list', ...at)).stdout);
      expect(listed.servers).toMatchObject([{ id: 'demo', source: scope, file }]);
      expect(JSON.parse((await run('test', 'demo', ...at)).stdout).ok).toBe(true);
      const written = async () => JSON.parse(await readFile(file, 'utf8')).servers.demo?.enabled;
      expect((await run('disable', 'demo', ...at)).code).toBe(0);
      expect(await written()).toBe(false);
      expect((await run('enable', 'demo', ...at)).code).toBe(0);
      expect(await written()).toBe(true);
    }
    expect((await run('remove', 'demo', '--scope', 'project')).code).toBe(0);
    const gone = await run('get', 'demo', '--scope', 'project');
    expect([gone.code, gone.stdout]).toEqual([
      1,
      expect.stringContaining("The project scope defines no server 'demo'."),
    ]);
    expect(JSON.parse((await run('get', 'demo')).stdout).source).toBe('global');
    expect(JSON.parse((await run('remove', 'demo')).stdout).error).toMatchObject({
      code: 'server_unknown',
      why: `it is defined in the user layer: ${home.userConfig}`,
      hint: 'junctor mcp remove demo --scope global',
    });
    expect((await run('get', 'demo', '--scope', 'everywhere')).code).toBe(2);
  });

  promise('8.4b', 'login, logout, tools, call, import and export exist', async () => {
    await using home = await makeHome();
    for (const verb of ['login', 'logout', 'tools', 'call', 'import', 'export']) {
      const { code, stdout } = await junctor(home, ['mcp', verb, '--help']);
      expect([verb, code, stdout.split('\n')[0]]).toEqual([verb, 0, expect.stringContaining(`junctor mcp ${verb}`)]);
    }
    await home.write('config/junctor/config.json', { servers: { demo: { ...testServer(), trust: 'trusted' } } });
    const config = await home.write('.cursor/mcp.json', { mcpServers: { other: { command: 'other' } } });
    const ran = async (...words: string[]) => {
      const { code, stdout, stderr } = await junctor(home, ['mcp', ...words]);
      return [code, stdout + stderr];
    };
    expect(await ran('tools', 'demo')).toEqual([0, expect.stringContaining('mcp__demo__echo')]);
    expect(await ran('call', 'demo', 'echo', '--args', '{"text":"hi"}')).toEqual([0, expect.stringContaining('hi\n')]);
    expect(await ran('import', config)).toEqual([0, expect.stringContaining('other')]);
    expect(await ran('export', 'cursor', '--via', 'direct')).toEqual([0, expect.stringContaining('"demo"')]);
    expect(await ran('login', 'demo')).toEqual([2, expect.stringContaining("'demo' takes no sign-in")]);
    expect(await ran('logout', 'demo')).toEqual([0, expect.stringContaining('demo')]);
  });
});

describe('a local file', () => {
  promise(['1.5g', '8.28d'], 'that Junctor writes is private and ignored by git', async () => {
    await using home = await makeHome();
    git(home, 'init', '--quiet');
    await home.write('project/junctor.json', { version: 1, servers: { shared: server('x') } });
    await home.write('project/deep/.keep', '');
    const add = await junctor(
      home,
      ['mcp', 'add', 'mine', '--scope', 'local', '--env', 'API_TOKEN=s3cr3t', '--', 'y'],
      {
        cwd: join(home.project, 'deep'),
      },
    );
    const file = join(home.project, 'junctor.local.json');
    expect([add.code, add.stdout]).toEqual([0, `added server 'mine' to ${file}\n`]);
    expect(add.stderr).toContain(`git ignores it: see ${join(home.project, '.gitignore')}`);
    expect(await readFile(file, 'utf8')).not.toContain('s3cr3t');
    const modes = [file, join(home.project, '.gitignore')].map(async path => (await stat(path)).mode & 0o777);
    expect(await Promise.all(modes)).toEqual([0o600, 0o644 & ~process.umask()]);
    expect(git(home, 'check-ignore', 'junctor.local.json')).toBe('junctor.local.json\n');
    expect(git(home, 'status', '--porcelain', '--untracked-files=all')).not.toContain('local');
    // What is there already is not written twice, and what a person wrote stays.
    await home.write('project/.gitignore', '*.local.json');
    await junctor(home, ['mcp', 'disable', 'shared', '--scope', 'local']);
    expect(await readFile(join(home.project, '.gitignore'), 'utf8')).toBe('*.local.json');
    const { servers } = JSON.parse((await junctor(home, ['mcp', 'list', '--json'])).stdout);
    expect(servers).toMatchObject([
      { id: 'mine', source: 'local', enabled: true },
      { id: 'shared', source: 'project', enabled: false },
    ]);
  });

  test('is written where there is no repository, too', async () => {
    await using home = await makeHome();
    const add = await junctor(home, ['mcp', 'add', 'mine', '--scope', 'local', '--command', 'y']);
    expect([add.code, add.stderr]).toEqual([0, 'next: junctor mcp tools mine\n']);
  });
});

describe('removing a server', () => {
  const stored = async (home: Home): Promise<string[]> =>
    JSON.parse((await junctor(home, ['secret', 'list', '--json'])).stdout).secrets.map(
      ({ name }: { name: string }) => name,
    );

  async function withSecrets(): Promise<Home> {
    const home = await makeHome();
    await junctor(home, ['secret', 'set', 'SHARED'], { input: 'common' });
    for (const id of ['a', 'b']) {
      const env = ['--env', 'API_TOKEN=s3cr3t', '--env', 'OTHER_KEY=${secret:SHARED}'];
      await junctor(home, ['mcp', 'add', id, ...env, '--', 'x']);
    }
    return home;
  }

  test('says which of its secrets are left, and takes those that are its own along where it is told to', async () => {
    await using home = await withSecrets();
    const [ofA, ofB] = (await stored(home)).filter(name => name !== 'SHARED').sort() as [string, string];
    const kept = await junctor(home, ['mcp', 'remove', 'a', '--json']);
    expect(JSON.parse(kept.stdout).secrets_left).toEqual([ofA]);
    expect(kept.stderr).toContain(`the secret ${ofA} is still stored; to remove it: junctor secret remove ${ofA}`);
    expect((await stored(home)).sort()).toEqual(['SHARED', ofA, ofB].sort());
    const gone = await junctor(home, ['mcp', 'remove', 'b', '--secrets', '--json']);
    expect(JSON.parse(gone.stdout).secrets_left).toEqual(['SHARED']);
    expect(gone.stderr).toContain(`removed the secret ${ofB}`);
    expect((await stored(home)).sort()).toEqual(['SHARED', ofA].sort());
  });

  test('asks at a terminal, and keeps them where the answer is no', async context => {
    const missing = missingTerminal();
    if (missing) context.skip(missing);
    await using home = await withSecrets();
    const before = await stored(home);
    for (const [id, answer, left] of [
      ['a', 'n', 3],
      ['b', 'y', 2],
    ] as const) {
      const command = startAtTerminal(home, ['mcp', 'remove', id]);
      await command.shows(/Nothing else names the secret \S+\. Remove it too\?/);
      command.type(`${answer}\r`);
      expect(await command.ended).toMatchObject({ code: 0 });
      expect(await stored(home)).toHaveLength(left);
    }
    expect(before).toHaveLength(3);
  });
});
