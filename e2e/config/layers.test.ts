import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type LoadMcpConfigOptions, loadMcpConfig, type McpConfigLoadResult } from '@junctor/core';
import { type Home, makeHome, promise } from '@junctor/testkit';
import { describe, expect } from 'vitest';

const server = (command: string) => ({ transport: 'stdio', command });
const file = (command: string, id = 'x') => ({ servers: { [id]: server(command) } });

/** A house with files in it, and a way to load what it holds. */
async function house(files: Record<string, string | object>) {
  const home = await makeHome();
  for (const [name, content] of Object.entries(files)) await home.write(name, content);
  return home;
}

function load(
  home: Home,
  options: LoadMcpConfigOptions & { env?: Record<string, string>; cwd?: string } = {},
): Promise<McpConfigLoadResult> {
  const { env = {}, cwd = home.project, ...rest } = options;
  const surroundings = {
    cwd,
    home: home.path,
    env: { XDG_CONFIG_HOME: join(home.path, 'config'), ...env },
    platform: 'linux' as const,
    policyDirectory: join(home.path, 'etc'),
  };
  return loadMcpConfig({ surroundings, ...rest });
}

const commandOf = ({ servers }: McpConfigLoadResult, id = 'x') => {
  const definition = servers.get(id)?.definition;
  return definition?.transport === 'stdio' ? definition.command : undefined;
};

const USER = 'config/junctor/config.json';

describe('each layer', () => {
  promise(
    [
      '1.6a',
      '1.6b',
      '1.6c',
      '1.6d',
      '1.6e',
      '1.6f',
      '1.6g',
      '1.6h',
      '1.6i',
      '1.12c',
      '8.28a',
      '8.28c',
      '8.29b',
      '8.30a',
      '8.32a',
    ],
    'wins over the ones below it, down to the plugins',
    async () => {
      await using home = await house({
        'etc/policy.json': file('policy'),
        'inline.json': file('inline'),
        'explicit.json': file('explicit'),
        'env-path.json': file('env-path'),
        'project/junctor.local.json': file('local'),
        'project/junctor.json': file('project'),
        [USER]: file('user'),
        'config/junctor/plugins/one/plugin.json': file('plugin'),
      });
      const path = join(home.path, 'explicit.json');
      const env = {
        JUNCTOR_CONFIG_JSON: JSON.stringify(file('inline')),
        JUNCTOR_CONFIG_PATH: join(home.path, 'env-path.json'),
      };
      const layer = async (options: Parameters<typeof load>[1]) => commandOf(await load(home, options));
      expect(await layer({ overrides: file('override'), path, env })).toBe('policy');
      await home.write('etc/policy.json', '');
      await (await import('node:fs/promises')).rm(join(home.path, 'etc'), { recursive: true });
      expect(await layer({ overrides: file('override'), path, env })).toBe('override');
      expect(await layer({ path, env })).toBe('inline');
      expect(await layer({ path, env: { JUNCTOR_CONFIG_PATH: env.JUNCTOR_CONFIG_PATH } })).toBe('explicit');
      expect(await layer({ env: { JUNCTOR_CONFIG_PATH: env.JUNCTOR_CONFIG_PATH } })).toBe('env-path');
      expect(await layer({})).toBe('local');
      const sources = (await load(home)).servers.get('x')?.hides.map(hidden => hidden.layer);
      expect(sources).toEqual(['project', 'user', 'plugin']);
      const explicit = await load(home, { path });
      expect(explicit.layers.map(({ name }) => name)).toEqual(['plugin', 'user', 'explicit']);
    },
  );

  promise('1.6a', 'but a broken policy leaves nothing at all', async () => {
    await using home = await house({ 'etc/policy.json': '{ broken', 'project/junctor.json': file('project') });
    await expect(load(home)).rejects.toMatchObject({
      code: 'config_invalid',
      message: 'The policy of your organisation cannot be read.',
    });
  });

  promise(['1.6j', '1.12e', '8.28b'], 'of the project is the first file found walking up', async () => {
    await using home = await house({
      'project/.junctor/config.yaml': 'servers:\n  x:\n    transport: stdio\n    command: outer\n',
      'project/a/b/.keep': '',
    });
    const cwd = join(home.project, 'a', 'b');
    expect(commandOf(await load(home, { cwd }))).toBe('outer');
    await home.write('project/a/junctor.toml', '[servers.x]\ntransport = "stdio"\ncommand = "inner"\n');
    expect(commandOf(await load(home, { cwd }))).toBe('inner');
  });

  promise(['1.6m', '1.6n', '4.1v'], 'may switch a lower server with enabled alone, and nothing else', async () => {
    await using home = await house({
      [USER]: file('user'),
      'project/junctor.json': { servers: { x: { enabled: false }, y: { enabled: true }, z: { args: [] } } },
    });
    const { servers, problems } = await load(home);
    expect([servers.get('x')?.switched?.enabled, servers.get('x')?.layer]).toEqual([false, 'user']);
    expect(problems.map(({ server: id, message }) => [id, message])).toEqual([
      ['z', "Missing 'transport' in server 'z'."],
      ['y', "'y' only says 'enabled', and no lower layer defines it."],
    ]);
  });
});

