import { createHost } from '@junctor/core';
import { junctor, makeHome, promise, startHub, trusted } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { RawClient } from '../hub/rpc.ts';
import { hostListing, listing, tool } from './listing.ts';

/** What clients were seen to put before a name, and how much they take in all. */
const CLIENTS = {
  'qwen-code': ['mcp__junctor__', 63],
  'claude-code': ['mcp__junctor__', 128],
  codex: ['mcp__junctor__', 128],
  gemini: ['mcp_junctor_', 63],
  copilot: ['junctor-', 64],
  cline: ['junctor__', 64],
  vscode: ['mcp_junctor_', 64],
  cursor: ['junctor', 59],
  grok: ['junctor__', 128],
} as const;

describe('a client profile', () => {
  promise('7.7a', "counts the client's own prefix as part of a name", async () => {
    await using home = await makeHome();
    const long = Array.from({ length: 130 }, (_, length) => tool('t'.repeat(length + 1)));
    await using host = await hostListing(home, { files: long });
    for (const [client, [prefix, most]] of Object.entries(CLIENTS)) {
      const { byName } = await host.snapshot({ client });
      const lengths = [...byName.keys()].map(name => prefix.length + name.length);
      // Not one too long, and none cut that need not be.
      expect([client, Math.max(...lengths)]).toEqual([client, Math.min(most, lengthAllowedBehind(client))]);
      expect(byName.size).toBe(long.length);
      const plain = long.filter(({ name }) => byName.has(`files_${name}`));
      expect(plain.length).toBe(Math.min(most, lengthAllowedBehind(client)) - prefix.length - 'files_'.length);
    }
  });

  promise('7.7b', 'decides characters, schemas, the number of tools, and whether a list waits for all', async () => {
    await using home = await makeHome();
    const tools = [
      tool('with.dot'),
      tool('two__parts'),
      { name: 'choice', inputSchema: { type: 'object', properties: { n: { type: 'integer', enum: [1, 2] } } } },
    ];
    await using host = await hostListing(home, { s: tools });
    const named = async (view: object) =>
      (await host.tools(view)).map(({ name }) => name.replace(/_[0-9a-f]{8}$/, '_#'));
    expect(await named({ model: 'gemini', naming: 'server_tool' })).toEqual(['s_choice', 's_two__parts', 's_with.dot']);
    expect(await named({ model: 'openai', naming: 'server_tool' })).toEqual([
      's_choice',
      's_two__parts',
      's_with_dot_#',
    ]);
    expect(await named({ client: 'grok' })).toEqual(['s_choice', 's_two_parts_#', 's_with_dot_#']);

    const property = async (view: object) => {
      const choice = (await host.tools(view)).find(({ tool: name }) => name === 'choice') ?? expect.unreachable();
      return (choice.offered.inputSchema.properties as Record<string, unknown>).n;
    };
    expect(await property({ client: 'claude-code' })).toEqual({ type: 'integer', enum: [1, 2] });
    expect(await property({ client: 'gemini' })).toEqual({ type: 'integer', description: 'One of: 1, 2.' });

    const many = (count: number) => Array.from({ length: count }, (_, index) => tool(`t${index}`));
    await using large = await hostListing(home, { big: many(150), small: many(5) });
    const { entries, beyond, byName } = await large.snapshot({ client: 'windsurf' });
    expect([entries.length, beyond.length, byName.size]).toEqual([100, 55, 155]);
    // The small server keeps its tools, and what is not listed can still be called.
    expect(entries.filter(({ server }) => server === 'small')).toHaveLength(5);
    const left = beyond[0];
    expect((await large.call(left?.name as string)).output).toBe(JSON.stringify([left?.tool, {}]));
    expect((await large.snapshot({ client: 'claude-code' })).entries).toHaveLength(155);
  });

  promise('7.7b', 'of one that does not follow changes makes the first list wait for slow servers', async () => {
    await using home = await makeHome();
    const servers = {
      quick: trusted(await listing(home, 'quick', [tool('a')])),
      slow: trusted(await listing(home, 'slow', [tool('b')], 1500)),
    };
    const first = async (client: string) => {
      await using host = await createHost({ data: home.data, remember: false, config: { version: 1, servers } });
      await host.collect('quick');
      const { entries } = await host.snapshot({ client, patienceMs: 50 });
      return entries.map(({ server }) => server);
    };
    expect(await first('claude-code')).toEqual(['quick']);
    expect(await first('codex')).toEqual(['quick', 'slow']);
  });
});

function lengthAllowedBehind(client: string): number {
  // The models behind a client have a limit as well: 63 where any may be behind it.
  const limits: Record<string, number> = { 'claude-code': 128, codex: 64, grok: 63 };
  return limits[client] ?? 63;
}

