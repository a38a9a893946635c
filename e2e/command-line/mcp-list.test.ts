import { junctor, makeHome, promise } from '@junctor/testkit';
import { describe, expect } from 'vitest';

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
        {
          id: 'a',
          transport: 'stdio',
          source: 'project',
          enabled: false,
          trust: 'untrusted',
          approval: 'waiting',
          endpoint: '/nowhere/a',
        },
        {
          id: 'b',
          transport: 'stdio',
          source: 'global',
          enabled: true,
          trust: 'untrusted',
          approval: null,
          endpoint: 'b',
        },
        {
          id: 'c',
          transport: 'http',
          source: 'project',
          enabled: true,
          trust: 'untrusted',
          approval: 'waiting',
          endpoint: 'http://127.0.0.1:9/',
        },
      ]);
      expect((await junctor(home, ['mcp', 'list'])).stdout).toContain(
        'a   stdio      project  no       untrusted  waiting   /nowhere/a',
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
