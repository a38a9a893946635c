import { promise } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { type McpServerDef, ServerDef } from '../schema/server-schema.ts';
import { codelia } from './codelia.ts';
import { recognisedBy, trialOf } from './samples/trial.ts';

const FILE = '/project/.codelia/config.json';
const { read, sample, write, definitions } = trialOf(codelia, FILE);
const server = (entry: unknown): unknown => ({ version: 1, mcp: { servers: { x: entry } } });

const filesystem = {
  transport: 'stdio',
  command: 'npx',
  args: ['-y', '@modelcontextprotocol/server-filesystem', '/home/kousw/cospace/codelia'],
};
const inItsFolder = { cwd: '/home/kousw/cospace/codelia', env: { NODE_ENV: 'production' } };
const halfMinute = { request_timeout_ms: 30000, tool_timeout_ms: 30000 };
const remote = (url: string) => ({ transport: 'http', url, enabled: true });

describe('a Codelia file', () => {
  promise('1.4a', 'of each kind the document prints loads as it stands', async () => {
    const expected: Record<string, Record<string, unknown>> = {
      'http-and-stdio.json': {
        'remote-tools': { ...remote('https://example.com/mcp'), headers: { 'X-Workspace': 'codelia' }, ...halfMinute },
        'filesystem-local': { ...filesystem, ...inItsFolder, ...halfMinute },
      },
      'remote-only.json': { 'remote-tools': remote('https://example.com/mcp') },
      'stdio-only.json': { 'filesystem-local': { ...filesystem, enabled: true } },
      'public-registry.json': {
        'mcp-registry-public': { ...remote('https://registry.run.mcp.com.ai/mcp'), ...halfMinute },
      },
      'public-petstore.json': {
        'petstore-public': { ...remote('https://petstore.run.mcp.com.ai/mcp'), ...halfMinute },
      },
      'oauth-discovered.json': { notion: { ...remote('https://mcp.notion.com/mcp'), ...halfMinute } },
      'oauth-endpoints.json': {
        'gossiper-oauth': {
          ...remote('https://mcp.gossiper.io/mcp'),
          ...halfMinute,
          oauth: {
            authorization_url: 'https://mcp.gossiper.io/oauth2/authorize',
            token_url: 'https://mcp.gossiper.io/oauth2/token',
            registration_url: 'https://mcp.gossiper.io/oauth2/register',
            scope: 'mcp',
          },
        },
      },
      'filesystem.json': { 'filesystem-local': { ...filesystem, ...inItsFolder, enabled: true, ...halfMinute } },
      'disabled-in-project.json': {
        'mcp-registry-public': { ...remote('https://registry.run.mcp.com.ai/mcp'), enabled: false },
      },
    };
    for (const [name, servers] of Object.entries(expected)) {
      const { file, value } = await sample(name);
      expect(recognisedBy(file, value)).toEqual(['codelia']);
      const reading = read(value);
      expect(reading.problems).toEqual([]);
      expect(reading.frame).toEqual({});
      expect(Object.fromEntries(reading.servers.map(one => [one.id, ServerDef.parse(one.definition)]))).toEqual(
        servers,
      );
    }
  });

  promise('1.7e', 'means every ${…} literally', () => {
    const entry = {
      transport: 'http',
      url: 'https://a.test/${X}',
      headers: { A: '${B:-c}' },
      env: { C: '${secret:D}' },
    };
    expect(read(server(entry)).servers[0]?.definition).toEqual({
      transport: 'http',
      url: 'https://a.test/$${X}',
      headers: { A: '$${B:-c}' },
      env: { C: '$${secret:D}' },
    });
  });

  test('is known by its place, and elsewhere by its words', async () => {
    expect(recognisedBy(FILE, { version: 1, model: 'some' })).toEqual(['codelia']);
    expect(recognisedBy('C:\\work\\.codelia\\config.json', {})).toEqual(['codelia']);
    expect(recognisedBy(FILE, server({ type: 'stdio', command: 'a' }))).toEqual(['codelia']);
    expect(recognisedBy('/x.json', server({ enabled: false }))).toEqual(['codelia']);
    expect(recognisedBy('/x.json', { version: 1, mcp: { servers: {} } })).toEqual(['codelia']);
    const { file, value } = await sample('mcp-auth.json');
    expect(recognisedBy(file, value)).toEqual([]);
  });

  test('that is wrong says so and never crashes', () => {
    expect(read(server({ transport: 'stdio', comand: 'a', type: 'stdio' })).problems).toEqual([
      problem('comand', "Unknown key 'comand' in server 'x'.", "Did you mean 'command'?"),
      problem('type', "Unknown key 'type' in server 'x'.", "Did you mean 'transport'?"),
    ]);
    for (const entry of [{ transport: 'stdio' }, { transport: 'http' }, {}, 7, null, [], 'stdio']) {
      const [only] = read(server(entry)).servers;
      expect(only?.path).toEqual(['mcp', 'servers', 'x']);
      expect(ServerDef.safeParse(only?.definition).success).toBe(false);
    }
    expect(read({ mcp: { servers: [], sevrers: {} } }).problems.map(({ message, fix }) => [message, fix])).toEqual([
      ["'mcp.servers' is not an object.", 'Write { … } there.'],
      ["Unknown key 'sevrers' in 'mcp'.", "Did you mean 'servers'?"],
    ]);
    expect(read({ mcp: 1 }).problems.map(one => one.path)).toEqual([['mcp']]);
    for (const value of [undefined, null, [], 'x', 1, {}]) expect(read(value).servers).toEqual([]);
  });

  test('has one place for a wrong timeout', () => {
    const [one] = read(server({ transport: 'stdio', command: 'a', request_timeout_ms: -1 })).servers;
    const issues = ServerDef.safeParse(one?.definition).error?.issues ?? [];
    expect(issues.map(issue => issue.path)).toEqual([['request_timeout_ms']]);
    expect(one?.at.command).toEqual(['mcp', 'servers', 'x', 'command']);
  });
});

