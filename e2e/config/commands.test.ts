import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { junctor, makeHome, promise, testServer } from '@junctor/testkit';
import { describe, expect } from 'vitest';
import { json, server, USER } from './commands.ts';

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

describe('mcp add in any scope', () => {
  promise('9.9e', 'keeps a literal secret out of the file it writes', async () => {
    await using home = await makeHome();
    const named = join(home.path, 'named.json');
    const targets: readonly (readonly [readonly string[], string])[] = [
      [['--scope', 'global'], home.userConfig],
      [['--scope', 'local'], join(home.project, 'junctor.local.json')],
      [['--scope', 'project'], join(home.project, 'junctor.json')],
      [['--config', named], named],
    ];
    for (const [where, file] of targets) {
      const header = 'Authorization=Bearer sk-very-secret-value';
      const words = ['mcp', 'add', 'a', '--url', 'https://example.com/mcp', '--header', header, ...where];
      const { stdout, stderr, code } = await junctor(home, words);
      expect([where, code, stderr.includes('stored the secret a.Authorization.')]).toEqual([where, 0, true]);
      const text = await readFile(file, 'utf8');
      expect(text).toContain('Bearer ${secret:a.Authorization.');
      expect(`${text}${stdout}${stderr}`).not.toContain('sk-very-secret-value');
    }
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
