import { join } from 'node:path';
import { everything, junctor, makeHome, promise, ROOT, testServer, trusted } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';

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

  test('names an unknown tool as such, and does not call it', async () => {
    await using home = await makeHome();
    await home.write('config/junctor/config.json', { servers: { every: trusted(everything()) } });
    const { code, stdout, stderr } = await junctor(home, ['mcp', 'call', 'every', 'ecko']);
    expect([code, stdout, stderr.split('\n')]).toEqual([
      1,
      '',
      [
        "error: Server 'every' has no tool 'ecko'. (tool_not_found)",
        '  why: the server does not list it',
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
