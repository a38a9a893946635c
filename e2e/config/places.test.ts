import { spawnSync } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createHost, loadMcpConfig } from '@junctor/core';
import { type Home, JUNCTOR, junctor, makeHome, promise, testServer, trusted } from '@junctor/testkit';
import { makeBrowserProgram, startAuthority } from '@junctor/testkit/authority';
import { describe, expect } from 'vitest';
import { candidatePaths } from '../../packages/core/src/config/sources/places.ts';
import { hubWith } from './hub-in-house.ts';

/** Not every machine has it. */
const OWN_WORLD = 'unshare';

const file = (id: string) => ({ servers: { [id]: { transport: 'stdio', command: 'x' } } });

/** What a machine of this kind finds in a house, without variables that say otherwise. */
async function idsOn(home: Home, platform: NodeJS.Platform, env: Record<string, string> = {}): Promise<string[]> {
  const surroundings = { cwd: home.project, home: home.path, env, platform };
  return [...(await loadMcpConfig({ surroundings })).servers.keys()];
}

/** Variables of a house without those named. */
function without(home: Home, ...names: string[]): Record<string, string> {
  return Object.fromEntries(names.filter(name => name in home.env).map(name => [name, '']));
}

promise('12.6g', 'an empty or relative home makes no file of a checkout the own one of a person', async () => {
  await using home = await makeHome();
  const marked = (id: string) => ({
    servers: { [id]: { transport: 'stdio', command: 'touch', args: [join(home.path, 'ran')] } },
  });
  await home.write('project/.config/junctor/config.json', marked('fromconfig'));
  await home.write('project/.code_agent/config.json', { mcpServers: marked('fromagent').servers });
  await home.write('project/sub/.keep', '');
  const listed = async (env: Record<string, string>): Promise<{ id: string }[]> => {
    const { stdout, stderr } = await junctor(home, ['mcp', 'list', '--json'], { env });
    expect(stderr).toBe('');
    return JSON.parse(stdout).servers;
  };
  for (const env of [
    { HOME: '', XDG_CONFIG_HOME: '' },
    { HOME: '.', XDG_CONFIG_HOME: '' },
    { XDG_CONFIG_HOME: '.config' },
    { HOME: '', XDG_CONFIG_HOME: './.config' },
  ])
    expect([env, await listed(env)]).toEqual([env, []]);
  expect(await readdir(home.path)).not.toContain('ran');
});

describe('the user file', () => {
  promise('8.29a', 'lies in the config directory of the person, as the system has it', async () => {
    await using home = await makeHome();
    await home.write('.config/junctor/config.yaml', 'servers:\n  plain:\n    transport: stdio\n    command: x\n');
    await home.write('xdg/junctor/config.toml', '[servers.moved]\ntransport = "stdio"\ncommand = "x"\n');
    await home.write('roaming/junctor/config.json', file('windows'));
    expect(await idsOn(home, 'linux')).toEqual(['plain']);
    expect(await idsOn(home, 'darwin')).toEqual(['plain']);
    expect(await idsOn(home, 'linux', { XDG_CONFIG_HOME: join(home.path, 'xdg') })).toEqual(['moved']);
    expect(await idsOn(home, 'win32', { APPDATA: join(home.path, 'roaming') })).toEqual(['windows']);
    const add = (env: Record<string, string>) =>
      junctor(home, ['mcp', 'add', 'added', '--scope', 'global', '--command', 'x', '--json', '--replace'], { env });
    expect(JSON.parse((await add({})).stdout).file).toBe(home.userConfig);
    const unset = await add(without(home, 'XDG_CONFIG_HOME'));
    expect(JSON.parse(unset.stdout).file).toBe(join(home.path, '.config/junctor/config.yaml'));
  });
});

describe('the policy', () => {
  promise('8.30a', 'lies where only an administrator writes', async () => {
    await using home = await makeHome();
    await home.write('program-data/junctor/policy.yaml', 'servers:\n  ruled:\n    transport: stdio\n    command: x\n');
    await home.write('.config/junctor/config.json', file('own'));
    const ProgramData = join(home.path, 'program-data');
    expect(await idsOn(home, 'win32', { ProgramData })).toEqual(['ruled']);
    expect(await idsOn(home, 'linux', { ProgramData })).toEqual(['own']);
    const looked = (platform: NodeJS.Platform) =>
      candidatePaths({ cwd: home.project, home: home.path, env: {}, platform }).filter(path =>
        /policy\.\w+$/.test(path),
      );
    const all = (folder: string) =>
      ['json', 'jsonc', 'yaml', 'yml', 'toml'].map(ending => `${folder}/policy.${ending}`);
    expect(looked('linux')).toEqual(all('/etc/junctor'));
    expect(looked('darwin')).toEqual(all('/Library/Application Support/junctor'));
    // In a world of its own, where somebody may write there.
    const lines = [
      'mount -t tmpfs tmpfs /etc && mkdir /etc/junctor',
      `printf '%s' '${JSON.stringify(file('ruled'))}' > /etc/junctor/policy.json`,
      '"$NODE" "$JUNCTOR" mcp list --json',
    ];
    const { status, stdout } = spawnSync(OWN_WORLD, ['--map-root-user', '--mount', 'sh', '-c', lines.join(' && ')], {
      cwd: home.project,
      env: { ...home.env, NODE: process.execPath, JUNCTOR },
      encoding: 'utf8',
    });
    if (status !== 0) return; // not every machine lets one make such a world
    expect(JSON.parse(stdout).servers).toMatchObject([{ id: 'ruled', file: '/etc/junctor/policy.json' }]);
  });
});

