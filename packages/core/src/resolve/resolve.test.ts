import { promise } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { type Layer, mergeLayers } from '../config/layers.ts';
import type { ConfigFrame } from '../config/schema/schema.ts';
import type { McpServerDef } from '../config/schema/server-schema.ts';
import { DEFAULT_POLICIES } from './policy.ts';
import { type Resolution, type ResolveInput, resolve } from './resolve.ts';
import { rewriteUrl } from './url-rewrite.ts';

const stdio = (more: object = {}): McpServerDef => ({ transport: 'stdio', command: 'x', ...more });
const remote = (transport: 'http' | 'sse' | 'streamable_http' | 'ws', more: object = {}): McpServerDef => ({
  transport,
  url: `${transport === 'ws' ? 'ws' : 'http'}://localhost:4010/mcp`,
  ...more,
});

const ALL = {
  pipe: stdio(),
  http: remote('http'),
  sse: remote('sse'),
  stream: remote('streamable_http'),
  socket: remote('ws'),
};

function resolved(
  servers: Record<string, McpServerDef>,
  frame: ConfigFrame = {},
  input: Partial<ResolveInput> = {},
): Resolution {
  const config = { ...frame, servers, overlays: {} };
  const layer: Layer = { name: 'user', source: 'u', file: 'u', dialect: 'junctor', config, placeOf: () => undefined };
  const merged = mergeLayers([layer]);
  return resolve({ config: { enabled: merged.frame.enabled !== false, ...merged }, ...input });
}

const names = ({ list }: Resolution) => list.map(server => server.name);

describe('resolve', () => {
  promise(
    ['5.3b', '5.3c', '5.3k', '5.3l'],
    'gives each server its name, transport, mode, endpoint, env and headers',
    () => {
      const servers = { ...ALL, http: remote('http', { headers: { A: '1' } }), pipe: stdio({ env: { B: '2' } }) };
      expect(resolved(servers, {}, { agent: 'CODEX', executor: 'local', session: 's1' })).toMatchObject({
        agent: 'codex',
        executor: 'local',
        session: 's1',
        list: [
          { name: 'pipe', transport: 'stdio', mode: 'per_session', endpoint: 'stdio:', env: { B: '2' }, headers: {} },
          {
            name: 'http',
            transport: 'http',
            mode: 'shared',
            endpoint: 'http://localhost:4010/mcp',
            env: {},
            headers: { A: '1' },
          },
          { name: 'sse', transport: 'sse', mode: 'shared' },
          { name: 'stream', transport: 'streamable_http', mode: 'shared' },
          { name: 'socket', transport: 'ws', mode: 'shared' },
        ],
        warnings: [],
        errors: [],
      });
    },
  );

  promise('5.3a', 'is pure: the same input gives the same output, and the input stays as it was', () => {
    const frame: ConfigFrame = { executors: { docker: { env_injection: { A: '1' } } } };
    const before = structuredClone(frame);
    const plain = (one: Resolution) => JSON.stringify([one.list, one.leftOut, one.warnings, one.errors]);
    expect(plain(resolved(ALL, frame, { executor: 'docker' }))).toBe(
      plain(resolved(ALL, frame, { executor: 'docker' })),
    );
    expect(frame).toEqual(before);
  });

  promise('5.3d', 'is empty for an agent, or a file, that is switched off', () => {
    const off = resolved(ALL, { agents: { codex: { enabled: false } } }, { agent: 'codex' });
    expect([off.list, off.leftOut[0]]).toEqual([
      [],
      { id: 'pipe', because: "MCP is switched off for agent 'codex'", kind: 'off' },
    ]);
    expect(names(resolved(ALL, { agents: { codex: { enabled: false } } }, { agent: 'cursor' }))).toHaveLength(5);
    expect(names(resolved(ALL, { enabled: false }))).toEqual([]);
  });

  promise(['5.3e', '5.3f'], 'leaves out the transports an executor forbids, each with a warning', () => {
    const switches = {
      allow_stdio: 'pipe',
      allow_http: 'http',
      allow_sse: 'sse',
      allow_streamable_http: 'stream',
      allow_ws: 'socket',
    };
    for (const [key, id] of Object.entries(switches)) {
      const { list, warnings, errors } = resolved(
        ALL,
        { executors: { ssh: { local: true, [key]: false } } },
        { executor: 'ssh' },
      );
      expect(list.map(server => server.name)).toEqual(Object.keys(ALL).filter(name => name !== id));
      const transport = key.slice('allow_'.length);
      expect(warnings).toEqual([{ server: id, message: `transport ${transport} is not allowed by executor 'ssh'` }]);
      expect(errors).toEqual([]);
    }
  });

  promise(['5.3m', '5.3n'], 'refuses a shared stdio server where the proxy is off', () => {
    const servers = { pipe: stdio({ mode: 'shared' }) };
    expect(names(resolved(servers))).toEqual(['pipe']);
    for (const executor of ['docker', 'ssh', 'k8s', 'sandbox']) {
      const { list, errors } = resolved(servers, {}, { executor });
      expect([list, errors.map(({ server }) => server)]).toEqual([[], ['pipe']]);
      const proxied = resolved(servers, { executors: { [executor]: { stdio_proxy: true } } }, { executor });
      expect(proxied.list.map(server => server.mode)).toEqual(['shared']);
    }
    expect(Object.entries(DEFAULT_POLICIES).map(([name, policy]) => [name, policy.stdio_proxy])).toEqual([
      ['local', true],
      ['docker', false],
      ['ssh', false],
      ['k8s', false],
      ['sandbox', false],
    ]);
  });

  promise(
    ['5.3i', '5.3j'],
    "puts the policy's variables in; the server wins only where the policy names the variable",
    () => {
      const servers = { pipe: stdio({ env: { OWN: 'server', BOTH: 'server', LEFT: 'server' } }) };
      const policy = {
        env_injection: { BOTH: 'policy', LEFT: 'policy', NEW: 'policy' },
        env_server_wins: ['LEFT', 'ABSENT'],
      };
      expect(resolved(servers, { executors: { local: policy } }).list[0]?.env).toEqual({
        OWN: 'server',
        BOTH: 'policy',
        LEFT: 'server',
        NEW: 'policy',
      });
    },
  );

  test('an agent may get fewer servers, and another policy, than the rest', () => {
    const frame: ConfigFrame = {
      agents: { codex: { servers: ['http', 'pipe'], executors: { local: { allow_stdio: false } } } },
    };
    expect(names(resolved(ALL, frame, { agent: 'codex' }))).toEqual(['http']);
    expect(names(resolved(ALL, frame, { agent: 'cursor' }))).toEqual(Object.keys(ALL));
  });
});

