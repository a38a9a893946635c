/** Files of other programs are changed where they define a server, in their own words, and stay theirs. */
import { readFile, stat } from 'node:fs/promises';
import { type Home, junctor, makeHome, promise } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { json, server, USER } from './commands.ts';

const codelia = (servers: object) => ({ version: 1, mcp: { servers } });
const read = async (file: string) => JSON.parse(await readFile(file, 'utf8'));
const ran = async (home: Home, ...words: string[]) => {
  const { code, stdout, stderr } = await junctor(home, words);
  return { code, said: stdout + stderr };
};
const listed = async (home: Home, ...words: string[]) =>
  (await json(home, 'mcp', 'list', ...words)).servers.map((one: { id: string; enabled: boolean; error?: string }) => [
    one.id,
    one.error ?? one.enabled,
  ]);

describe('--scope global', () => {
  promise('4.1ag', 'edits the user file that defines the server, whatever its dialect', async () => {
    await using home = await makeHome();
    const file = await home.write('.codelia/config.json', codelia({ x: server('x'), z: server('z') }));
    expect(await ran(home, 'mcp', 'disable', 'x', '--scope', 'global')).toMatchObject({ code: 0 });
    expect((await read(file)).mcp.servers.x.enabled).toBe(false);
    expect(await ran(home, 'mcp', 'enable', 'x', '--scope', 'user')).toMatchObject({ code: 0 });
    expect(await listed(home)).toEqual([
      ['x', true],
      ['z', true],
    ]);
    const again = await ran(home, 'mcp', 'add', 'x', '--scope', 'global', '--command', 'y');
    expect([again.code, again.said]).toEqual([1, expect.stringContaining(`${file} already defines a server 'x'`)]);
    const replaced = await ran(home, 'mcp', 'add', 'x', '--scope', 'global', '--command', 'y', '--replace');
    expect(replaced).toMatchObject({ code: 0, said: expect.stringContaining(`replaced server 'x' in ${file}`) });
    expect((await read(file)).mcp.servers.x.command).toBe('y');
    const removed = await ran(home, 'mcp', 'remove', 'x', '--scope', 'global');
    expect(removed).toMatchObject({ code: 0, said: expect.stringContaining(`removed server 'x' from ${file}`) });
    expect(Object.keys((await read(file)).mcp.servers)).toEqual(['z']);
  });

  promise('4.1ag', 'writes a switch above a file that has no word for it', async () => {
    await using home = await makeHome();
    const mcp = { servers: { a: { type: 'stdio', command: 'a' } } };
    const file = await home.write('.code_agent/config.json', { mcp });
    const { code, said } = await ran(home, 'mcp', 'disable', 'a', '--scope', 'global');
    expect([code, said]).toEqual([0, expect.stringContaining(`${file} has no word for it`)]);
    expect([await read(file), await listed(home)]).toEqual([{ mcp }, [['a', false]]]);
    await ran(home, 'mcp', 'enable', 'a', '--scope', 'global');
    expect(await listed(home)).toEqual([['a', true]]);
    await ran(home, 'mcp', 'remove', 'a', '--scope', 'global');
    expect(await listed(home)).toEqual([]);
  });

  promise('4.1ai', 'changes nothing but the switch, and leaves a broken entry alone', async () => {
    await using home = await makeHome();
    const entry = { url: 'http://127.0.0.1:1/mcp', type: 'http', mine: 1 };
    const gemini = await home.write('project/.gemini/settings.json', { theme: 'dark', mcpServers: { a: entry } });
    const switched = (verb: string, file: string) => ran(home, 'mcp', verb, 'a', '--config', file);
    expect(await switched('disable', gemini)).toMatchObject({ code: 0 });
    expect(await read(gemini)).toEqual({ theme: 'dark', mcpServers: { a: entry }, mcp: { excluded: ['a'] } });
    expect(await switched('enable', gemini)).toMatchObject({ code: 0 });
    expect(await read(gemini)).toMatchObject({ mcpServers: { a: entry }, mcp: { excluded: [] } });
    const broken = {
      'opencode.json': '{ "mcp": { "a": { "type": "local", "enabled": true } } }',
      '.mcp.toml': '[mcp_servers.a]\ntransport = {}\n',
    };
    for (const [name, text] of Object.entries(broken)) {
      const file = await home.write(`project/${name}`, text);
      const { code, said } = await switched('disable', file);
      expect([name, code, said]).toEqual([name, 1, expect.stringContaining('(config_invalid)')]);
      expect(await readFile(file, 'utf8')).toBe(text);
    }
  });

  promise('9.9e', 'keeps a literal secret out of the user file too', async () => {
    await using home = await makeHome();
    const { code, said } = await ran(
      home,
      ...[
        'mcp',
        'add',
        'g',
        '--scope',
        'global',
        '--url',
        'http://127.0.0.1:9/',
        '--header',
        'Authorization=Bearer ghp_0123456789abcdef',
      ],
    );
    expect([code, said]).toEqual([0, expect.stringContaining('stored the secret')]);
    expect(await readFile(`${home.path}/${USER}`, 'utf8')).not.toContain('ghp_');
  });
});

