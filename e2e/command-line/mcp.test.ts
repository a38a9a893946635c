import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  everything,
  JUNCTOR,
  junctor,
  makeHome,
  misbehaving,
  npmServer,
  promise,
  ROOT,
  testServer,
  trusted,
} from '@junctor/testkit';
import { describe, expect, test } from 'vitest';

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
        ['mcp', 'add', 'fs', '--command', 'npx', '--arg', '-y'],
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
      "error: '-y' after --arg could be its value or an option. (usage)   try: as a value it is written with =: --arg=-y",
      'error: A stdio server needs --command. (usage)   try: a program: junctor mcp add ID -- PROGRAM ARGS…; an address: junctor mcp add ID --url URL',
    ]);
  });
});

describe('mcp add', () => {
  promise(
    ['4.1b', '4.1d', '4.1e', '4.1h', '4.1i', '4.1j', '4.1m'],
    'writes a stdio server with every option into the project file',
    async () => {
      await using home = await makeHome();
      const words = [
        '--command',
        'node',
        '--arg=-e',
        '--arg',
        'x',
        '--cwd',
        '/tmp',
        '--env',
        'A=1',
        '--env',
        'B=x=y',
        '--enabled',
        'false',
      ];
      const added = await junctor(home, [
        'mcp',
        'add',
        'one',
        '--transport',
        'stdio',
        ...words,
        '--request-timeout-ms',
        '1500',
      ]);
      const file = join(home.project, 'junctor.json');
      expect([added.code, added.stdout]).toEqual([0, `added server 'one' to ${file}\n`]);
      expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
        version: 1,
        servers: {
          one: {
            transport: 'stdio',
            command: 'node',
            args: ['-e', 'x'],
            cwd: '/tmp',
            env: { A: '1', B: 'x=y' },
            enabled: false,
            request_timeout_ms: 1500,
          },
        },
      });
      expect((await stat(file)).mode & 0o777).toBe(0o600);
    },
  );

  promise(['4.1a', '4.1f', '4.1k', '4.1o', '8.29a'], 'writes an http server into the user file', async () => {
    await using home = await makeHome();
    const words = ['--transport', 'http', '--url', 'https://example.com/mcp', '--header', 'X-A=1', '--header', 'X-B=2'];
    await junctor(home, ['mcp', 'add', 'remote', ...words, '--scope', 'global']);
    expect(JSON.parse(await readFile(home.userConfig, 'utf8')).servers.remote).toEqual({
      transport: 'http',
      url: 'https://example.com/mcp',
      headers: { 'X-A': '1', 'X-B': '2' },
    });
  });

  promise(
    ['4.1p', '4.1q', '4.1r', '1.5b'],
    'replaces only when told to, and keeps comments, order and indentation',
    async () => {
      await using home = await makeHome();
      const before =
        '{\n\t// mine\n\t"version": 1,\n\t"servers": {\n\t\t"a": { "transport": "stdio", "command": "a" }, // first\n\t}\n}\n';
      const file = await home.write('project/junctor.json', before);
      const clash = await junctor(home, ['mcp', 'add', 'a', '--command', 'b']);
      expect([clash.code, clash.stderr.split('\n')[0]]).toEqual([
        1,
        `error: ${file} already defines a server 'a'. (config_conflict)`,
      ]);
      expect(await readFile(file, 'utf8')).toBe(before);
      expect((await junctor(home, ['mcp', 'add', 'a', '--command', 'c', '--scope', 'global'])).code).toBe(0);
      expect((await junctor(home, ['mcp', 'add', 'a', '--command', 'b', '--replace'])).code).toBe(0);
      const after = await readFile(file, 'utf8');
      expect(after).toContain('\t// mine\n\t"version": 1');
      expect(after).toContain('\t\t"a": { "transport": "stdio", "command": "b" }, // first\n');
    },
  );

  promise('4.1c', 'without command or url is used wrongly and writes nothing', async () => {
    await using home = await makeHome();
    const outcomes = await Promise.all(
      [
        ['--transport', 'http'],
        ['--transport', 'stdio'],
        ['--transport', 'smoke', '--command', 'x'],
        ['--url', 'not a url'],
      ].map(words => junctor(home, ['mcp', 'add', 'x', ...words])),
    );
    expect(outcomes.map(({ code }) => code)).toEqual([2, 2, 2, 1]);
    await expect(stat(join(home.project, 'junctor.json'))).rejects.toThrow('ENOENT');
  });

  promise('1.5f', 'loses no edit when many add at once', async () => {
    await using home = await makeHome();
    const ids = Array.from({ length: 8 }, (_, index) => `server-${index}`);
    const codes = await Promise.all(
      ids.map(async id => (await junctor(home, ['mcp', 'add', id, '--command', 'x'])).code),
    );
    expect(codes).toEqual(ids.map(() => 0));
    const written = JSON.parse(await readFile(join(home.project, 'junctor.json'), 'utf8'));
    expect(Object.keys(written.servers).sort()).toEqual(ids);
  });
});

