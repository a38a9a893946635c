import { spawnSync } from 'node:child_process';
import { chmod, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { JUNCTOR, junctor, makeHome, promise } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { json, server, USER } from './commands.ts';

describe('import and export', () => {
  test('import names what an agent has for this folder alone, and an agent that is nearly meant', async () => {
    await using home = await makeHome();
    const own = { type: 'stdio', command: 'x' };
    await home.write('.claude.json', { mcpServers: {}, projects: { [home.project]: { mcpServers: { own } } } });
    const { imported, skipped } = await json(home, 'mcp', 'import');
    expect([imported, skipped]).toEqual([
      [],
      [
        {
          id: 'own',
          from: join(home.path, '.claude.json'),
          because: `it is there for ${home.project} alone: --scope local copies it for this folder`,
        },
      ],
    ]);
    const local = await json(home, 'mcp', 'import', 'claude-code', '--scope', 'local');
    expect(local.imported).toMatchObject([{ id: 'own' }]);
    const { code, stderr } = await junctor(home, ['mcp', 'import', 'claude']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('did you mean claude-code?')]);
  });

  promise(
    ['8.8a', '8.8b', '8.8c', '4.1ae'],
    'import copies from agents and files, shows a diff first, and keeps secrets apart',
    async () => {
      await using home = await makeHome();
      for (const words of [['--dry-run'], []]) {
        expect((await junctor(home, ['mcp', 'import', ...words])).stdout).toBe('nothing to import\n');
        await expect(readFile(join(home.path, USER))).rejects.toThrow('ENOENT');
      }
      await home.write('.claude.json', {
        mcpServers: { 'my server': { type: 'stdio', command: 'x', env: { API_TOKEN: 'literal-token' } } },
      });
      await home.write(
        '.codex/config.toml',
        '[mcp_servers.two]\nurl = "https://example.com/mcp"\nbearer_token_env_var = "T"\n',
      );
      const target = join(home.path, USER);
      const preview = await junctor(home, ['mcp', 'import', '--dry-run']);
      expect(preview.stdout).toContain('+    "my-server": {');
      await expect(readFile(target)).rejects.toThrow('ENOENT');
      const { imported } = await json(home, 'mcp', 'import');
      expect(imported.map(({ id }: { id: string }) => id).sort()).toEqual(['my-server', 'two']);
      expect(JSON.parse(await readFile(target, 'utf8')).servers).toEqual({
        'my-server': {
          transport: 'stdio',
          command: 'x',
          env: { API_TOKEN: expect.stringMatching(/^\$\{secret:my-server\.API_TOKEN\.\w{6}\}$/) },
        },
        two: { transport: 'http', url: 'https://example.com/mcp', bearer_token_env_var: 'T' },
      });
      await home.write(
        '.codex/config.toml',
        '[mcp_servers.junctor]\nurl = "http://127.0.0.1:7717/mcp/codex"\n[mcp_servers.two]\ncommand = "other"\n',
      );
      const both = await json(home, 'mcp', 'import', '.././.claude.json', 'codex', '--dry-run');
      expect(
        both.skipped.map(({ id, because }: { id: string; because: string }) => [id, because.split(' (')[0]]),
      ).toContainEqual(['junctor', 'it leads to Junctor itself']);
      const again = await junctor(home, ['mcp', 'import', 'codex']);
      expect([again.stdout, again.stderr.includes("skipped 'two'")]).toEqual(['nothing to import\n', true]);
    },
  );

  promise(
    ['8.9a', '8.9b', '8.9c', '8.9d', '8.9e', '8.9f', '9.1b', '9.5s', '9.5t'],
    "export writes an agent's own words, and no secret",
    async () => {
      await using home = await makeHome();
      await home.write(USER, {
        servers: { a: { ...server('x'), env: { K: '${K}' } }, s: { ...server('y'), env: { T: '${secret:t}' } } },
      });
      const printed = await junctor(home, ['mcp', 'export', 'opencode']);
      expect(JSON.parse(printed.stdout).mcp.a).toEqual({
        type: 'local',
        command: ['x'],
        environment: { K: '{env:K}' },
      });
      expect(printed.stderr).toContain("left out 's'");
      const hub = JSON.parse((await junctor(home, ['mcp', 'export', 'claude-code', '--via', 'hub'])).stdout);
      expect(hub.mcpServers.junctor).toMatchObject({
        type: 'http',
        url: 'http://127.0.0.1:7717/mcp/claude-code',
        headers: { Authorization: 'Bearer ${JUNCTOR_TOKEN_CLAUDE_CODE}' },
      });
      const literal = JSON.parse((await junctor(home, ['mcp', 'export', 'cline', '--via', 'hub'])).stdout);
      expect(JSON.stringify(literal)).toContain('"connect"');
      const out = join(home.path, 'out.json');
      expect((await junctor(home, ['mcp', 'export', 'cursor', '--out', out, '--dry-run'])).stdout).toContain('+++');
      await expect(readFile(out)).rejects.toThrow('ENOENT');
      expect((await junctor(home, ['mcp', 'export', 'cursor', '--out', out])).code).toBe(0);
      expect(JSON.parse(await readFile(out, 'utf8')).mcpServers.a.env).toEqual({ K: '${env:K}' });
      await home.write(
        '.claude.json',
        '{ "numStartups": 7, "mcpServers": { "mine": { "type": "stdio", "command": "z" } } }',
      );
      await junctor(home, ['mcp', 'export', 'claude-code', '--write']);
      const written = JSON.parse(await readFile(join(home.path, '.claude.json'), 'utf8'));
      expect([written.numStartups, Object.keys(written.mcpServers)]).toEqual([7, ['mine', 'a']]);
    },
  );
});

