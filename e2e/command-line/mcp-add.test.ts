import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { junctor, makeHome, promise } from '@junctor/testkit';
import { describe, expect } from 'vitest';

describe('mcp add', () => {
  promise(
    ['1.5g', '4.1b', '4.1d', '4.1e', '4.1h', '4.1i', '4.1j', '4.1m'],
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
      expect((await stat(file)).mode & 0o777).toBe(0o644 & ~process.umask());
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
