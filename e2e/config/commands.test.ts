import { spawnSync } from 'node:child_process';
import { chmod, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Home, JUNCTOR, junctor, makeHome, promise, testServer } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';

const server = (command: string) => ({ transport: 'stdio', command });
const json = async (home: Home, ...words: string[]) => JSON.parse((await junctor(home, [...words, '--json'])).stdout);
const USER = 'config/junctor/config.json';

describe('mcp remove, enable, disable and get', () => {
  promise(['4.1s', '4.1t', '4.1w', '4.1l'], 'remove takes the definition of its scope only', async () => {
    await using home = await makeHome();
    await home.write(USER, { servers: { a: server('user') } });
    await home.write(
      'project/junctor.json',
      '{\n  // kept\n  "servers": { "a": { "transport": "stdio", "command": "project" } }\n}\n',
    );
    const removed = await junctor(home, ['mcp', 'remove', 'a']);
    expect([removed.code, removed.stderr]).toEqual([
      0,
      `'a' is still defined in the user layer: ${join(home.path, USER)}\n`,
    ]);
    expect(await readFile(join(home.project, 'junctor.json'), 'utf8')).toContain('// kept');
    expect(
      (await json(home, 'mcp', 'list')).servers.map(({ id, source }: { id: string; source: string }) => [id, source]),
    ).toEqual([['a', 'global']]);
    expect((await json(home, 'mcp', 'list', '--scope', 'project')).servers).toEqual([]);
    const again = await junctor(home, ['mcp', 'remove', 'a']);
    expect([again.code, again.stderr.includes("defines no server 'a'")]).toEqual([1, true]);
    expect((await junctor(home, ['mcp', 'remove', 'a', '--scope', 'global'])).code).toBe(0);
    expect((await json(home, 'mcp', 'list')).servers).toEqual([]);
  });

  promise(
    ['4.1u', '4.1v', '4.1k', '4.1m', '4.1w'],
    'disable and enable switch a server, also one of the person',
    async () => {
      await using home = await makeHome();
      await home.write(USER, { servers: { a: server('user') } });
      const enabled = async () =>
        (await json(home, 'mcp', 'list')).servers.map(({ enabled: on }: { enabled: boolean }) => on);
      const here = await junctor(home, ['mcp', 'disable', 'a']);
      expect([here.code, here.stderr]).toEqual([
        0,
        'for this project only; everywhere: junctor mcp disable a --scope global\n',
      ]);
      expect(await enabled()).toEqual([false]);
      expect(JSON.parse(await readFile(join(home.project, 'junctor.json'), 'utf8')).servers).toEqual({
        a: { enabled: false },
      });
      await junctor(home, ['mcp', 'enable', 'a']);
      expect(await enabled()).toEqual([true]);
      expect((await junctor(home, ['mcp', 'disable', 'a', '--scope', 'global'])).stderr).toBe('');
      expect(JSON.parse(await readFile(join(home.path, USER), 'utf8')).servers.a).toEqual({
        ...server('user'),
        enabled: false,
      });
      const unknown = await junctor(home, ['mcp', 'enable', 'ghost']);
      expect([unknown.code, unknown.stderr.includes("'ghost'")]).toEqual([1, true]);
    },
  );

  promise('4.1ab', 'get shows a definition without its secrets', async () => {
    await using home = await makeHome();
    const remote = {
      transport: 'http',
      url: 'https://example.com/mcp',
      headers: { Authorization: 'Bearer sk-very-secret' },
    };
    await home.write(USER, { servers: { a: remote } });
    const shown = await junctor(home, ['mcp', 'get', 'a']);
    expect(shown.stdout).not.toContain('sk-very-secret');
    const { definition, source, line } = await json(home, 'mcp', 'get', 'a');
    expect([definition.headers, source, line]).toEqual([{ Authorization: 'Bearer •••' }, 'global', 3]);
  });

  promise(['4.1g', '9.9e', '1.7h', '4.1af'], 'add keeps a literal secret out of the project file', async () => {
    await using home = await makeHome();
    const oauth = ['authorization-url', 'token-url', 'registration-url'].flatMap(name => [
      `--oauth-${name}`,
      `https://example.com/${name}`,
    ]);
    const words = [
      ...oauth,
      '--oauth-client-id',
      'me',
      '--oauth-client-secret',
      'hush-hush-hush',
      '--oauth-scope',
      'mcp',
    ];
    const added = await junctor(home, [
      'mcp',
      'add',
      'a',
      '--url',
      'https://example.com/mcp',
      '--header',
      'Authorization=Bearer sk-very-secret',
      ...words,
      '--json',
    ]);
    const [header, client] = JSON.parse(added.stdout).secrets;
    expect([header, client]).toEqual([
      expect.stringMatching(/^a\.Authorization\.\w{6}$/),
      expect.stringMatching(/^a\.client_secret\.\w{6}$/),
    ]);
    const text = await readFile(join(home.project, 'junctor.json'), 'utf8');
    expect(JSON.parse(text).servers.a).toEqual({
      transport: 'http',
      url: 'https://example.com/mcp',
      headers: { Authorization: `Bearer \${secret:${header}}` },
      oauth: {
        authorization_url: 'https://example.com/authorization-url',
        token_url: 'https://example.com/token-url',
        registration_url: 'https://example.com/registration-url',
        client_id: 'me',
        client_secret: `\${secret:${client}}`,
        scope: 'mcp',
      },
    });
    expect((await junctor(home, ['secret', 'list'])).stdout).toContain('a.client_secret');
    const missing = await junctor(home, [
      'mcp',
      'add',
      'b',
      '--url',
      'https://example.com/mcp',
      '--oauth-client-secret',
    ]);
    expect(missing.code).toBe(3);
  });
});