describe('writing a Codelia file', () => {
  const before = `{
  "version": 1,
  "model": "some", // mine
  "mcp": {
    "servers": {
      "old": {
        // why it is here
        "transport": "http",
        "url": "https://old.test/mcp",
        "request_timeout_ms": 1000
      }
    }
  }
}
`;

  test('adds, changes and removes servers, and touches nothing else', () => {
    const oauth = { client_id: 'me', scope: 'all' };
    const added: McpServerDef = {
      transport: 'http',
      url: 'https://new.test/$${X}',
      enabled: false,
      oauth,
      ...halfMinute,
    };
    const local: McpServerDef = { transport: 'stdio', command: 'a', args: ['-x'], cwd: '/', env: { A: 'b' } };
    const changed: McpServerDef = { transport: 'http', url: 'https://old.test/mcp', enabled: false };
    const after = write(before, [
      { id: 'added', definition: added },
      { id: 'local', definition: local },
      { id: 'old', definition: changed },
    ]);
    expect(after).toContain('"model": "some", // mine');
    expect(after).toContain('// why it is here');
    expect(after).toContain('"https://new.test/${X}"');
    expect(definitions(after)).toEqual({ added, local, old: changed });
    const without = write(after, [
      { id: 'added', definition: undefined },
      { id: 'local', definition: undefined },
    ]);
    expect(definitions(without)).toEqual({ old: changed });
  });

  test('begins a new file with its version', () => {
    const definition: McpServerDef = { transport: 'http', url: 'https://a.test' };
    const after = write('{}\n', [{ id: 'a', definition }]);
    expect(JSON.parse(after)).toEqual({ version: 1, mcp: { servers: { a: definition } } });
  });

  test('changes nothing where nothing differs', () => {
    const definition: McpServerDef = { transport: 'http', url: 'https://old.test/mcp', request_timeout_ms: 1000 };
    expect(write(before, [{ id: 'old', definition }])).toBe(before);
    expect(write(before, [{ id: 'missing', definition: undefined }])).toBe(before);
  });

  test('leaves out what it has no words for, with the reason', () => {
    const reasons: [McpServerDef, string][] = [
      [{ transport: 'sse', url: 'https://a.test' }, 'it knows no sse servers'],
      [{ transport: 'ws', url: 'wss://a.test' }, 'it knows no ws servers'],
      [{ transport: 'http', url: '${URL}' }, 'it has no way to write ${URL}'],
      [{ transport: 'stdio', command: 'a', trust: 'trusted' }, "it has no key for 'trust'"],
      [{ transport: 'stdio', command: 'a', tools: { allow: ['b'] } }, "it has no key for 'tools.allow'"],
      [
        { transport: 'stdio', command: 'a', tool_timeout_ms: 5 },
        'its one timeout is for requests and tool calls alike',
      ],
      [{ transport: 'http', url: 'https://a.test', oauth: false }, 'it has no way to turn signing in off'],
    ];
    for (const [definition, because] of reasons) {
      const written = codelia.write?.({}, [{ id: 'a', definition }]);
      expect(written).toEqual({ edits: [], leftOut: [{ id: 'a', because }] });
    }
    const implied: McpServerDef = {
      transport: 'streamable_http',
      url: 'https://a.test',
      trust: 'untrusted',
      mode: 'auto',
    };
    expect(definitions(write('{}', [{ id: 'a', definition: implied }]))).toEqual({
      a: { transport: 'http', url: 'https://a.test' },
    });
    expect(codelia.write?.({ mcp: [] }, [{ id: 'a', definition: implied }])).toEqual({
      edits: [],
      leftOut: [{ id: 'a', because: 'mcp is not an object' }],
    });
  });
});

function problem(key: string, message: string, fix: string): object {
  const expected = expect.any(String);
  return { path: ['mcp', 'servers', 'x', key], server: 'x', message, fix, expected };
}
