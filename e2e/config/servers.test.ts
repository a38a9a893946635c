import { createServer } from 'node:http';
import { createHost, type McpConfigInput } from '@junctor/core';
import { junctor, makeHome, promise, testServer, trusted } from '@junctor/testkit';
import { describe, expect } from 'vitest';

const USER = 'config/junctor/config.json';

describe('the servers of a config', () => {
  promise('1.8a', 'work beside one that is invalid, one whose program is missing and one that is broken', async () => {
    await using home = await makeHome();
    await home.write(USER, {
      servers: {
        good: trusted(testServer()),
        invalid: { transport: 'stdio' },
        gone: { transport: 'stdio', command: 'no-such-program' },
        'bad id': testServer(),
      },
    });
    const { tools } = JSON.parse((await junctor(home, ['mcp', 'tools', '--json'])).stdout);
    expect(new Set(tools.map(({ server }: { server: string }) => server))).toEqual(new Set(['good']));
    expect((await junctor(home, ['mcp', 'call', 'good', 'echo', '--args', '{"text":"hi"}'])).stdout).toBe('hi\n');
  });

  promise(
    ['1.10a', '1.10b', '1.10c', '1.10d', '1.10e', '1.10f', '1.2v', 'A10o'],
    'offer the tools their lists leave, and no other can be called',
    async () => {
      await using home = await makeHome();
      await home.write(USER, {
        servers: {
          all: trusted(testServer()),
          some: { ...trusted(testServer()), tools: { allow: ['e*', 'p?d', 'slow'], deny: ['slow'] } },
          most: { ...trusted(testServer()), tools: { deny: ['*_response', 'state'] } },
        },
      });
      const { tools } = JSON.parse((await junctor(home, ['mcp', 'tools', '--json', '--names', 'server_tool'])).stdout);
      const names = (id: string) =>
        tools.filter(({ server }: { server: string }) => server === id).map(({ tool }: { tool: string }) => tool);
      const all = ['big', 'echo', 'fail', 'json_response', 'pid', 'slow', 'state'];
      expect(names('all')).toEqual(expect.arrayContaining(all));
      expect(names('some')).toEqual(['echo', 'pid']);
      expect(names('most')).toEqual(names('all').filter((name: string) => !['json_response', 'state'].includes(name)));
      const hidden = JSON.parse((await junctor(home, ['mcp', 'call', 'some', 'slow', '--json'])).stdout);
      expect([hidden.error.code, hidden.error.why]).toEqual(['tool_not_found', 'the config leaves this tool out']);
    },
  );

  promise(
    ['1.2i', '1.2j'],
    'start with their arguments as written, in their folder, with their variables and few others',
    async () => {
      await using home = await makeHome();
      const script =
        'process.stderr.write(JSON.stringify([process.argv.slice(1), process.cwd(), process.env.OWN, process.env.LEAKED ?? null]) + "\\n"); process.exit(7)';
      await home.write(USER, {
        servers: {
          x: {
            transport: 'stdio',
            command: process.execPath,
            args: ['-e', script, '$HOME', '*', 'a b'],
            cwd: home.project,
            env: { OWN: 'mine' },
          },
        },
      });
      const { stdout } = await junctor(home, ['mcp', 'tools', 'x', '--json'], { env: { LEAKED: 'secret' } });
      const { why } = JSON.parse(stdout).error;
      expect(JSON.parse(why.split('\n').at(-1))).toEqual([['$HOME', '*', 'a b'], home.project, 'mine', null]);
    },
  );

  promise(
    ['1.2p', '1.2b', '1.2q', '1.2r'],
    'get their bearer token from its variable; what is switched off is not contacted',
    async () => {
      const seen: (string | undefined)[] = [];
      const http = createServer((request, response) => {
        seen.push(request.headers.authorization);
        response.writeHead(500).end();
      });
      await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve));
      const { port } = http.address() as { port: number };
      const remote = { transport: 'http', url: `http://127.0.0.1:${port}/`, bearer_token_env_var: 'A_TOKEN' };
      const surroundings = {
        cwd: '/',
        home: '/nowhere',
        env: { A_TOKEN: 'from-the-environment' },
        platform: process.platform,
      };
      const tools = async (config: object) => {
        await using host = await createHost({
          config: config as McpConfigInput,
          surroundings,
          data: '/nowhere',
          attempts: 1,
        });
        await host.tools();
        return host.judge('a', 'any').effect;
      };
      try {
        expect(await tools({ servers: { a: remote } })).toBe('ask');
        expect([...new Set(seen)]).toEqual(['Bearer from-the-environment']);
        const asked = seen.length;
        await tools({ servers: { a: { ...remote, enabled: false } } });
        await tools({ enabled: false, servers: { a: remote } });
        expect(seen).toHaveLength(asked);
      } finally {
        await new Promise(resolve => http.close(resolve).closeAllConnections());
      }
    },
  );
});
