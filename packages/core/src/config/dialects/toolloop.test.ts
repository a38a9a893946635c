import { promise } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { FileFrame } from '../schema/schema.ts';
import { type McpServerDef, ServerDef } from '../schema/server-schema.ts';
import { recognisedBy, trialOf } from './samples/trial.ts';
import { toolloop } from './toolloop.ts';

const FILE = '/project/codex-toolloop.mcp.json';
const { read, sample, write, definitions } = trialOf(toolloop, FILE);
const server = (entry: unknown): unknown => ({ servers: { x: entry } });

describe('a ToolLoop file', () => {
  promise('1.4b', 'loads as the document prints it', async () => {
    const expected: Record<string, { frame: unknown; servers: unknown }> = {
      'repo-bundle.json': {
        frame: { bundles: { repoRead: { serverId: 'repo', mode: 'direct', allowTools: ['readFile', 'search'] } } },
        servers: { repo: { transport: 'http', url: 'http://localhost:4010/mcp', trust: 'trusted' } },
      },
      'each-transport.json': {
        frame: {
          bundles: {
            all: { serverId: 'local', mode: 'meta', denyTools: ['delete'] },
            some: {
              serverId: 'remote',
              mode: 'direct',
              allowTools: ['read', 'write', 'delete'],
              denyTools: ['delete'],
            },
          },
        },
        servers: {
          remote: {
            transport: 'http',
            url: 'https://example.com/mcp',
            headers: { 'X-Team': 'tools' },
            auth_provider: 'company',
            trust: 'untrusted',
          },
          legacy: {
            transport: 'sse',
            url: 'https://example.com/sse',
            headers: { 'X-Key': '${KEY}' },
            trust: 'trusted',
          },
          local: {
            transport: 'stdio',
            command: 'node',
            args: ['server.js'],
            cwd: '/srv',
            env: { MODE: 'fast' },
            trust: 'trusted',
          },
        },
      },
    };
    for (const [name, { frame, servers }] of Object.entries(expected)) {
      const { file, value } = await sample(name);
      expect(recognisedBy(file, value)).toEqual(['toolloop']);
      const reading = read(value);
      expect(reading.problems).toEqual([]);
      expect(FileFrame.parse(reading.frame)).toEqual(frame);
      expect(Object.fromEntries(reading.servers.map(one => [one.id, ServerDef.parse(one.definition)]))).toEqual(
        servers,
      );
    }
  });

  test('is known by its place, and elsewhere by its words', () => {
    expect(recognisedBy(FILE, { bundles: {} })).toEqual(['toolloop']);
    expect(recognisedBy('/p/.codex-toolloop/mcp.json', server({ type: 'http' }))).toEqual(['toolloop']);
    expect(recognisedBy(FILE, server({ trust: 'trusted' }))).toEqual(['toolloop']);
    expect(recognisedBy('/x.json', server({ transport: { type: 'http' } }))).toEqual(['toolloop']);
    // Our own format, whatever the file is called.
    expect(recognisedBy(FILE, server({ transport: 'stdio', command: 'a' }))).toEqual([]);
    // Where it lies tells which program reads it.
    expect(recognisedBy(FILE, { servers: {} })).toEqual(['toolloop']);
  });

  test('knows where each key stands', () => {
    const [one] = read(server({ trust: 'trusted', transport: { type: 'http', authProviderId: 'a' } })).servers;
    expect(one?.path).toEqual(['servers', 'x']);
    expect(one?.at).toEqual({
      trust: ['servers', 'x', 'trust'],
      transport: ['servers', 'x', 'transport', 'type'],
      url: ['servers', 'x', 'transport', 'url'],
      headers: ['servers', 'x', 'transport', 'headers'],
      auth_provider: ['servers', 'x', 'transport', 'authProviderId'],
    });
  });

  test('that is wrong says so and never crashes', () => {
    const wrong: [unknown, string, string, string][] = [
      [{ trus: 'trusted' }, 'trus', "Unknown key 'trus' in server 'x'.", "Did you mean 'trust'?"],
      [{ url: 'a' }, 'url', "'url' of server 'x' stands outside its 'transport'.", "Move it into 'transport'."],
      [
        { transport: 'http' },
        'transport',
        "The transport of server 'x' is not an object.",
        'Write { "type": "http", "url": … } or { "type": "stdio", "command": … }.',
      ],
      [
        { transport: { type: 'http', url: 'a', auth_provider: 'b' } },
        'transport.auth_provider',
        "Unknown key 'auth_provider' in server 'x'.",
        "Did you mean 'authProviderId'?",
      ],
      [
        { transport: { type: 'http', url: 'a', command: 'b' } },
        'transport.command',
        "'command' does not go with http server 'x'.",
        'Remove it, or check its spelling.',
      ],
    ];
    for (const [entry, path, message, fix] of wrong) {
      const problems = read(server(entry)).problems.map(one => ({ ...one, path: one.path.join('.') }));
      expect(problems).toEqual([expect.objectContaining({ path: `servers.x.${path}`, server: 'x', message, fix })]);
    }
    for (const entry of [{ transport: { type: 'stdio' } }, { transport: {} }, { transport: 5 }, {}, 7, null, []]) {
      const [only] = read(server(entry)).servers;
      expect(ServerDef.safeParse(only?.definition).success).toBe(false);
    }
    expect(read({ servers: 1, bundels: {} }).problems.map(one => one.message)).toEqual([
      "'servers' is not an object.",
      "Unknown key 'bundels'.",
    ]);
    for (const value of [undefined, null, [], 'x', 1, {}]) expect(read(value).servers).toEqual([]);
    expect(FileFrame.safeParse(read({ bundles: { a: { serverId: 'x', allowTools: [] } } }).frame).success).toBe(false);
  });
});

