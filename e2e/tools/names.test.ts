import { createHost, type Host, type NamingStrategy } from '@junctor/core';
import { junctor, makeHome, promise, trusted } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { hostListing, listing, tool } from './listing.ts';

const STRATEGIES: readonly NamingStrategy[] = ['mcp__', 'hash', 'at', 'mcp_', 'colons', 'server_tool', 'auto'];

const names = async (host: Host, view = {}): Promise<string[]> => (await host.tools(view)).map(({ name }) => name);

describe('a naming strategy', () => {
  promise('3.1h', 'of the library is mcp__<server>__<tool> where nothing else is said', async () => {
    await using home = await makeHome();
    await using host = await hostListing(home, { filesystem: [tool('read_file')] });
    expect((await host.tools()).map(({ name }) => name)).toEqual(['mcp__filesystem__read_file']);
    expect((await host.call('mcp__filesystem__read_file')).success).toBe(true);
  });

  promise(['3.1b', '3.1d', '3.1e', '3.1f'], 'names tools so, and the name leads to the tool', async () => {
    await using home = await makeHome();
    const expected = {
      mcp__: 'mcp__filesystem__read_file',
      // printf 'filesystem\0read_file' | sha256sum
      hash: 'mcp_filesystem_read_file_2859a2fb',
      at: 'read_file@filesystem',
      mcp_: 'mcp_filesystem_read_file',
      colons: 'filesystem::read_file',
      server_tool: 'filesystem_read_file',
      auto: 'read_file',
    };
    for (const naming of STRATEGIES) {
      await using host = await hostListing(home, { filesystem: [tool('read_file')] }, { naming });
      expect(await names(host)).toEqual([expected[naming]]);
      expect((await host.call(expected[naming], { a: 1 })).output).toBe('["read_file",{"a":1}]');
    }
  });

  promise('9.1a', 'is one of seven words for --names; any other is used wrongly', async () => {
    await using home = await makeHome();
    const config = { version: 1, servers: { fs: await listing(home, 'fs', [tool('read')]) } };
    const file = await home.write('junctor.json', config);
    const listed = async (word: string) => {
      const { stdout } = await junctor(home, [
        'mcp',
        'tools',
        '--names',
        word,
        '--config',
        file,
        '--isolated',
        '--json',
      ]);
      return (JSON.parse(stdout) as { tools: { name: string }[] }).tools[0]?.name;
    };
    const seen = [];
    for (const word of STRATEGIES) seen.push(await listed(word));
    expect(seen).toEqual([
      'mcp__fs__read',
      expect.stringMatching(/^mcp_fs_read_[0-9a-f]{8}$/),
      'read@fs',
      'mcp_fs_read',
      'fs::read',
      'fs_read',
      'read',
    ]);
    const wrong = await junctor(home, ['mcp', 'tools', '--names', 'slash', '--config', file, '--isolated']);
    expect([wrong.code, wrong.stderr]).toEqual([
      2,
      expect.stringContaining('mcp__, hash, at, mcp_, colons, server_tool, auto'),
    ]);
  });

  promise('3.1k', 'that cannot fit a provider is refused for that provider, with the reason', async () => {
    await using home = await makeHome();
    await using host = await hostListing(home, { fs: [tool('read')] });
    const refused = async (naming: NamingStrategy, reader: object) =>
      host.tools({ naming, ...reader }).then(
        () => undefined,
        error => [error.code, error.message, error.why],
      );
    expect(await refused('at', { model: 'openai' })).toEqual([
      'usage',
      "The naming strategy 'at' cannot be used for OpenAI Chat Completions.",
      "its names hold '@', which cannot be read there",
    ]);
    expect(await refused('colons', { model: 'claude-opus-4-5' })).toEqual([
      'usage',
      "The naming strategy 'colons' cannot be used for Anthropic Messages.",
      "its names hold ':', which cannot be read there",
    ]);
    expect((await refused('mcp__', { client: 'grok' }))?.[2]).toBe(
      "its names hold '__', which may not stand in a name there",
    );
    // Gemini reads colons, and nobody in particular may read anything.
    expect(await names(host, { naming: 'colons', model: 'gemini' })).toEqual(['fs::read']);
    expect(await names(host, { naming: 'at' })).toEqual(['read@fs']);
    const file = await home.write('junctor.json', { version: 1, servers: {}, naming: { strategy: 'at' } });
    const shown = await junctor(home, ['mcp', 'tools', '--model', 'bedrock', '--config', file, '--isolated']);
    expect([shown.code, shown.stderr]).toEqual([2, expect.stringContaining("'at' cannot be used for Amazon Bedrock")]);
  });
});