describe('mcp list', () => {
  promise(
    ['8.5a', '8.5b', '4.1n', '4.1x', '4.1y', '1.6h', '1.6k', '1.6l'],
    'shows every layer, the project above the person',
    async () => {
      await using home = await makeHome();
      expect((await junctor(home, ['mcp', 'list'])).stdout).toBe('no MCP servers configured\n');
      expect(JSON.parse((await junctor(home, ['mcp', 'list', '--json'])).stdout).servers).toEqual([]);
      await home.write('config/junctor/config.json', {
        servers: {
          a: { transport: 'stdio', command: 'global-a', args: ['kept?'] },
          b: { transport: 'stdio', command: 'b' },
        },
      });
      await home.write('project/junctor.json', {
        servers: {
          a: { transport: 'stdio', command: '/nowhere/a', enabled: false },
          c: { transport: 'http', url: 'http://127.0.0.1:9/' },
        },
      });
      const { servers } = JSON.parse((await junctor(home, ['mcp', 'list', '--json'])).stdout);
      expect(servers.map((server: { id: string }) => ({ ...server, file: undefined }))).toEqual([
        { id: 'a', transport: 'stdio', source: 'project', enabled: false, trust: 'untrusted', endpoint: '/nowhere/a' },
        { id: 'b', transport: 'stdio', source: 'global', enabled: true, trust: 'untrusted', endpoint: 'b' },
        {
          id: 'c',
          transport: 'http',
          source: 'project',
          enabled: true,
          trust: 'untrusted',
          endpoint: 'http://127.0.0.1:9/',
        },
      ]);
      expect((await junctor(home, ['mcp', 'list'])).stdout).toContain(
        'a   stdio      project  no       untrusted  /nowhere/a',
      );
    },
  );

  promise(
    ['1.8b', '1.1b', '1.1d', '1.1e', '1.1f', '1.1i', '1.1j', 'A10k'],
    'lists what is wrong with a bad server, and the good ones',
    async () => {
      await using home = await makeHome();
      const file = await home.write(
        'project/junctor.json',
        '{\n  "servers": {\n    "good": { "transport": "stdio", "command": "x" },\n    "bad": { "transport": "stdio" },\n    "typo": { "transport": "stdio", "command": "x", "arg": [] }\n  }\n}\n',
      );
      const { stdout, stderr } = await junctor(home, ['mcp', 'list', '--json']);
      expect(
        JSON.parse(stdout).servers.map(({ id, enabled, error }: { id: string; enabled: boolean; error?: string }) => [
          id,
          enabled,
          error,
        ]),
      ).toEqual([
        ['bad', false, "Missing 'command' in stdio server 'bad'."],
        ['good', true, undefined],
        ['typo', false, "Unknown key 'arg'."],
      ]);
      expect(stderr).toBe(
        [
          `warning: ${file}:4:5 servers.bad.command: Missing 'command' in stdio server 'bad'. Add the program to start, or set transport to "http".`,
          `warning: ${file}:5:53 servers.typo.arg: Unknown key 'arg'. Did you mean 'args'?`,
          '',
        ].join('\n'),
      );
    },
  );
});

