import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promise } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import type { McpServerDef } from '../schema/server-schema.ts';
import { windsurf } from './windsurf.ts';

const SAMPLE = JSON.parse(readFileSync(join(import.meta.dirname, 'samples/windsurf/with-junctor.json'), 'utf8'));
const read = (value: unknown) => windsurf.read(value, { file: '/x/windsurf/mcp_config.json', home: '/home/me' });
const said = (value: unknown) => Object.fromEntries(read(value).servers.map(({ id, definition }) => [id, definition]));
const write = (value: unknown, id: string, definition: McpServerDef) => windsurf.write?.(value, [{ id, definition }]);

describe('a file of Windsurf', () => {
  promise('1.4v', 'loads as it stands', () => {
    expect(said(SAMPLE)).toEqual({
      junctor: {
        transport: 'http',
        url: 'http://127.0.0.1:7717/mcp/windsurf',
        headers: { Authorization: `Bearer \${JUNCTOR_TOKEN}` },
      },
      plain: { transport: 'http', url: 'https://plain.example.com/mcp', enabled: true },
      loc: {
        transport: 'stdio',
        command: 'npx',
        args: ['-y', 'pkg'],
        env: { K: `\${K}` },
        enabled: false,
        tools: { deny: ['wipe'] },
      },
    });
  });

  test('a text from a file is a problem of that server', () => {
    const mcpServers = { a: { serverUrl: 'https://a.example.com', headers: { K: `\${file:/run/key}` } } };
    expect(read({ mcpServers })).toEqual({
      frame: {},
      servers: [],
      problems: [
        {
          path: ['mcpServers', 'a', 'command'],
          server: 'a',
          message: `Only Windsurf itself reads \${file:/run/key}, which server 'a' needs.`,
          fix: `Put the text into an environment variable, and write \${env:NAME}.`,
        },
      ],
    });
  });
});

describe('writing for Windsurf', () => {
  test('in its own words, and what only it knows stays', () => {
    const definition: McpServerDef = { transport: 'stdio', command: 'y', env: { K: `\${K}` }, tools: { deny: ['a'] } };
    const value = { command: 'y', env: { K: `\${env:K}` }, disabledTools: ['a'], alwaysAllow: ['read'] };
    expect(write(SAMPLE, 'loc', definition)).toEqual({ edits: [{ path: ['mcpServers', 'loc'], value }], leftOut: [] });
  });

  test('a url is written one way, whether it speaks HTTP or SSE: Windsurf finds out', () => {
    const value = { serverUrl: 'https://a.example.com/sse', disabled: true };
    const definition: McpServerDef = { transport: 'sse', url: 'https://a.example.com/sse', enabled: false };
    expect(write({}, 'x', definition)).toEqual({ edits: [{ path: ['mcpServers', 'x'], value }], leftOut: [] });
  });

  test.each<[string, McpServerDef]>([
    ['it cannot speak WebSocket', { transport: 'ws', url: 'wss://a.example.com' }],
    ['it cannot limit a server to some tools', { transport: 'stdio', command: 'x', tools: { allow: ['a'] } }],
    [`it has no way to write \${K:-d}`, { transport: 'stdio', command: `\${K:-d}` }],
  ])('leaves a server out, because %s', (because, definition) => {
    expect(write({}, 'x', definition)).toEqual({ edits: [], leftOut: [{ id: 'x', because }] });
  });
});

test('it has one file', () => {
  const from = {
    cwd: '/project',
    home: '/home/me',
    env: {},
    platform: 'linux',
    policyDirectory: '/etc/junctor',
  } as const;
  expect(windsurf.files?.(from)).toEqual([{ scope: 'user', path: '/home/me/.codeium/windsurf/mcp_config.json' }]);
});
