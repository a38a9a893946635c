import { promise } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { type McpServerDef, ServerDef } from '../schema/server-schema.ts';
import { codeAgent, readServerArray } from './code-agent.ts';
import { judged, recognisedBy, trialOf } from './samples/trial.ts';

const FILE = '/home/me/.code_agent/config.json';
const { read, sample, write, definitions } = trialOf(codeAgent, FILE);
const server = (entry: unknown): unknown => ({ mcp: { servers: { x: entry } } });

const web = { transport: 'sse', url: 'https://api.example.com/mcp' };
const authorised = { headers: { Authorization: 'Bearer ${API_TOKEN}' } };
const harmful = ['delete_file', 'format_disk'];

describe('a code_agent file', () => {
  promise(['1.2d', '1.2s', '1.4c'], 'loads as the document prints it, comments included', async () => {
    const eachType = await sample('each-type.json');
    expect(recognisedBy(eachType.file, eachType.value)).toEqual(['code-agent']);
    expect(judged(read(eachType.value))).toEqual({
      frame: { enabled: true },
      servers: {
        files: { transport: 'stdio', command: 'mcp-server-filesystem', args: ['/home/user'] },
        events: { ...web, ...authorised },
        stream: { transport: 'http', url: 'http://localhost:8000/mcp' },
      },
    });
    const everyKey = await sample('every-key.json');
    expect(recognisedBy(everyKey.file, everyKey.value)).toEqual(['code-agent']);
    expect(judged(read(everyKey.value))).toEqual({
      frame: { enabled: true, defaults: { request_timeout_ms: 30000, debug: false } },
      servers: {
        filesystem: {
          transport: 'stdio',
          command: 'mcp-server-filesystem',
          args: ['/home/user'],
          env: { LOG_LEVEL: '${LOG_LEVEL}' },
          cwd: '/home/user',
          request_timeout_ms: 30000,
          trust: 'untrusted',
          tools: { allow: ['read_file', 'write_file', 'list_files'], deny: harmful },
          debug: false,
        },
        web: { ...web, ...authorised, trust: 'trusted' },
        local: { transport: 'http', url: 'http://localhost:8000/mcp', tools: { deny: harmful } },
      },
    });
  });

  promise('1.4d', 'may be the list of servers from the environment', async () => {
    const { value } = await sample('environment.json');
    expect(recognisedBy('$CODE_AGENT_MCP_SERVERS', value)).toEqual(['code-agent']);
    const servers = { filesystem: { transport: 'stdio', command: 'mcp-server-filesystem', args: ['/'] }, web };
    expect(judged(read(value))).toEqual({ frame: {}, servers });
    expect(readServerArray(value)).toEqual(read(value));
    expect(readServerArray(value).servers.map(one => [one.path, one.at.transport])).toEqual([
      [[0], [0, 'type']],
      [[1], [1, 'type']],
    ]);
  });

  test('is known by its place, and elsewhere by its words', () => {
    expect(recognisedBy(FILE, { theme: 'dark' })).toEqual(['code-agent']);
    expect(recognisedBy(FILE, { version: 1, mcp: { servers: { x: { transport: 'http' } } } })).toEqual(['code-agent']);
    expect(recognisedBy('/x.json', { version: 1, ...(server({ type: 'http' }) as object) })).toEqual(['code-agent']);
    expect(recognisedBy('/x.json', { mcp: { globalSettings: {} } })).toEqual(['code-agent']);
    expect(recognisedBy('/x.json', { mcp: { servers: {} } })).toEqual(['code-agent']);
    // Settings of editors and other agents that keep something under the same key.
    expect(recognisedBy('/x.json', server({ type: 'remote', url: 'a' }))).toEqual([]);
    expect(recognisedBy('/p/.vscode/settings.json', server({ type: 'stdio', command: 'a' }))).toEqual([]);
    expect(recognisedBy('/x.json', { mcp: { allowed: ['a'] } })).toEqual([]);
    expect(recognisedBy('/x.json', ['a'])).toEqual([]);
  });

  test('that is wrong says so and never crashes', () => {
    const wrong: [object, string, string, string][] = [
      [{ type: 'stdio', comand: 'a' }, 'comand', "Unknown key 'comand' in server 'x'.", "Did you mean 'command'?"],
      [{ type: 'http', url: 'a' }, 'url', "'url' does not go with http server 'x'.", "Did you mean 'httpUrl'?"],
      [{ type: 'sse', httpUrl: 'a' }, 'httpUrl', "'httpUrl' does not go with sse server 'x'.", "Did you mean 'url'?"],
      [{ transport: 'stdio' }, 'transport', "Unknown key 'transport' in server 'x'.", "Did you mean 'type'?"],
      [{ name: 'y' }, 'name', "Unknown key 'name' in server 'x'.", 'Remove it, or check its spelling.'],
    ];
    for (const [entry, key, message, fix] of wrong) {
      const path = ['mcp', 'servers', 'x', key];
      expect(read(server(entry)).problems).toEqual([expect.objectContaining({ path, server: 'x', message, fix })]);
    }
    expect(read(server({ name: 'x', type: 'stdio', command: 'a' })).problems).toEqual([]);
    for (const entry of [
      { type: 'stdio' },
      { type: 'http' },
      { type: 'smoke', url: 'a' },
      { trust: 'yes' },
      7,
      null,
      [],
    ]) {
      const [only] = read(server(entry)).servers;
      expect(ServerDef.safeParse(only?.definition).success).toBe(false);
    }
    const sections = { servers: 1, globalSettings: [], globalSetings: {} };
    expect(read({ mcp: sections }).problems.map(one => one.message)).toEqual([
      "'mcp.servers' is not an object.",
      "'mcp.globalSettings' is not an object.",
      "Unknown key 'globalSetings' in 'mcp'.",
    ]);
    expect(read({ mcp: 1 }).problems.map(one => one.message)).toEqual(["'mcp' is not an object."]);
    expect(read({ mcp: { globalSettings: { timout: 1 } } }).problems.map(one => one.fix)).toEqual([
      "Did you mean 'timeout'?",
    ]);
    for (const value of [undefined, null, 'x', 1, {}]) expect(read(value).servers).toEqual([]);
  });

  test('as a list tells which server is wrong', () => {
    const list = [7, { type: 'stdio' }, { name: 'a', type: 'stdio', command: 'x' }, { name: 'a', type: 'stdio' }];
    expect(readServerArray(list).problems.map(({ path, message, server: id }) => [path, message, id])).toEqual([
      [[0], "Missing 'name' in server 1 of the list.", undefined],
      [[1], "Missing 'name' in server 2 of the list.", undefined],
      [[3, 'name'], "The server 'a' stands twice in the list.", 'a'],
    ]);
    expect(readServerArray({}).problems.map(one => one.message)).toEqual(['The servers are not in a list.']);
    expect(readServerArray([])).toEqual({ frame: {}, servers: [], problems: [] });
  });

  test('may switch debugging on for all', () => {
    expect(read({ mcp: { debug: true } }).frame).toEqual({ defaults: { debug: true } });
    expect(read({ mcp: { debug: true, globalSettings: { debug: false } } }).frame).toEqual({
      defaults: { debug: false },
    });
  });
});