describe('places of other programs', () => {
  const codelia = (command: string) => ({ version: 1, mcp: { servers: { x: server(command) } } });
  const toolloop = (command: string) => ({
    servers: { x: { trust: 'trusted', transport: { type: 'stdio', command } } },
  });
  const codeAgent = (command: string) => ({ mcp: { enabled: true, servers: { x: { type: 'stdio', command } } } });
  const cocode = (command: string) => `[mcp_servers.x]\ntransport = "stdio"\nprogram = "${command}"\n`;

  promise(['1.6p', '1.6q', '1.6r', '1.6s', '1.6t', '1.6u', '1.6v'], 'count in their layers', async () => {
    const rows: [string, string | object, string][] = [
      ['project/.codelia/config.json', codelia('codelia'), 'project'],
      ['project/codex-toolloop.mcp.json', toolloop('toolloop'), 'project'],
      ['project/.codex-toolloop/mcp.json', toolloop('inner-toolloop'), 'project'],
      ['project/.mcp.toml', cocode('cocode'), 'project'],
      ['project/.cocode.local.toml', cocode('cocode-local'), 'local'],
      ['.code_agent/config.json', codeAgent('code-agent'), 'user'],
      ['config/cocode/mcp.toml', cocode('cocode-user'), 'user'],
    ];
    for (const [name, content, layer] of rows) {
      await using home = await house({ [name]: content });
      const loaded = await load(home);
      expect([name, loaded.problems, loaded.servers.get('x')?.layer]).toEqual([name, [], layer]);
      expect((await load(home, { isolated: true })).servers.size).toBe(0);
    }
    await using both = await house({
      'project/codex-toolloop.mcp.json': toolloop('first'),
      'project/.codex-toolloop/mcp.json': toolloop('second'),
    });
    expect(commandOf(await load(both))).toBe('first');
  });

  promise(['1.6w', '1.6x', '1.6y', '1.6z', '1.6aa', '1.4d', 'A10b'], 'can be named by their variables', async () => {
    await using home = await house({
      'c.json': codelia('codelia'),
      't.json': toolloop('toolloop'),
      'a.json': codeAgent('code-agent'),
    });
    const at = (name: string) => join(home.path, name);
    const rows: [Record<string, string>, string, string][] = [
      [{ CODELIA_CONFIG_PATH: at('c.json') }, 'codelia', 'user'],
      [{ CODEX_TOOLLOOP_MCP_CONFIG_PATH: at('t.json') }, 'toolloop', 'explicit'],
      [{ CODE_AGENT_MCP_CONFIG_PATH: at('a.json') }, 'code-agent', 'explicit'],
      [{ CODEX_TOOLLOOP_MCP_CONFIG_JSON: JSON.stringify(toolloop('inline')) }, 'inline', 'inline'],
      [
        {
          CODE_AGENT_MCP_SERVERS: '[{"name":"x","type":"stdio","command":"listed"}]',
          CODE_AGENT_MCP_CONFIG_PATH: at('a.json'),
        },
        'listed',
        'inline',
      ],
    ];
    for (const [env, command, layer] of rows) {
      const loaded = await load(home, { env });
      expect([commandOf(loaded), loaded.servers.get('x')?.layer, loaded.problems]).toEqual([command, layer, []]);
    }
  });
});