describe('rewriteUrl', () => {
  promise(['5.3g', '5.3h'], 'replaces a host, or host and port, and never a part of one', () => {
    const rows: [string, Record<string, string>, string][] = [
      ['http://localhost:4010/mcp?a=1', { localhost: 'mcp.svc' }, 'http://mcp.svc:4010/mcp?a=1'],
      ['http://localhost:4010/mcp', { 'localhost:4010': 'mcp.svc:80' }, 'http://mcp.svc/mcp'],
      ['http://localhost:4010/mcp', { 'localhost:4011': 'mcp.svc' }, 'http://localhost:4010/mcp'],
      ['http://localhost:4010/', { localhost: 'a', 'localhost:4010': 'b:1' }, 'http://b:1/'],
      ['http://localhost/', { 'localhost:80': 'b' }, 'http://b/'],
      ['https://localhost/', { 'localhost:80': 'b' }, 'https://localhost/'],
      ['http://notlocalhost/', { localhost: 'b' }, 'http://notlocalhost/'],
      ['http://localhost.evil.example/', { localhost: 'b' }, 'http://localhost.evil.example/'],
      ['http://x/localhost', { localhost: 'b' }, 'http://x/localhost'],
      ['http://localhost:4010/mcp', { localhost: 'https://gateway.example' }, 'https://gateway.example/mcp'],
      ['http://[::1]:1/mcp', { '[::1]': 'host.docker.internal' }, 'http://host.docker.internal:1/mcp'],
      ['ws://localhost:1/', { localhost: 'b' }, 'ws://b:1/'],
    ];
    for (const [url, rewrites, expected] of rows) expect([url, rewriteUrl(url, rewrites)]).toEqual([url, expected]);
  });

  test('an executor that nobody defined starts nothing, and another place stands in place of the first', () => {
    const { list, errors } = resolved(ALL, {}, { executor: 'sandbx' });
    expect(list.map(({ name }) => name)).not.toContain('pipe');
    expect(errors).toContainEqual({ server: 'pipe', message: expect.stringContaining("what executor 'sandbx' is") });
    const frame: ConfigFrame = {
      executors: { box: { docker: { image: 'tools:1' } } },
      agents: { codex: { executors: { box: { sandbox: {} } } } },
    };
    const { servers } = resolved(ALL, frame, { agent: 'codex', executor: 'box' });
    expect(servers.get('pipe')?.site).toEqual({ executor: 'box', kind: 'sandbox', settings: {} });
  });

  test('the container of a docker executor reaches the machine around it', () => {
    const { list } = resolved({ http: remote('http') }, {}, { executor: 'docker' });
    expect(list[0]?.endpoint).toBe('http://host.docker.internal:4010/mcp');
  });
});