describe('mcp add by the line', () => {
  promise(['4.1b', '9.9e'], 'takes a program after two dashes, and hides secrets in arguments and urls', async () => {
    await using home = await makeHome();
    const add = (...words: string[]) => junctor(home, ['mcp', 'add', ...words]);
    expect(
      (await add('fs', '--', 'npx', '-y', 'server', '--token=ghp_0123456789', '--api-key', 'sk-live-1', '--port', '1'))
        .code,
    ).toBe(0);
    expect((await add('web', '--url', 'https://x.example/mcp?api_key=sk-live-2&x=1')).code).toBe(0);
    await add('db', '--env', 'CACHE=redis://:sk-live-4@r', '--', 'pg-mcp', 'postgres://me:sk-live-3@db/app');
    const text = await readFile(join(home.project, 'junctor.json'), 'utf8');
    for (const secret of ['ghp_0123456789', 'sk-live-']) expect(text).not.toContain(secret);
    const { fs, web, db } = JSON.parse(text).servers;
    expect([fs.command, fs.args.slice(0, 2), fs.args.slice(-2)]).toEqual(['npx', ['-y', 'server'], ['--port', '1']]);
    expect(web.url).toMatch(/^https:\/\/x\.example\/mcp\?api_key=\$\{secret:web\.api_key\.\w{6}\}&x=1$/);
    expect([db.args[0], db.env.CACHE]).toEqual([
      expect.stringMatching(/^postgres:\/\/me:\$\{secret:db\.password_2\.\w{6}\}@db\/app$/),
      expect.stringMatching(/^redis:\/\/:\$\{secret:db\.password\.\w{6}\}@r$/),
    ]);
    const line = await add('oops', '--command', 'npx -y server');
    expect([line.code, line.stderr.includes('junctor mcp add ID -- npx -y server')]).toEqual([2, true]);
  });
});

describe('a permission rule', () => {
  promise(['1.1i', '3.4c'], 'that covers no tool is told, with what was meant', async () => {
    await using home = await makeHome();
    const permissions = { deny: ['demo_echo', 'mcp__dmo__*', 'mcp__elsewhere__*', 'mcp__demo__pid', '*'] };
    const file = await home.write(USER, { permissions, servers: { demo: testServer() } });
    const { stderr, code } = await junctor(home, ['validate']);
    expect(code).toBe(1);
    expect(stderr.trim().split('\n')).toEqual([
      `${file}:4:7 permissions.deny[0]: The pattern 'demo_echo' covers no tool: it does not begin with mcp__. Write it as mcp__SERVER__TOOL: mcp__demo__echo.`,
      `${file}:5:7 permissions.deny[1]: The pattern 'mcp__dmo__*' names no server that is defined. Did you mean 'demo'?`,
    ]);
  });

  promise(['1.1d', '1.1e'], 'or a bundle is told with the file and line of the layer that says it', async () => {
    await using home = await makeHome();
    const user = await home.write(USER, {
      permissions: { ask: ['mcp__demo__echo(text'] },
      servers: { demo: testServer() },
    });
    const project = await home.write('project/junctor.json', { bundles: { b: { serverId: 'nobody' } } });
    const { stderr } = await junctor(home, ['validate']);
    const lines = stderr.trim().split('\n');
    expect(lines[0]).toMatch(
      `${user}:4:7 permissions.ask[0]: The pattern 'mcp__demo__echo(text' cannot be read: its '('`,
    );
    expect(lines[1]).toMatch(`${project}:3:5 bundles.b: Bundle 'b' names the server 'nobody', which no layer defines.`);
  });
});