describe('writing a ToolLoop file', () => {
  const before = `{
  "servers": {
    "old": {
      "trust": "trusted", // ours
      "transport": { "type": "sse", "url": "https://old.test/sse" }
    }
  },
  "bundles": { "a": { "serverId": "old" } } // kept
}
`;

  test('adds, changes and removes servers, and touches nothing else', () => {
    const added: McpServerDef = {
      transport: 'http',
      url: 'https://new.test/${X}',
      headers: { A: 'b' },
      auth_provider: 'company',
      trust: 'trusted',
    };
    const local: McpServerDef = {
      transport: 'stdio',
      command: 'a',
      args: ['-x'],
      cwd: '/',
      env: { A: 'b' },
      trust: 'trusted',
    };
    const changed: McpServerDef = { transport: 'http', url: 'https://old.test/mcp', trust: 'trusted' };
    const after = write(before, [
      { id: 'added', definition: added },
      { id: 'local', definition: local },
      { id: 'old', definition: changed },
    ]);
    expect(after).toContain('"trust": "trusted", // ours');
    expect(after).toContain('"bundles": { "a": { "serverId": "old" } } // kept');
    expect(definitions(after)).toEqual({ added, local, old: changed });
    expect(definitions(write(after, [{ id: 'old', definition: undefined }]))).toEqual({ added, local });
  });

  test('says the trust it must name, and a bearer token as a header', () => {
    const definition: McpServerDef = {
      transport: 'streamable_http',
      url: 'https://a.test',
      bearer_token_env_var: 'TOKEN',
    };
    expect(JSON.parse(write('{}', [{ id: 'a', definition }]))).toEqual({
      servers: {
        a: {
          trust: 'untrusted',
          transport: { type: 'http', url: 'https://a.test', headers: { Authorization: 'Bearer ${TOKEN}' } },
        },
      },
    });
  });

  test('leaves out what it has no words for, with the reason', () => {
    const reasons: [McpServerDef, string][] = [
      [{ transport: 'ws', url: 'wss://a.test' }, 'it knows no ws servers'],
      [{ transport: 'stdio', command: 'a', enabled: false }, "it has no key for 'enabled'"],
      [{ transport: 'http', url: 'https://a.test', command: 'a' }, "it has no key for 'command'"],
      [{ transport: 'http', url: 'https://a.test', oauth: { scope: 'a' } }, "it has no key for 'oauth'"],
    ];
    for (const [definition, because] of reasons) {
      expect(toolloop.write?.({}, [{ id: 'a', definition }])).toEqual({ edits: [], leftOut: [{ id: 'a', because }] });
    }
  });
});
