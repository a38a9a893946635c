import { createHost, type Question } from '@junctor/core';
import { NAMING_STRATEGIES } from '@junctor/core/known';
import { makeHome, promise, testServer, trusted } from '@junctor/testkit';
import { describe, expect } from 'vitest';
import { person } from './person.ts';

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
        error: 'demo/echo was denied by a person. (permission_denied)',
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
      error: 'open/big was denied: the rule deny mcp__open__big. (permission_denied)',
    });
  });
});

describe('a rule', () => {
  promise('3.4e', 'matches server and tool, whatever naming strategy is in use', async () => {
    for (const naming of Object.keys(NAMING_STRATEGIES) as (keyof typeof NAMING_STRATEGIES)[]) {
      await using home = await makeHome();
      const { asked, ask } = person();
      await using host = await createHost({
        config: {
          // Ids and tools whose joined names look alike.
          servers: { a: testServer(), a_b: trusted(testServer()), mcp: testServer() },
          permissions: {
            allow: ['mcp__a__echo', 'mcp__mcp__echo(text=yes)'],
            ask: ['mcp__a_b__echo(text=maybe)'],
            deny: ['mcp__a_b__pid', 'mcp__a__json_*'],
          },
        },
        data: home.data,
        naming,
        ask,
      });
      const named = new Map((await host.tools()).map(entry => [`${entry.server}/${entry.tool}`, entry.name]));
      const call = async (pair: string, args: object = {}) => {
        const { success, error } = await host.call(named.get(pair) as string, args);
        return success ? 'ran' : error?.replace(/^\S+ was (.*) \(\w+\)$/, '$1');
      };
      expect([naming, await call('a/echo', { text: 'x' })]).toEqual([naming, 'ran']);
      expect([naming, await call('a_b/echo', { text: 'x' })]).toEqual([naming, 'ran']);
      expect([naming, await call('mcp/echo', { text: 'yes' })]).toEqual([naming, 'ran']);
      expect(asked).toEqual([]);
      expect([naming, await call('a_b/pid')]).toEqual([naming, 'denied: the rule deny mcp__a_b__pid.']);
      expect([naming, await call('a/json_response')]).toEqual([naming, 'denied: the rule deny mcp__a__json_*.']);
      expect([naming, await call('mcp/echo', { text: 'no' })]).toEqual([naming, 'denied by a person.']);
      expect([naming, await call('a_b/echo', { text: 'maybe' })]).toEqual([naming, 'denied by a person.']);
      expect([naming, await call('mcp/pid')]).toEqual([naming, 'denied by a person.']);
      expect(asked.map(({ server, tool: name }) => `${server}/${name}`)).toEqual(['mcp/echo', 'a_b/echo', 'mcp/pid']);
    }
  });
});