describe('mcp tools and mcp call', () => {
  promise(
    ['8.7a', '8.7b', '4.1ad', '3.1a', '3.1g', '2.5j'],
    'lists the tools of all servers or one, under the chosen names',
    async () => {
      await using home = await makeHome();
      await home.write('config/junctor/config.json', {
        servers: { demo: testServer(), gone: { transport: 'stdio', command: 'no-such-program' } },
      });
      const all = await junctor(home, ['mcp', 'tools']);
      expect(all.stdout).toMatch(/^mcp__demo__echo +Returns its text\.$/m);
      expect(all.stderr).toContain(
        "warning: MCP server 'gone' unavailable: The program 'no-such-program' of server 'gone' was not found.",
      );
      expect(all.code).toBe(0);
      const one = JSON.parse(
        (await junctor(home, ['mcp', 'tools', 'demo', '--names', 'server_tool', '--json'])).stdout,
      );
      expect(one.tools.map((tool: { name: string }) => tool.name)).toContain('demo_json_response');
      expect(one.failed).toEqual([]);
      expect((await junctor(home, ['mcp', 'tools', 'gone'])).code).toBe(1);
    },
  );

  promise(
    [
      '8.6a',
      '8.6b',
      '8.6c',
      '3.4n',
      '3.5a',
      '3.5d',
      '3.5e',
      '8.22a',
      '8.22b',
      '8.22d',
      'A10n',
      '4.6a',
      '4.6c',
      '4.6d',
      '4.6f',
    ],
    'calls a tool, and exits by what came of it',
    async () => {
      await using home = await makeHome();
      await home.write('config/junctor/config.json', {
        servers: { demo: trusted(testServer()), closed: testServer() },
      });
      const call = (server: string, tool: string, ...more: string[]) =>
        junctor(home, ['mcp', 'call', server, tool, ...more]);
      expect(await call('demo', 'echo', '--args', '{"text":"hé"}')).toEqual({ code: 0, stdout: 'hé\n', stderr: '' });
      const structured = await call('demo', 'json_response', '--json');
      expect(JSON.parse(structured.stdout)).toEqual({
        success: true,
        output: '{"ok":true,"items":[1,2,3]}',
        data: { ok: true, items: [1, 2, 3] },
        parts: [{ type: 'text', text: '{"ok":true,"items":[1,2,3]}' }],
        via: 'direct',
      });
      const failed = await call('demo', 'fail', '--args', '{"message":"no luck"}');
      expect([failed.code, failed.stdout]).toEqual([1, 'no luck\n']);
      expect([
        (await call('demo', 'echo', '--args', '{oops')).code,
        (await call('demo', 'echo', '--args', '[]')).code,
      ]).toEqual([2, 2]);
      const asks = await call('closed', 'echo', '--args', '{"text":"x"}');
      expect([asks.code, asks.stdout]).toEqual([3, '']);
      expect(asks.stderr).toContain('add --yes');
      expect(await call('closed', 'echo', '--args', '{"text":"x"}', '--yes')).toEqual({
        code: 0,
        stdout: 'x\n',
        stderr: '',
      });
      const unknown = await call('nobody', 'echo');
      expect([unknown.code, unknown.stderr.split('\n')[0]]).toEqual([
        1,
        "error: There is no server 'nobody'. (server_unknown)",
      ]);
    },
  );

  promise('2.6f', 'names an unknown tool as such', async () => {
    await using home = await makeHome();
    await home.write('config/junctor/config.json', { servers: { demo: trusted(testServer()) } });
    const { code, stdout } = await junctor(home, ['mcp', 'call', 'demo', 'nope', '--json']);
    expect([code, JSON.parse(stdout).error.code]).toEqual([1, 'tool_not_found']);
  });

  test('names an unknown tool as such, also where the server answers like a tool that failed', async () => {
    await using home = await makeHome();
    await home.write('config/junctor/config.json', { servers: { every: trusted(everything()) } });
    const { code, stdout, stderr } = await junctor(home, ['mcp', 'call', 'every', 'ecko']);
    expect([code, stdout, stderr.split('\n')]).toEqual([
      1,
      '',
      [
        "error: Server 'every' has no tool 'ecko'. (tool_not_found)",
        expect.stringMatching(/^ {2}why: .*ecko not found/),
        "  try: did you mean 'echo'? All of them: junctor mcp tools every",
        '',
      ],
    ]);
    expect((await junctor(home, ['stats'])).stdout).not.toContain('ecko');
  });

  promise(['8.34a', 'A10a'], 'works with the smallest config and a real server', async () => {
    await using home = await makeHome();
    const config = {
      version: 1,
      servers: {
        fs: { transport: 'stdio', command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '.'] },
      },
    };
    const file = await home.write('smallest.json', config);
    const path = `${join(ROOT, 'node_modules', '.bin')}:${home.env.PATH}`;
    // Inside the workspace npx finds the server among the installed packages, and needs no network.
    const { code, stdout } = await junctor(home, ['mcp', 'tools', '--config', file], {
      cwd: ROOT,
      env: { PATH: path },
    });
    expect(code).toBe(0);
    expect(stdout).toContain('mcp__fs__read_text_file');
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