describe('the hub', () => {
  promise(['9.1c', '9.1d', '7.7a'], "offers each client names that fit behind the client's own prefix", async () => {
    await using home = await makeHome();
    const names = ['plain', 'two__parts', 'with.dot', 'y'.repeat(42), 'z'.repeat(43), 'x'.repeat(120)];
    const servers = {
      files: trusted(
        await listing(
          home,
          'files',
          names.map(name => tool(name)),
        ),
      ),
      many: trusted(
        await listing(
          home,
          'many',
          Array.from({ length: 120 }, (_, index) => tool(`t${index}`)),
        ),
      ),
    };
    const agents = { windsurf: { servers: ['many'] } };
    await using hub = await startHub(home, { version: 1, servers, agents });
    const offered = async (client: string): Promise<string[]> => {
      const raw = await RawClient.open(hub, `/mcp/${client}`);
      const [answer] = await raw.messages({ id: 1, method: 'tools/list', params: {} });
      const { tools = [] } = (answer?.result ?? {}) as { tools?: { name: string }[] };
      return tools.map(({ name }) => name);
    };
    for (const [client, [prefix, most]] of Object.entries(CLIENTS)) {
      const longest = Math.max(...(await offered(client)).map(name => prefix.length + name.length));
      expect([client, longest]).toEqual([client, Math.min(most, lengthAllowedBehind(client))]);
    }
    const forQwen = await offered('qwen-code');
    expect(Math.max(...forQwen.map(({ length }) => length))).toBe(49);
    expect(forQwen).toEqual(expect.arrayContaining(['files_plain', 'files_two__parts', `files_${'y'.repeat(42)}`]));
    // The tools an agent does not get take no room from those it gets; what is not listed can be called.
    const forWindsurf = await offered('windsurf');
    expect([forWindsurf.length, forWindsurf.every(name => name.startsWith('many_'))]).toEqual([100, true]);
    const left = (await offered('claude-code')).find(name => name.startsWith('many_') && !forWindsurf.includes(name));
    const [called] = await (await RawClient.open(hub, '/mcp/windsurf')).call(2, left as string, {});
    expect(JSON.stringify(called?.result)).toContain((left as string).replace('many_', ''));
  });
});

describe('a profile in the config', () => {
  promise('7.7c', 'is all it takes to serve another model or client', async () => {
    await using home = await makeHome();
    const config = {
      model_profiles: {
        tiny: {
          extends: 'openai',
          models: ['tiny-*'],
          names: { max_length: 24 },
          max_tools: 2,
          schema: { keywords: ['type'] },
        },
        openai: { description_chars: 60 },
      },
      client_profiles: { ours: { title: 'Ours', names: { prefix: 'x{key}x', max_length: 40 }, list_changed: true } },
    };
    const described = { description: 'word '.repeat(50), inputSchema: { type: 'object', title: 'T' } };
    const tools = ['first_tool_of_three', 'second', 'third'].map(name => tool(name, described));
    await using host = await hostListing(home, { s: tools }, { config });
    const tiny = await host.snapshot({ model: 'ollama/tiny-7b', naming: 'server_tool' });
    expect([tiny.entries.length, tiny.beyond.length]).toEqual([2, 1]);
    expect([...tiny.byName.keys()].every(name => name.length <= 24)).toBe(true);
    expect(tiny.entries[0]?.offered.inputSchema).toEqual({ type: 'object' });
    const [own] = await host.tools({ model: 'gpt-5' });
    expect(own?.offered.description).toBe('word word word… (cut)\n[server: s, tool: first_tool_of_three]');
    const names = [...(await host.snapshot({ client: 'ours' })).byName.keys()];
    expect(names.every(name => `xjunctorx${name}`.length <= 40)).toBe(true);
  });

  test('that is wrong is told where it is written', async () => {
    await using home = await makeHome();
    const file = await home.write('junctor.json', { version: 1, servers: {}, model_profiles: { a: { max_tool: 1 } } });
    const checked = await junctor(home, ['validate', file]);
    expect([checked.code, checked.stdout + checked.stderr]).toEqual([
      1,
      expect.stringContaining("Unknown key 'max_tool'"),
    ]);
    const broken = await home.write('broken.json', {
      version: 1,
      servers: {},
      client_profiles: { a: { extends: 'cursr' } },
    });
    const shown = await junctor(home, ['mcp', 'tools', '--client', 'a', '--config', broken, '--isolated']);
    expect([shown.code, shown.stderr]).toEqual([1, expect.stringContaining("client_profiles.a to 'cursor'")]);
  });
});

