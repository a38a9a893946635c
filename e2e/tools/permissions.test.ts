import { createHost, type Question } from '@junctor/core';
import { promise, testServer } from '@junctor/testkit';
import { describe, expect } from 'vitest';

const echo = { server: 'demo', tool: 'echo' };

describe('a call', () => {
  promise(
    ['3.4a', '3.4b', 'C11.1e'],
    'of an untrusted server is asked about, with server, tool and arguments',
    async () => {
      const asked: Question[] = [];
      await using host = await createHost({
        config: { version: 1, servers: { demo: testServer() } },
        ask: async question => asked.push(question) === 1,
      });
      expect((await host.call(echo, { text: 'one' })).output).toBe('one');
      const refused = await host.call(echo, { text: 'two' });
      expect(asked.map(({ server, tool, args }) => ({ server, tool, args }))).toEqual([
        { ...echo, args: { text: 'one' } },
        { ...echo, args: { text: 'two' } },
      ]);
      expect(refused).toMatchObject({
        success: false,
        error: "The call of 'echo' on server 'demo' was denied by a person.",
      });
    },
  );

  promise(['3.4k', '3.4l', '3.4c', '3.4g', '3.4o'], 'runs by trust and rules: deny beats ask beats allow', async () => {
    await using host = await createHost({
      config: {
        version: 1,
        servers: { open: { ...testServer(), trust: 'trusted' }, closed: testServer() },
        permissions: {
          allow: ['mcp__closed__echo', 'mcp__closed__pid', 'mcp__closed__fail'],
          ask: ['mcp__*__fail', 'mcp__open__big'],
          deny: ['mcp__closed__p*', 'mcp__open__big'],
        },
      },
    });
    const effects = (server: string) =>
      Object.fromEntries(['echo', 'fail', 'pid', 'big'].map(tool => [tool, host.judge(server, tool).effect]));
    expect(effects('open')).toEqual({ echo: 'allow', fail: 'ask', pid: 'allow', big: 'deny' });
    expect(effects('closed')).toEqual({ echo: 'allow', fail: 'ask', pid: 'deny', big: 'ask' });
    expect(await host.call({ server: 'open', tool: 'big' })).toMatchObject({
      success: false,
      error: "The call of 'big' on server 'open' was denied: the rule deny mcp__open__big.",
    });
  });
});