describe('completion', () => {
  promise('8.2b', 'completes commands and options in bash, and has scripts for zsh and fish', async () => {
    await using home = await makeHome();
    const { stdout: script } = await junctor(home, ['completion', 'bash']);
    const complete = (words: string) =>
      spawnSync(
        'bash',
        [
          '-c',
          `${script}\nCOMP_WORDS=(${words}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _junctor; echo "\${COMPREPLY[@]}"`,
        ],
        { encoding: 'utf8', env: home.env },
      ).stdout.trim();
    expect(complete("junctor mcp ''").split(' ')).toContain('add');
    expect(complete('junctor mcp re')).toBe('remove');
    expect(complete('junctor mcp add --oauth-cl').split(' ')).toEqual(['--oauth-client-id', '--oauth-client-secret']);
    for (const shell of ['zsh', 'fish']) {
      const { stdout } = await junctor(home, ['completion', shell]);
      for (const part of ['oauth-client-secret', 'mcp list --ids', 'claude-code']) expect(stdout).toContain(part);
    }
    expect((await junctor(home, ['completion', 'tcsh'])).code).toBe(2);
  });

  test('completes ids of servers and agents', async () => {
    await using home = await makeHome();
    await home.write(USER, { servers: { files: server('x'), fetch: server('y'), broken: {} } });
    const program = await home.write('bin/junctor', `#!/bin/sh\nexec ${process.execPath} ${JUNCTOR} "$@"\n`);
    await chmod(program, 0o755);
    const { stdout: script } = await junctor(home, ['completion', 'bash']);
    const complete = (...words: string[]): string[] => {
      const line = `${script}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _junctor; printf '%s\\n' "\${COMPREPLY[@]}"`;
      const env = { ...home.env, PATH: `${dirname(program)}:${process.env.PATH}` };
      const args = ['-c', line, 'bash', 'junctor', ...words];
      return spawnSync('bash', args, { encoding: 'utf8', cwd: home.project, env }).stdout.trim().split('\n');
    };
    expect(complete('mcp', 'test', '')).toEqual(['broken', 'fetch', 'files']);
    expect(complete('mcp', 'remove', '--scope=global', 'fi')).toEqual(['files']);
    expect(complete('doctor', 'fe')).toEqual(['fetch']);
    expect(complete('trust', 'add', 'fe')).toEqual(['fetch']);
    expect(complete('mcp', 'export', 'claude')).toEqual(['claude-code', 'claude-desktop']);
    // A new id is nobody's to guess.
    expect(complete('mcp', 'add', 'fe')).toEqual(['']);
  });
});
