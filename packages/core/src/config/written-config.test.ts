/** What the compiler says to somebody who writes a config down. `npm run check` compiles this file: each wrong line must be one. */
import { expect, test } from 'vitest';
import type { HostOptions } from '../host/host-options.ts';
import { parseMcpConfig } from './parse.ts';
import type { McpServerInput } from './written-config.ts';

type Config = NonNullable<HostOptions['config']>;

const named: McpServerInput = { transport: 'http', url: 'https://example.com/mcp', headers: { a: 'b' } };

const RIGHT: readonly Config[] = [
  { version: 1, servers: { fs: { transport: 'stdio', command: 'npx', args: ['x'] }, named, off: { enabled: false } } },
  { version: 1, servers: { named }, permissions: { allow: ['mcp__fs__*'] } } as const,
  // Other notations, each known by its shape.
  { mcpServers: { fs: { command: 'npx', args: ['x'] } } },
  { servers: { fs: { transport: { type: 'stdio', command: 'npx' }, trust: 'untrusted' } } },
  { version: 1, mcp: { servers: { fs: { transport: 'stdio', command: 'npx' } } } },
];

const WRONG: readonly Config[] = [
  // @ts-expect-error a key that nobody knows
  { version: 1, servers: { fs: { transport: 'stdio', comand: 'npx' } } },
  // @ts-expect-error a transport that nobody speaks
  { version: 1, servers: { fs: { transport: 'studio', command: 'npx' } } },
  // @ts-expect-error no address
  { version: 1, servers: { fs: { transport: 'http', command: 'npx' } } },
  // @ts-expect-error a section that nobody knows
  { version: 1, servrs: {} },
  // @ts-expect-error a rule that is no list
  { version: 1, permissions: { allow: 'mcp__fs__*' } },
];

test('what the compiler takes is a config, and what it refuses is none', () => {
  for (const config of RIGHT) expect(() => parseMcpConfig(config)).not.toThrow();
  for (const config of WRONG) expect(() => parseMcpConfig(config)).toThrow();
});

test('a config that was parsed can be passed on', () => {
  const parsed: Config = parseMcpConfig({ mcpServers: { fs: { command: 'npx' } } });
  expect(parseMcpConfig(parsed)).toEqual(parsed);
});
