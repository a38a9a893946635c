/** What the compiler says to somebody who writes a config down. `npm run check` compiles this file: each wrong line must be one. */
import { expect, test } from 'vitest';
import type * as z from 'zod/mini';
import type { HostOptions } from '../../host/host-options.ts';
import { parseMcpConfig } from '../parse.ts';
import type { FileFrame } from './schema.ts';
import type { RemoteServer, StdioServer } from './server-schema.ts';
import type { RemoteServerInput, StdioServerInput } from './written/servers.ts';
import type { SettingsInput } from './written/settings.ts';
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

/** All of it read-only, and interfaces and tables in one form: then equal types are one type. */
type Plain<Value> = Value extends readonly (infer Item)[]
  ? readonly Plain<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]: Plain<Value[Key]> }
    : Value;
type Same<One, Other> =
  (<T>() => T extends Plain<One> ? 1 : 2) extends <T>() => T extends Plain<Other> ? 1 : 2 ? true : false;

/** Each is an error of the compiler where a generated type is not the one that the schema infers. */
const SAME: readonly [
  Same<StdioServerInput, z.infer<typeof StdioServer>>,
  Same<RemoteServerInput, z.infer<typeof RemoteServer>>,
  Same<SettingsInput, Omit<z.infer<typeof FileFrame>, 'version' | 'servers'>>,
  Same<{ a?: { b: 1 } }, { a?: { b: 2 } }>,
  Same<{ a?: { b: 1 } }, { a?: { b?: 1 } }>,
  Same<{ a: { b: 1 } }, { a: { b: 1; c?: 1 } }>,
] = [true, true, true, false, false, false];

test('the commented types are those of the schema', () => {
  expect(SAME).toEqual([true, true, true, false, false, false]);
});