describe('what is loaded', () => {
  promise(
    ['1.12b', '1.12d', '1.6o', '1.6ab'],
    'says where each server is from; no server comes from anywhere else',
    async () => {
      await using home = await house({
        [USER]: file('user', 'a'),
        'project/junctor.json': file('project', 'b'),
        'project/.mcp.json': { mcpServers: { c: { command: 'x' } } },
      });
      const { servers, files, enabled } = await load(home);
      expect([...servers.values()].map(({ id, layer, file: from }) => [id, layer, from])).toEqual([
        ['a', 'user', join(home.path, USER)],
        ['b', 'project', join(home.project, 'junctor.json')],
      ]);
      expect([files, enabled]).toEqual([[join(home.path, USER), join(home.project, 'junctor.json')], true]);
    },
  );

  promise(['1.5a', '8.28a'], 'may be JSON with comments, YAML or TOML', async () => {
    const texts: Record<string, string> = {
      'junctor.json': '// a\n{ "servers": { "x": { "transport": "stdio", "command": "json" } }, }',
      'junctor.jsonc': '{ /* a */ "servers": { "x": { "transport": "stdio", "command": "jsonc" } } }',
      'junctor.yaml': 'servers: # a\n  x: { transport: stdio, command: yaml }\n',
      'junctor.yml': 'servers:\n  x:\n    transport: stdio\n    command: yml\n',
      'junctor.toml': '# a\n[servers.x]\ntransport = "stdio"\ncommand = "toml"\n',
    };
    for (const [name, text] of Object.entries(texts)) {
      await using home = await house({ [`project/${name}`]: text });
      const loaded = await load(home);
      expect([commandOf(loaded), loaded.problems]).toEqual([name.split('.')[1], []]);
    }
  });

  promise(['1.9a', '1.9b', '1.9g', '1.9l', '1.9h'], 'has bundles whose servers and lists are checked', async () => {
    const bundles = {
      ghost: { serverId: 'nobody', allowTools: ['a'] },
      bare: { serverId: 'x' },
      empty: { serverId: 'x', allowTools: [] },
      wrong: { serverId: 'x', mode: 'sideways', allowTools: ['a'] },
    };
    const load1 = async (some: object) => {
      await using home = await house({
        'project/junctor.json': {
          servers: { x: server('x'), open: { ...server('o'), trust: 'trusted' } },
          bundles: some,
        },
      });
      return (await load(home)).problems.map(problem => problem.message);
    };
    expect(await load1({ ghost: bundles.ghost })).toEqual([
      "Bundle 'ghost' names the server 'nobody', which no layer defines.",
    ]);
    expect(await load1({ bare: bundles.bare })).toEqual([
      "Bundle 'bare' needs allowTools: its server 'x' is untrusted. Until then it offers no tool.",
    ]);
    expect(await load1({ all: { serverId: 'open' } })).toEqual([]);
    expect(await load1({ empty: bundles.empty })).toHaveLength(1);
    expect(await load1({ wrong: bundles.wrong })).toHaveLength(1);
  });
});

describe('bad input', () => {
  promise(['1.8a', '1.1d'], 'gives one clear error each, and never a crash', async () => {
    await using home = await makeHome();
    const path = join(home.path, 'bad.json');
    await mkdir(dirname(path), { recursive: true });
    const outcome = async (content: string | Buffer) => {
      await writeFile(path, content);
      return load(home, { path }).then(
        ({ problems }) => problems.map(problem => problem.message),
        error => [error.message],
      );
    };
    const deep = `{"servers":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}`;
    const inputs: [string, string | Buffer][] = [
      ['truncated', '{ "servers": { "x": {'],
      ['empty', ''],
      ['a number', '7'],
      ['a list', '[]'],
      ['binary', Buffer.from([0xff, 0xfe, 0x00, 0x01, 0x7b])],
      ['utf-16', Buffer.from('{"servers":{}}', 'utf16le')],
      ['deep', deep],
      ['servers as a list', '{ "servers": [] }'],
      ['a server as a number', '{ "servers": { "x": 5 } }'],
      ['a server as null', '{ "servers": { "x": null } }'],
    ];
    for (const [name, content] of inputs) {
      const messages = await outcome(content);
      expect([name, messages.length > 0]).toEqual([name, true]);
      for (const message of messages) expect(message).toMatch(/\w.*[.!…]$/s);
    }
    expect(await outcome('\uFEFF{\r\n  "servers": {}\r\n}\r\n')).toEqual([]);
    await expect(load(home, { path: home.project })).rejects.toMatchObject({
      code: 'config_unreadable',
      hint: 'give the path of a file: this is a directory',
    });
    await expect(load(home, { path: join(home.path, 'nowhere.json') })).rejects.toMatchObject({
      code: 'config_unreadable',
    });
    await (await import('node:fs/promises')).symlink(join(home.path, 'loop.json'), join(home.path, 'loop.json'));
    await expect(load(home, { path: join(home.path, 'loop.json') })).rejects.toMatchObject({
      code: 'config_unreadable',
      hint: 'mend the symbolic link: it leads back to itself',
    });
  });
});
