import { join } from 'node:path';
import { junctor, makeHome, promise, testServer } from '@junctor/testkit';
import { describe, expect } from 'vitest';
import { json, server, USER } from './commands.ts';

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