/** Names that are trouble for somebody. */
const TROUBLE = [
  ...[
    'plain',
    'with.dot',
    'dash-name',
    'fs__read_file',
    'space in it',
    'accenté',
    '読む',
    '😀',
    '___',
    'a/b',
    '9lives',
  ],
  ...['x'.repeat(128), 'x'.repeat(300), 'tab\there', 'a@b', 'a::b', 'ends_deadbeef', 'café', 'cafe\u0301'],
];

const PROVIDERS = {
  openai: /^[a-zA-Z0-9_-]{1,64}$/,
  'openai-responses': /^[a-zA-Z0-9_-]{1,64}$/,
  anthropic: /^[a-zA-Z0-9_-]{1,128}$/,
  bedrock: /^[a-zA-Z0-9_-]{1,64}$/,
  gemini: /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/,
  default: /^[a-zA-Z][a-zA-Z0-9_-]{0,62}$/,
};

describe('names of any tools', () => {
  promise(['3.1j', '3.1l'], 'fit the provider, and lead back to server and tool', async () => {
    await using home = await makeHome();
    const all = TROUBLE.map(name => tool(name));
    const ids = ['fs', 'a', 'a__b', 'under_score', '9to5', 's'.repeat(64)];
    await using host = await hostListing(home, Object.fromEntries(ids.map(id => [id, all])));
    const pairs = ids.flatMap(server => TROUBLE.map(name => `${server}\0${name}`)).sort();
    for (const [model, fits] of Object.entries(PROVIDERS)) {
      for (const naming of STRATEGIES) {
        const snapshot = await host.snapshot({ model, naming }).catch(() => undefined);
        if (!snapshot) continue;
        for (const name of snapshot.byName.keys())
          expect([model, naming, name]).toEqual([model, naming, expect.stringMatching(fits)]);
        const back = [...snapshot.byName.values()].map(({ server, tool: name }) => `${server}\0${name}`).sort();
        expect(back).toEqual(pairs);
      }
    }
    const { byName } = await host.snapshot({ model: 'gemini' });
    for (const [name, entry] of [...byName].filter(([, { server }]) => server === 'fs' || server === 'a__b')) {
      expect((await host.call(name)).output).toBe(JSON.stringify([entry.tool, {}]));
    }
  });

  promise('3.4e', 'are judged by server and tool, whatever the strategy calls them', async () => {
    await using home = await makeHome();
    const servers = { fs: await listing(home, 'fs', [tool('read'), tool('write.all'), tool('rm')]) };
    const permissions = { allow: ['mcp__fs__read', 'mcp__fs__write.all'], deny: ['mcp__fs__rm'] };
    for (const naming of STRATEGIES) {
      await using host = await createHost({ data: home.data, naming, config: { version: 1, servers, permissions } });
      const results = new Map<string, string>();
      for (const entry of await host.tools()) {
        const { success, denied } = await host.call(entry.name);
        results.set(entry.tool, denied ? 'denied' : success ? 'ran' : 'failed');
      }
      expect([naming, Object.fromEntries(results)]).toEqual([
        naming,
        { read: 'ran', 'write.all': 'ran', rm: 'denied' },
      ]);
    }
  });

  test('are the same whatever is connected, and once published stay', async () => {
    await using home = await makeHome();
    const old = trusted(await listing(home, 'a', [tool('b_c')]));
    const newcomer = trusted(await listing(home, 'a_b', [tool('c')]));
    const save = (servers: object) =>
      home.write('servers.json', { version: 1, servers, naming: { strategy: 'server_tool' } });
    const options = { path: await save({ a: old }), isolated: true, data: home.data };
    await using host = await createHost(options);
    expect(await names(host)).toEqual(['a_b_c']);
    await save({ a: old, a_b: newcomer });
    await host.reload();
    const [kept, hashed] = await names(host);
    expect([kept, hashed]).toEqual(['a_b_c', expect.stringMatching(/^a_b_c_[0-9a-f]{8}$/)]);
    expect((await host.call('a_b_c')).output).toBe('["b_c",{}]');
    expect((await host.call(hashed as string)).output).toBe('["c",{}]');
    // A name that was given out goes to nobody else, also when its tool is gone.
    await save({ a_b: newcomer });
    await host.reload();
    expect(await names(host)).toEqual([hashed]);
    // Elsewhere both are there from the beginning: the longer id has the plain name, whoever answered first.
    await save({ a: old, a_b: newcomer });
    await using other = await createHost(options);
    const seen = (await other.tools()).map(({ name, server }) => [name, server]);
    expect(seen).toEqual([
      ['a_b_c', 'a_b'],
      [expect.stringMatching(/^a_b_c_/), 'a'],
    ]);
    await using alone = await createHost(options);
    const { entries } = await alone.snapshot({ servers: ['a'] });
    expect(entries.map(({ name }) => name)).toEqual([seen[1]?.[0]]);
  });
});