describe('the data directory', () => {
  promise('8.31a', 'is that of the person where nothing else is said', async () => {
    await using home = await makeHome();
    const env = without(home, 'JUNCTOR_DATA');
    await junctor(home, ['secret', 'set', 'first'], { input: 'x', env });
    expect(await readdir(join(home.path, 'xdg-data/junctor'))).toEqual(['secrets.json']);
    await junctor(home, ['secret', 'set', 'second'], { input: 'x', env: { ...env, XDG_DATA_HOME: '' } });
    expect(await readdir(join(home.path, '.local/share/junctor'))).toEqual(['secrets.json']);
  });

  promise('8.31c', 'holds sign-ins, secrets, what the hub stores, what was listed, and long results', async () => {
    await using home = await makeHome();
    const authority = await startAuthority();
    await using _ = { [Symbol.asyncDispose]: () => authority.close() };
    const servers = {
      demo: trusted(testServer()),
      guarded: { transport: 'http', url: authority.mcpUrl },
    };
    await home.write('config/junctor/config.json', { version: 1, servers });
    await junctor(home, ['secret', 'set', 'NAME'], { input: 'x' });
    const browser = await makeBrowserProgram(home);
    await junctor(home, ['mcp', 'login', 'guarded', '--yes'], { env: browser.env });
    await junctor(home, ['mcp', 'tools', 'demo']);
    await using host = await createHost({ data: home.data, config: { servers } });
    const long = await host.call('mcp__demo__big', { bytes: 200_000 });
    expect(long.output).toContain('characters left out');
    await hubWith(home, async () => {});
    const held = await readdir(home.data);
    expect(held).toEqual(expect.arrayContaining(['mcp-auth.json', 'secrets.json', 'hub.db', 'catalogue', 'artifacts']));
    for (const folder of ['catalogue', 'artifacts']) {
      expect([folder, (await readdir(join(home.data, folder))).length > 0]).toEqual([folder, true]);
    }
  });
});

describe('config', () => {
  promise('9.3h', 'that is isolated has no user, plugin or foreign layers', async () => {
    await using home = await makeHome();
    const toml = (id: string) => `[mcp_servers.${id}]\ncommand = "x"\n`;
    await home.write('config/junctor/config.json', file('user'));
    await home.write('config/junctor/plugins/one/plugin.json', file('plugin'));
    await home.write('project/junctor.json', file('project'));
    await home.write('project/junctor.local.json', file('local'));
    await home.write('project/.junctor/plugins/two/plugin.json', file('plugin_of_project'));
    await home.write('.codelia/config.json', {
      version: 1,
      mcp: { servers: { codelia: { transport: 'stdio', command: 'x' } } },
    });
    await home.write('config/cocode/mcp.toml', toml('cocode'));
    const explicit = await home.write('explicit.json', file('explicit'));
    const foreign = join(home.path, 'elsewhere');
    await home.write('elsewhere/codex-toolloop.mcp.json', { version: 1, servers: [] });
    const ids = async (words: string[], cwd = home.project): Promise<string[]> =>
      JSON.parse((await junctor(home, ['mcp', 'list', '--json', ...words], { cwd })).stdout)
        .servers.map(({ id }: { id: string }) => id)
        .sort();
    const seen = await ids([]);
    expect(seen).toEqual(
      expect.arrayContaining(['local', 'plugin', 'plugin_of_project', 'project', 'user', 'codelia']),
    );
    expect(await ids(['--isolated'])).toEqual(['local', 'project']);
    expect(await ids(['--isolated', '--config', explicit])).toEqual(['explicit']);
    expect(await ids(['--isolated'], foreign)).toEqual([]);
  });

  promise('9.3d', 'commands work on files, whether a hub runs or not', async () => {
    const results: object[] = [];
    const act = async (home: Home): Promise<void> => {
      const outcome: unknown[] = [];
      const run = async (...words: string[]): Promise<void> => {
        const { code, stdout } = await junctor(home, [...words, '--json']);
        outcome.push([words.join(' '), code, stdout.replaceAll(home.path, '~')]);
      };
      await run('mcp', 'add', 'added', '--command', 'x');
      await run('mcp', 'disable', 'added');
      await run('mcp', 'list');
      await run('mcp', 'get', 'added');
      await run('explain', 'added');
      await run('validate');
      await run('mcp', 'enable', 'added');
      await run('mcp', 'export', 'cursor', '--via', 'direct');
      await run('mcp', 'remove', 'added');
      await run('mcp', 'list');
      results.push(outcome);
    };
    for (const withHub of [false, true]) {
      await using home = await makeHome();
      await home.write('project/junctor.json', file('first'));
      if (withHub) await hubWith(home, () => act(home));
      else await act(home);
    }
    expect(results[1]).toEqual(results[0]);
    expect(JSON.stringify(results[0])).toContain('project/junctor.json');
  });
});
