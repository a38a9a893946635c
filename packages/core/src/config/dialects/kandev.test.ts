import { promise } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { type McpServerDef, ServerDef } from '../schema/server-schema.ts';
import { kandev } from './kandev.ts';
import { judged, recognisedBy, trialOf } from './samples/trial.ts';

const FILE = '/project/kandev.json';
const { read, sample, write, definitions } = trialOf(kandev, FILE);
const server = (entry: unknown): unknown => ({ enabled: true, servers: { x: entry } });

describe('a Kandev config', () => {
  promise('1.4e', 'loads as the document describes it, for one agent or as it is posted', async () => {
    const agent = await sample('agent.json');
    expect(recognisedBy(agent.file, agent.value)).toEqual(['kandev']);
    expect(judged(read(agent.value))).toEqual({
      frame: { agents: { codex: { enabled: true, servers: ['filesystem', 'search', 'events', 'web'] } } },
      servers: {
        filesystem: {
          transport: 'stdio',
          command: 'npx',
          args: ['-y', '@modelcontextprotocol/server-filesystem', '.'],
          env: { NODE_ENV: 'production' },
          mode: 'per_session',
        },
        search: {
          transport: 'streamable_http',
          url: 'http://localhost:4010/mcp',
          headers: { Authorization: 'Bearer ${SEARCH_TOKEN}' },
          mode: 'shared',
          meta: {
            name: 'Search',
            description: 'Finds things',
            url: 'https://example.com/search',
            icon: 'https://example.com/search.svg',
          },
        },
        events: { transport: 'sse', url: 'http://localhost:4011/sse' },
        web: { transport: 'http', url: 'https://api.example.com/mcp', mode: 'auto' },
      },
    });
    const posted = await sample('posted.json');
    expect(recognisedBy(posted.file, posted.value)).toEqual(['kandev']);
    expect(judged(read(posted.value))).toEqual({
      frame: { enabled: false },
      servers: { filesystem: { transport: 'stdio', command: 'mcp-server-filesystem' } },
    });
  });

  test('is known by its words, and leaves to others what is theirs', () => {
    const plain = { servers: { x: { type: 'http', url: 'https://a.test' } } };
    expect(recognisedBy('/x.json', plain)).toEqual(['kandev']);
    expect(recognisedBy('/x.json', { agent_id: 'a', servers: {} })).toEqual(['kandev']);
    expect(recognisedBy('/p/mcp.json', { enabled: true, ...plain })).toEqual(['kandev']);
    // An editor's file, the editor's folder, our own format, and no format at all.
    expect(recognisedBy('/p/mcp.json', plain)).toEqual([]);
    expect(recognisedBy('/p/x.json', { ...plain, inputs: [] })).toEqual([]);
    expect(recognisedBy('/p/.vscode/mcp.json', { enabled: true, ...plain })).toEqual([]);
    expect(recognisedBy('/x.json', { version: 1, ...plain })).toEqual([]);
    expect(recognisedBy('/x.json', { servers: { x: { transport: 'stdio', command: 'a' } } })).toEqual([]);
    for (const value of [undefined, null, [], 'x', 1, {}, { servers: [] }, { servers: {} }]) {
      expect(recognisedBy('/x.json', value)).toEqual([]);
    }
  });

  test('knows where each key stands', () => {
    const [one] = read({ servers: { x: { type: 'http' } }, meta: { x: { name: 'X' } } }).servers;
    expect(one?.definition).toEqual({ transport: 'http', meta: { name: 'X' } });
    expect([one?.at.transport, one?.at.url, one?.at.meta]).toEqual([
      ['servers', 'x', 'type'],
      ['servers', 'x', 'url'],
      ['meta', 'x'],
    ]);
  });

  test('that is wrong says so and never crashes', () => {
    const wrong: [object, string, string][] = [
      [{ transport: 'stdio' }, 'transport', "Did you mean 'type'?"],
      [{ type: 'stdio', command: 'a', cwd: '/' }, 'cwd', 'Remove it, or check its spelling.'],
      [{ type: 'stdio', comand: 'a' }, 'comand', "Did you mean 'command'?"],
    ];
    for (const [entry, key, fix] of wrong) {
      const message = `Unknown key '${key}' in server 'x'.`;
      const path = ['servers', 'x', key];
      expect(read(server(entry)).problems).toEqual([expect.objectContaining({ path, server: 'x', message, fix })]);
    }
    for (const entry of [{ type: 'stdio' }, { type: 'smoke' }, {}, 7, null, [], 'stdio']) {
      const [only] = read(server(entry)).servers;
      expect(ServerDef.safeParse(only?.definition).success).toBe(false);
    }
    expect(read({ agent_id: 7, servers: [], meta: 1, agentid: 'a' }).problems.map(one => one.message)).toEqual([
      "'servers' is not an object.",
      "'meta' is not an object.",
      "Unknown key 'agentid'.",
      "'agent_id' is not a text.",
    ]);
    for (const value of [undefined, null, [], 'x', 1, {}]) expect(read(value).servers).toEqual([]);
    // Names that every object has are names like any other.
    const [odd] = read({ servers: { constructor: { type: 'stdio', command: 'a' } }, meta: {} }).servers;
    expect(odd?.definition).toEqual({ transport: 'stdio', command: 'a' });
  });
});

describe('writing a Kandev config', () => {
  const before = `{
  "agent_id": "codex", // who
  "enabled": false,
  "servers": {
    "old": { "type": "sse", "url": "https://old.test/sse" }
  },
  "meta": {
    "old": { "name": "Old" }
  }
}
`;

  test('adds, changes and removes servers with what people see of them', () => {
    const added: McpServerDef = {
      transport: 'streamable_http',
      url: 'http://localhost:1/${X}',
      headers: { A: 'b' },
      command: 'serve',
      args: ['-x'],
      env: { A: 'b' },
      mode: 'per_session',
      meta: { name: 'Added', icon: 'a.svg' },
    };
    const changed: McpServerDef = { transport: 'sse', url: 'https://old.test/sse', meta: { description: 'Old one' } };
    const after = write(before, [
      { id: 'added', definition: added },
      { id: 'old', definition: changed },
    ]);
    expect(after).toContain('"agent_id": "codex", // who');
    expect(definitions(after)).toEqual({ added, old: changed });
    const without = write(after, [{ id: 'old', definition: undefined }]);
    expect(definitions(without)).toEqual({ added });
    expect(JSON.parse(without.replace('// who', '')).meta).toEqual({ added: added.meta });
  });

  test('switches a new file on', () => {
    const definition: McpServerDef = { transport: 'stdio', command: 'a', enabled: true };
    expect(JSON.parse(write('{}', [{ id: 'a', definition }]))).toEqual({
      enabled: true,
      servers: { a: { type: 'stdio', command: 'a' } },
    });
  });

  test('leaves out what it has no words for, with the reason', () => {
    const reasons: [McpServerDef, string][] = [
      [{ transport: 'ws', url: 'wss://a.test' }, 'it knows no ws servers'],
      [{ transport: 'stdio', command: 'a', cwd: '/' }, "it has no key for 'cwd'"],
      [{ transport: 'stdio', command: 'a', enabled: false }, "it has no key for 'enabled'"],
      [{ transport: 'stdio', command: 'a', meta: { name: 'A' } }, 'meta is not an object'],
    ];
    for (const [definition, because] of reasons) {
      const written = kandev.write?.({ meta: [] }, [{ id: 'a', definition }]);
      expect(written).toEqual({ edits: [], leftOut: [{ id: 'a', because }] });
    }
  });
});