describe('an empty file of another program', () => {
  promise('1.4af', 'keeps its dialect when a server is added', async () => {
    await using home = await makeHome();
    const toolloop = await home.write('project/codex-toolloop.mcp.json', { servers: {} });
    expect(await ran(home, 'mcp', 'add', 'w', '--url', 'http://127.0.0.1:9/')).toMatchObject({ code: 0 });
    expect((await read(toolloop)).servers.w).toMatchObject({ transport: { type: 'http' } });
  });

  promise('1.4af', 'is still one after its last server was removed, in TOML too', async () => {
    await using home = await makeHome();
    const toml = await home.write('project/.mcp.toml', '[mcp_servers.a]\ntransport = "stdio"\nprogram = "a"\n');
    expect(await ran(home, 'mcp', 'remove', 'a')).toMatchObject({ code: 0 });
    expect(await ran(home, 'mcp', 'list')).toEqual({ code: 0, said: 'no MCP servers configured\n' });
    expect(await ran(home, 'validate')).toMatchObject({ code: 0 });
    expect(await ran(home, 'mcp', 'add', 'b', '--command', 'b')).toMatchObject({ code: 0 });
    expect(await readFile(toml, 'utf8')).toMatch(/\[mcp_servers\.b\]\s+transport = "stdio"\s+program = "b"/);
  });
});

describe('switches and layers', () => {
  promise(
    '4.1ah',
    'a switch that another layer overrules says who decides, and the list names the switch',
    async () => {
      await using home = await makeHome();
      await home.write(USER, { servers: { both: server('x') } });
      const project = await home.write('project/junctor.json', { servers: { both: { enabled: true } } });
      const { said } = await ran(home, 'mcp', 'disable', 'both', '--scope', 'global');
      expect(said).toContain(`'both' stays enabled here: the project layer decides, ${project}`);
      expect(said).toContain('junctor mcp disable both --scope project');
      expect((await ran(home, 'mcp', 'list')).said).toMatch(/both +stdio +global +yes \(project\)/);
      expect((await ran(home, 'mcp', 'list', '--scope', 'project')).said).toMatch(/both +stdio/);
    },
  );

  promise('4.1ah', 'enabling again leaves no bare switch behind', async () => {
    await using home = await makeHome();
    await home.write(USER, { servers: { both: server('x') } });
    const project = await home.write('project/junctor.json', { servers: {} });
    await ran(home, 'mcp', 'disable', 'both');
    expect((await read(project)).servers).toEqual({ both: { enabled: false } });
    const removed = await ran(home, 'mcp', 'remove', 'both', '--scope', 'global');
    expect(removed.said).toContain(
      `${project} still switches 'both'; to take that out: junctor mcp remove both --scope project`,
    );
    await home.write(USER, { servers: { both: server('x') } });
    await ran(home, 'mcp', 'enable', 'both');
    expect((await read(project)).servers).toEqual({});
  });

  promise('1.6ac', 'servers of a project file that another one hides are told about', async () => {
    await using home = await makeHome();
    const own = await home.write('project/junctor.json', { servers: { mine: server('x') } });
    const other = await home.write('project/.codelia/config.json', codelia({ mine: server('x'), theirs: server('y') }));
    for (const words of [['mcp', 'list'], ['validate']])
      expect((await ran(home, ...words)).said).toContain(
        `note: ${other} is not read: ${own} counts in this folder. Only the former defines 'theirs'.`,
      );
  });

  test('a variable that names no file is an error, whichever program reads it', async () => {
    for (const name of ['CODELIA_CONFIG_PATH', 'CODE_AGENT_MCP_CONFIG_PATH', 'JUNCTOR_CONFIG_PATH']) {
      await using home = await makeHome();
      const { code, stderr } = await junctor(home, ['mcp', 'list'], { env: { [name]: `${home.path}/gone.json` } });
      expect([name, code, stderr]).toEqual([name, 1, expect.stringContaining('Cannot read the config file')]);
    }
  });

  test('a project file that cannot hold a key names the command that can', async () => {
    await using home = await makeHome();
    await home.write('project/.codelia/config.json', codelia({}));
    const key = ['--url', 'http://127.0.0.1:9/', '--header', 'Authorization=Bearer ghp_0123456789abcdef'];
    const { code, said } = await ran(home, 'mcp', 'add', 'sec', ...key);
    expect([code, said]).toEqual([1, expect.stringContaining('repeat the command with --scope local')]);
    expect(await ran(home, 'mcp', 'add', 'sec', ...key, '--scope', 'local')).toMatchObject({ code: 0 });
    expect(await listed(home)).toEqual([['sec', true]]);
    expect((await stat(`${home.project}/junctor.local.json`)).isFile()).toBe(true);
  });
});
