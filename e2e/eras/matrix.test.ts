/** The same assertions for every transport and both eras, wherever the pair exists, against our server and real ones. */
import { dirname, join } from 'node:path';
import { createHost } from '@junctor/core';
import { everything, filesystem, makeHome, npmServer, startedServer, testServer, trusted } from '@junctor/testkit';
import { everythingFile, sdkStdio } from '@junctor/testkit/peers';
import { describe, expect, test } from 'vitest';

interface Row {
  readonly name: string;
  readonly definition: object;
  readonly version: string;
  /** A tool that gives back what it is told. */
  readonly echo: { readonly tool: string; readonly argument: string; readonly answer: (text: string) => string };
}

const OURS = { tool: 'echo', argument: 'text', answer: (text: string) => text };
const THEIRS = { tool: 'echo', argument: 'message', answer: (text: string) => `Echo: ${text}` };

const ours = (transport: 'stdio' | 'http' | 'sse' | 'ws', era: 'legacy' | 'modern'): Row => {
  const definition =
    transport === 'stdio' ? testServer('--era', era) : withArgs(startedServer(transport), '--era', era);
  return {
    name: `test server, ${transport}, ${era}`,
    definition,
    version: era === 'modern' ? '2026-07-28' : '2025-11-25',
    echo: OURS,
  };
};

function withArgs<Definition extends { args: readonly string[] }>(definition: Definition, ...args: string[]): object {
  return { ...definition, args: [...definition.args, ...args] };
}

/** A release of server-everything: which file serves which transport changed over time. */
const release = (name: string, version: string, transport: 'stdio' | 'http' | 'sse', args: string[]): Row => {
  const [file, ...words] = args as [string, ...string[]];
  const main = name === NEWEST ? join(dirname(npmServer('everything')), file) : everythingFile(name, file);
  const program = { command: process.execPath, args: [main, ...words] };
  const path = transport === 'sse' ? 'sse' : 'mcp';
  const definition =
    transport === 'stdio'
      ? { transport, ...program }
      : { transport, url: `http://127.0.0.1:\${PORT}/${path}`, ...program };
  return { name: `${name}, ${transport}`, definition, version, echo: THEIRS };
};

const NEWEST = 'everything';

const ROWS: readonly Row[] = [
  ours('stdio', 'legacy'),
  ours('stdio', 'modern'),
  ours('http', 'legacy'),
  ours('http', 'modern'),
  ours('sse', 'legacy'),
  ours('ws', 'legacy'),
  ours('ws', 'modern'),
  release(NEWEST, '2025-11-25', 'stdio', ['index.js', 'stdio']),
  release(NEWEST, '2025-11-25', 'http', ['index.js', 'streamableHttp']),
  release(NEWEST, '2025-11-25', 'sse', ['index.js', 'sse']),
  release('everything-2025-07', '2025-06-18', 'stdio', ['index.js', 'stdio']),
  release('everything-2025-07', '2025-06-18', 'http', ['index.js', 'streamableHttp']),
  release('everything-2025-07', '2025-06-18', 'sse', ['index.js', 'sse']),
  release('everything-2025-05', '2025-03-26', 'stdio', ['index.js', 'stdio']),
  release('everything-2025-05', '2025-03-26', 'http', ['index.js', 'streamableHttp']),
  release('everything-2025-05', '2025-03-26', 'sse', ['index.js', 'sse']),
  release('everything-2024-11', '2024-11-05', 'stdio', ['index.js']),
  release('everything-2024-11', '2024-11-05', 'sse', ['sse.js']),
  { name: 'SDK v2, stdio', definition: sdkStdio(), version: '2026-07-28', echo: OURS },
];

describe.each(ROWS)('$name', ({ definition, version, echo }) => {
  test('is greeted, listed, called in parallel, called wrongly and ended', async () => {
    await using host = await createHost({ config: { servers: { s: trusted(definition) } } });
    expect((await host.links.ready('s')).greeting.protocolVersion).toBe(version);
    expect((await host.tools()).map(({ tool }) => tool)).toContain(echo.tool);
    const texts = Array.from({ length: 10 }, (_, at) => `grüße ${at} 🌍`);
    const call = (text: string) => host.call(`mcp__s__${echo.tool}`, { [echo.argument]: text });
    const outputs = await Promise.all(texts.map(async text => (await call(text)).output));
    expect(outputs).toEqual(texts.map(echo.answer));
    const wrong = await host.call({ server: 's', tool: 'there_is_no_such_tool' }).catch(error => error);
    // Servers have three ways to say it: a code for it, any error, or a result that tells of one.
    expect(wrong.success === false || ['tool_not_found', 'server_error'].includes(wrong.code)).toBe(true);
    expect(host.status()).toMatchObject([{ state: 'ready', protocol_version: version }]);
    await host.links.close('s');
    expect(host.links.state('s').kind).toBe('idle');
    // Closed is not over: whoever asks next has it again.
    expect((await call('again')).output).toBe(echo.answer('again'));
  });
});

describe('servers of other kinds', () => {
  test('server-filesystem reads what it may, and nothing else', async () => {
    await using home = await makeHome();
    const file = await home.write('project/hello.txt', 'hello');
    await using host = await createHost({ config: { servers: { fs: trusted(filesystem(home.project)) } } });
    const read = (path: string) => host.call('mcp__fs__read_text_file', { path });
    expect((await read(file)).output).toContain('hello');
    expect((await read('/etc/passwd')).success).toBe(false);
  });

  test('server-memory remembers', async () => {
    await using home = await makeHome();
    const memory = {
      transport: 'stdio',
      command: process.execPath,
      args: [npmServer('memory')],
      env: { MEMORY_FILE_PATH: join(home.path, 'memory.json') },
    };
    await using host = await createHost({
      config: { servers: { memory: trusted(memory), all: trusted(everything()) } },
    });
    const entities = [{ name: 'Ada', entityType: 'person', observations: ['writes programs'] }];
    await host.call('mcp__memory__create_entities', { entities });
    expect((await host.call('mcp__memory__search_nodes', { query: 'programs' })).output).toContain('Ada');
  });
});