describe('validate', () => {
  promise(
    ['1.8c', '1.8d', '1.8e', '1.8f', '8.3a', '9.2c', '1.1h'],
    'fails on any problem, and so do --strict and --validate-config; a missing variable or program is none',
    async () => {
      await using home = await makeHome();
      const good = await home.write('good.json', {
        servers: { a: { ...server('no-such-program'), env: { A: '${NOT_SET}' }, cwd: '/nowhere' } },
      });
      const bad = await home.write('bad.json', { servers: { a: server('x'), b: { transport: 'stdio' } } });
      const codes = async (...lines: string[][]) =>
        Promise.all(lines.map(async words => (await junctor(home, words)).code));
      expect(
        await codes(
          ['validate', good],
          ['validate', good, bad],
          ['validate', '--config', good],
          ['validate', '--config', bad],
        ),
      ).toEqual([0, 1, 0, 1]);
      expect(
        await codes(['mcp', 'list', '--strict', '--config', good], ['mcp', 'list', '--strict', '--config', bad]),
      ).toEqual([0, 1]);
      expect(
        await codes(
          ['mcp', 'call', 'a', 'b', '--validate-config', '--config', good],
          ['hub', '--validate-config', '--config', bad],
        ),
      ).toEqual([0, 1]);
      const [file] = JSON.parse((await junctor(home, ['validate', bad, '--json'])).stdout).files;
      expect(file).toMatchObject({
        dialect: 'junctor',
        servers: ['a'],
        problems: [{ path: 'servers.b.command', expected: 'string', line: 7 }],
      });
    },
  );

  promise(
    ['1.4ab', '1.4ad', '1.4ae', '9.2a', '9.2b', '8.2d', '8.2c'],
    'tells the format of a file, or asks which it is',
    async () => {
      await using home = await makeHome();
      const claude = await home.write('.mcp.json', { mcpServers: { a: { type: 'http', url: 'http://127.0.0.1:9/' } } });
      expect((await junctor(home, ['validate', claude])).stdout).toContain('valid (claude-code, 1 server)');
      expect((await junctor(home, ['mcp', 'list', '--mcp-config', claude, '--isolated'])).stdout).toContain(
        'http://127.0.0.1:9/',
      );
      const unclear = await home.write('servers.json', { mcpServers: { a: { httpUrl: 'http://127.0.0.1:9/' } } });
      const asked = await junctor(home, ['validate', unclear]);
      expect([asked.code, /--dialect/.test(asked.stderr)]).toEqual([1, true]);
      expect((await junctor(home, ['validate', unclear, '--dialect', 'gemini'])).code).toBe(0);
      const unknown = await junctor(home, ['validate', unclear, '--dialect', 'klingon']);
      expect([unknown.code, unknown.stderr.includes('qwen-code')]).toEqual([2, true]);
    },
  );
});

describe('explain', () => {
  promise(['7.8a', '1.6o'], 'shows which layer, file and line set each field, and what it hid', async () => {
    await using home = await makeHome();
    await home.write(USER, { defaults: { request_timeout_ms: 5000 }, servers: { a: server('user') } });
    await home.write(
      'project/junctor.json',
      '{\n  "servers": {\n    "a": {\n      "transport": "stdio",\n      "command": "project",\n      "env": { "API_KEY": "sk-hidden" }\n    }\n  }\n}\n',
    );
    const { fields, hides, trust } = await json(home, 'explain', 'a');
    const field = (key: string) => fields.find((one: { key: string }) => one.key === key);
    const project = join(home.project, 'junctor.json');
    expect(field('command')).toEqual({
      key: 'command',
      value: 'project',
      layer: 'project',
      source: project,
      place: { line: 5, column: 7 },
    });
    expect(field('env').value).toEqual({ API_KEY: '•••' });
    expect([field('request_timeout_ms').layer, field('connect_timeout_ms').layer]).toEqual(['defaults', 'default']);
    expect(hides.map(({ layer, source }: { layer: string; source: string }) => [layer, source])).toEqual([
      ['user', join(home.path, USER)],
    ]);
    expect(trust).toBe('waiting');
    const text = (await junctor(home, ['explain', 'a'])).stdout;
    expect(text).toContain(`${project}:5:7`);
    expect(text).toContain('waits for approval: junctor trust add a');
  });
});

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
        headers: { Authorization: 'Bearer ${JUNCTOR_TOKEN}' },
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

describe('variables and secrets', () => {
  promise(
    ['1.7c', '1.7d', '1.7g', '1.7h', '1.7j'],
    'reach the server; a missing one costs that server alone',
    async () => {
      await using home = await makeHome();
      const printing = {
        ...testServer(),
        command: 'sh',
        args: ['-c', `echo "$GREETING" >&2; exec ${process.execPath} "$@"`, 'sh', ...testServer().args],
      };
      await home.write(USER, {
        servers: {
          fine: { ...testServer(), trust: 'trusted' },
          needy: { ...printing, env: { GREETING: '${secret:greeting}' }, trust: 'trusted' },
          lost: { ...testServer(), env: { A: '${NOT_SET_ANYWHERE}' } },
        },
      });
      const { tools, failed } = await json(home, 'mcp', 'tools');
      expect([...new Set(tools.map(({ server: id }: { server: string }) => id))]).toEqual(['fine']);
      expect(failed.map(({ server: id, error }: { server: string; error: string }) => [id, error])).toEqual([
        ['needy', "Server 'needy' cannot be used: the secret greeting (in env.GREETING) is not set."],
        ['lost', "Server 'lost' cannot be used: the variable NOT_SET_ANYWHERE (in env.A) is not set."],
      ]);
      await junctor(home, ['secret', 'set', 'greeting'], { input: 'good-morning-secret' });
      expect((await junctor(home, ['mcp', 'call', 'needy', 'echo', '--args', '{"text":"x"}'])).stdout).toBe('x\n');
      await junctor(home, ['secret', 'remove', 'greeting']);
      expect((await junctor(home, ['mcp', 'call', 'needy', 'echo'])).code).toBe(1);
    },
  );
});