describe('the command line', () => {
  promise(
    ['7.7d', '8.12b', '8.7c'],
    'tells what a model or client gets otherwise, before the first request',
    async () => {
      await using home = await makeHome();
      const schema = { type: 'object', properties: { when: { type: ['string', 'null'] }, n: { enum: [1, 2] } } };
      const tools = [
        tool('a.dot'),
        tool('odd', { inputSchema: schema }),
        ...Array.from({ length: 99 }, (_, index) => tool(`t${index}`)),
      ];
      const config = { version: 1, servers: { s: await listing(home, 's', tools) } };
      const file = await home.write('servers.json', config);
      const common = ['--config', file, '--isolated', '--json'];
      interface Fit {
        reader: string;
        renamed: { from: string; name: string; because: string }[];
        rewritten: { name: string; changes: string[]; lossy: boolean }[];
        dropped: { name: string; because: string }[];
      }
      const doctor = await junctor(home, ['doctor', '--client', 'windsurf', ...common]);
      const seen = JSON.parse(doctor.stdout).fit as Fit;
      expect(seen.reader).toBe('Windsurf');
      expect(seen.renamed).toEqual([
        {
          server: 's',
          tool: 'a.dot',
          from: 's_a.dot',
          name: expect.stringMatching(/^s_a_dot_[0-9a-f]{8}$/),
          because: 'it holds characters that cannot be read there',
        },
      ]);
      expect(seen.rewritten.find(({ name }) => name === 's_odd')).toMatchObject({
        lossy: true,
        changes: expect.arrayContaining([
          '/properties/n: the choice of values moved into the description',
          '/properties/when: null told in other words',
        ]),
      });
      expect(seen.dropped).toEqual([
        { server: 's', tool: expect.any(String), name: expect.any(String), because: 'Windsurf takes 100 tools' },
      ]);

      const text = await junctor(home, ['doctor', 's', '--model', 'gemini', '--config', file, '--isolated']);
      // The cost is that of the definitions as this model gets them.
      const forGemini = await junctor(home, ['doctor', 's', '--model', 'gemini', ...common]);
      const asTold = JSON.parse((await junctor(home, ['mcp', 'tools', '--model', 'gemini', ...common])).stdout);
      const shown = (asTold.tools as { name: string; description: string; inputSchema: object }[]).map(
        ({ name, description, inputSchema }) => ({ name, description, inputSchema }),
      );
      const tokens = Math.ceil(JSON.stringify(shown).length / 4);
      expect(JSON.parse(forGemini.stdout).fit.tokens).toBe(tokens);
      expect(text.stdout).toContain(
        `for Google Gemini: 101 tools, ${tokens} tokens, 0 renamed, 1 rewritten (1 with something lost), 0 left out`,
      );

      const listed = JSON.parse((await junctor(home, ['mcp', 'tools', '--model', 'gemini', ...common])).stdout);
      const odd = listed.tools.find(({ tool: name }: { tool: string }) => name === 'odd');
      expect(odd).toMatchObject({
        name: 'mcp__s__odd',
        inputSchema: {
          type: 'object',
          properties: {
            when: { type: 'string', nullable: true },
            n: { type: 'integer', description: 'One of: 1, 2.' },
          },
        },
      });
      const forClient = await junctor(home, ['mcp', 'tools', '--client', 'qwen-code', '--config', file, '--isolated']);
      expect(forClient.stdout).toContain('s_a_dot_');
      expect(forClient.stderr).toContain('renamed    s_a.dot → s_a_dot_');
      // The second time nobody is started, and the answer is the same.
      expect(JSON.parse((await junctor(home, ['mcp', 'tools', '--model', 'gemini', ...common])).stdout).fit).toEqual(
        listed.fit,
      );
    },
  );

  promise('7.13d', 'lints the schemas of a server for each provider', async () => {
    await using home = await makeHome();
    const bad = { type: 'object', properties: { list: { type: 'array' } }, anyOf: [{ required: ['list'] }] };
    const file = await home.write('servers.json', {
      version: 1,
      servers: { s: await listing(home, 's', [tool('good'), tool('bad', { inputSchema: bad })]) },
    });
    const { stdout } = await junctor(home, ['doctor', 's', '--config', file, '--isolated', '--json']);
    const { steps } = JSON.parse(stdout).servers[0] as { steps: Record<string, unknown>[] };
    const lint = steps.find(({ step }) => step === 'schemas');
    expect(lint).toMatchObject({
      outcome: 'ok',
      detail: ['anthropic', 'bedrock', 'gemini', 'openai', 'openai-responses']
        .map(id => `${id} gets 1 schema rewritten`)
        .join(', '),
    });
    const refused = lint?.refused as { provider: string; tool: string; says: string }[];
    expect(refused.map(({ provider, tool: name }) => [provider, name])).toEqual(
      ['anthropic', 'bedrock', 'gemini', 'openai', 'openai-responses'].map(id => [id, 'bad']),
    );
    expect(refused[0]?.says).toBe('/ input_schema does not support anyOf at the top level');
  });
});
