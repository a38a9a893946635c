/** A call by public name opens the server it needs and no other, and fails with that server's own reason. */
import { createHost, type Host, type McpConfigInput, type NamingStrategy } from '@junctor/core';
import { makeHome, misbehaving, promise, testServer, trusted } from '@junctor/testkit';
import { startAuthority } from '@junctor/testkit/authority';
import { describe, expect, test } from 'vitest';
import { hostListing, tool } from './listing.ts';

const STRATEGIES: readonly NamingStrategy[] = ['mcp__', 'hash', 'at', 'mcp_', 'colons', 'server_tool'];

const idle = (host: Host): string[] =>
  host
    .status()
    .filter(({ state }) => state === 'idle')
    .map(({ id }) => id);

describe('a call by public name', () => {
  promise('10.1e', 'opens only the server of the name, with every naming strategy', async () => {
    await using home = await makeHome();
    const lists = { fs: [tool('read'), tool('lire un café')], other: [tool('read')], third: [tool('x')] };
    for (const naming of STRATEGIES) {
      const names = await (async () => {
        await using host = await hostListing(home, lists, { naming, remember: false });
        return (await host.tools()).filter(({ server }) => server === 'fs');
      })();
      for (const { name, tool: own } of names) {
        await using host = await hostListing(home, lists, { naming, remember: false });
        expect([name, (await host.call(name)).output]).toEqual([name, JSON.stringify([own, {}])]);
        expect([name, idle(host)]).toEqual([name, ['other', 'third']]);
      }
    }
  });

  test('that could be of two servers runs the tool that has it, and no other', async () => {
    await using home = await makeHome();
    const lists = { a: [tool('b__c'), tool('own')], a__b: [tool('c')], z: [tool('x')] };
    const entries = await (async () => {
      await using host = await hostListing(home, lists);
      return await host.tools();
    })();
    expect(entries.map(({ server }) => server)).toEqual(['a__b', 'a', 'a', 'z']);
    for (const remember of [true, false]) {
      for (const { name, tool: own, server } of entries.filter(entry => entry.server !== 'z')) {
        await using host = await hostListing(home, lists, { remember });
        expect([name, (await host.call(name)).output]).toEqual([name, JSON.stringify([own, {}])]);
        expect(idle(host)).toContain('z');
        // Where an earlier run wrote down who has the tool, nobody else is tried.
        if (remember) expect(idle(host)).toEqual(Object.keys(lists).filter(id => id !== server));
      }
    }
  });

  promise('10.1f', 'fails with the reason of its server, as a call by server and tool does', async () => {
    await using home = await makeHome();
    await using authority = await startAuthority();
    const servers = {
      guarded: { transport: 'http', url: authority.mcpUrl },
      down: { transport: 'http', url: 'http://127.0.0.1:9/mcp' },
      absent: { transport: 'stdio', command: 'no-such-program-anywhere' },
      dies: misbehaving('dies-early'),
      off: { ...testServer(), enabled: false },
      needy: { ...testServer(), env: { KEY: '$' + '{NO_SUCH_VARIABLE}' } },
      wrong: { transport: 'stdio' },
      fine: trusted(testServer()),
    };
    const rules = { health: { reconnect_attempts: 0 }, permissions: { allow: ['mcp__*'] } };
    const config = { version: 1, servers, ...rules } as unknown as McpConfigInput;
    await using host = await createHost({ data: home.data, config, surroundings: surroundings(home) });
    const failure = (
      target: Parameters<Host['call']>[0],
    ): Promise<{ code: string; message: string; outcome?: string }> =>
      host.call(target, { text: 'x' }).then(
        () => expect.unreachable('it ran'),
        ({ code, message, outcome }) => ({ code, message, outcome }),
      );
    const codes: unknown[] = [];
    for (const server of Object.keys(servers).slice(0, -1)) {
      const byName = await failure(`mcp__${server}__echo`);
      const byPair = await failure({ server, tool: 'echo' });
      expect([byName.code, byName.message]).toEqual([byPair.code, byPair.message]);
      codes.push([server, byName.code]);
    }
    expect(codes).toEqual([
      ['guarded', 'auth_required'],
      ['down', 'connection_failed'],
      ['absent', 'command_not_found'],
      ['dies', expect.stringMatching(/^connection_(failed|lost)$/)],
      ['off', 'server_unusable'],
      ['needy', 'server_unusable'],
      ['wrong', 'config_invalid'],
    ]);
    expect(idle(host)).toEqual(['fine']);
    expect(await failure('mcp__down__echo')).toMatchObject({ outcome: 'not_sent' });
  });

  test('of a tool that its server does not have starts no other server', async () => {
    await using home = await makeHome();
    await using host = await hostListing(home, { fs: [tool('read_file')], other: [tool('x')] });
    await expect(host.call('mcp__fs__read_fil')).rejects.toMatchObject({
      code: 'tool_not_found',
      hint: expect.stringContaining("did you mean 'mcp__fs__read_file'?"),
    });
    expect(idle(host)).toEqual(['other']);
    // No server stands in this one: only all of them together can tell.
    await expect(host.call('read_file')).rejects.toMatchObject({ code: 'tool_not_found' });
    expect(idle(host)).toEqual([]);
  });

  test('that is given up does not wait for its server', async () => {
    await using home = await makeHome();
    const config = { version: 1, servers: { never: trusted(misbehaving('never-answers')) } } as McpConfigInput;
    await using host = await createHost({ data: home.data, config });
    await expect(host.call('mcp__never__echo', {}, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'cancelled',
    });
  });
});

function surroundings({ project, path, env }: Awaited<ReturnType<typeof makeHome>>) {
  return { cwd: project, home: path, env, platform: process.platform };
}
