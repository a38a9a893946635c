import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promise } from '@junctor/testkit';
import { expect, test } from 'vitest';
import { jsonFormat } from '../formats/json/json.ts';
import { kilo } from './kilo.ts';

const FILE = '/home/me/.config/kilo/kilo.jsonc';
const read = (value: unknown) => kilo.read(value, { file: FILE, home: '/home/me' });

promise('1.4m', 'a Kilo file loads as it stands, comments included', () => {
  const text = readFileSync(join(import.meta.dirname, 'samples', 'kilo', 'kilo.jsonc'), 'utf8');
  const result = jsonFormat.read(FILE, text);
  const { servers, problems } = read(result.ok ? result.document.value : undefined);
  expect(problems).toEqual([]);
  expect(servers.map(({ id, definition }) => [id, definition])).toEqual([
    [
      'hub',
      {
        transport: 'http',
        url: 'https://hub.example.com/mcp',
        headers: { Authorization: 'Bearer ${HUB_TOKEN}' },
        oauth: false,
        enabled: true,
        request_timeout_ms: 5000,
        tool_idle_timeout_ms: 5000,
      },
    ],
    ['loc', { transport: 'stdio', command: 'npx', args: ['-y', 'pkg'], env: { K: '${K}' }, cwd: '.', enabled: true }],
  ]);
});

test('Kilo knows no key of its own for servers', () => {
  const { problems } = read({ mcp: { servers: { hub: { type: 'remote', url: 'https://hub.example.com/mcp' } } } });
  expect(problems).toEqual([
    {
      server: 'servers',
      path: ['mcp', 'servers', 'type'],
      message: "Server 'servers' has no 'type', and Kilo refuses the whole file because of it.",
      fix: 'Add "type": "local" or "type": "remote".',
    },
  ]);
});

test('Kilo is written as opencode is', () => {
  const definition = { transport: 'stdio', command: 'npx', args: ['-y', 'pkg'], env: { K: '${K}' } } as const;
  const changes = [
    { id: 'a', definition: { ...definition, args: [...definition.args] } },
    { id: 'b', definition: { transport: 'ws' as const, url: 'wss://b.example.com' } },
  ];
  expect(kilo.write?.({ mcp: {} }, changes)).toEqual({
    edits: [
      { path: ['mcp', 'a'], value: { type: 'local', command: ['npx', '-y', 'pkg'], environment: { K: '{env:K}' } } },
    ],
    leftOut: [{ id: 'b', because: 'it cannot speak WebSocket' }],
  });
});

test('Kilo keeps its files where its variables say', () => {
  const from = { home: '/home/me', cwd: '/project', platform: 'linux' as const, policyDirectory: '/etc/junctor' };
  expect(kilo.files?.({ ...from, env: { KILO_CONFIG: '/mine.json' } })).toEqual([
    { scope: 'user', path: '/mine.json' },
    { scope: 'user', path: '/home/me/.config/kilo/kilo.json' },
    { scope: 'user', path: '/home/me/.config/kilo/kilo.jsonc' },
    { scope: 'project', path: '/project/kilo.json' },
    { scope: 'project', path: '/project/kilo.jsonc' },
    { scope: 'project', path: '/project/.kilo/kilo.json' },
    { scope: 'project', path: '/project/.kilo/kilo.jsonc' },
    { scope: 'project', path: '/project/opencode.json' },
  ]);
  expect(kilo.files?.({ ...from, env: { XDG_CONFIG_HOME: '/xdg' } })[0]?.path).toBe('/xdg/kilo/kilo.json');
});