describe('writing a code_agent file', () => {
  const before = `{
  "mcp": {
    "enabled": true, // all of it
    "servers": {
      "old": { "type": "sse", "url": "https://old.test/sse", "trust": true }
    },
    "globalSettings": { "timeout": 1000 }
  }
}
`;

  test('adds, changes and removes servers, and touches nothing else', () => {
    const added: McpServerDef = {
      transport: 'http',
      url: 'https://new.test/${X}',
      headers: { A: 'b' },
      request_timeout_ms: 5,
      trust: 'trusted',
      tools: { allow: ['a'], deny: ['b*'] },
      debug: true,
    };
    const local: McpServerDef = { transport: 'stdio', command: 'a', args: ['-x'], cwd: '/', env: { A: 'b' } };
    const changed: McpServerDef = { transport: 'http', url: 'https://old.test/mcp', trust: 'untrusted' };
    const after = write(before, [
      { id: 'added', definition: added },
      { id: 'local', definition: local },
      { id: 'old', definition: changed },
    ]);
    expect(after).toContain('"enabled": true, // all of it');
    expect(definitions(after)).toEqual({ added, local, old: changed });
    expect(definitions(write(after, [{ id: 'old', definition: undefined }]))).toEqual({ added, local });
  });

  test('switches a new file on', () => {
    const definition: McpServerDef = { transport: 'streamable_http', url: 'https://a.test', enabled: true };
    expect(JSON.parse(write('{ "theme": "dark" }', [{ id: 'a', definition }]))).toEqual({
      theme: 'dark',
      mcp: { enabled: true, servers: { a: { type: 'http', httpUrl: 'https://a.test' } } },
    });
  });

  test('leaves out what it has no words for, with the reason', () => {
    const reasons: [McpServerDef, string][] = [
      [{ transport: 'ws', url: 'wss://a.test' }, 'it knows no ws servers'],
      [{ transport: 'stdio', command: 'a', enabled: false }, "it has no key for 'enabled'"],
      [{ transport: 'http', url: 'https://a.test', command: 'a' }, "it has no key for 'command'"],
      [{ transport: 'stdio', command: 'a', mode: 'shared' }, "it has no key for 'mode'"],
    ];
    for (const [definition, because] of reasons) {
      expect(codeAgent.write?.({}, [{ id: 'a', definition }])).toEqual({ edits: [], leftOut: [{ id: 'a', because }] });
    }
    expect(codeAgent.write?.([], [{ id: 'a', definition: undefined }])).toEqual({
      edits: [],
      leftOut: [{ id: 'a', because: 'the list of servers in a variable is only read' }],
    });
  });
});
