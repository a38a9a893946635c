import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readPlain } from './plain-config.ts';
import type { ConfigReading } from './read.ts';
import { readAny } from './read-any.ts';

const documentOf = (value: unknown, file = '(overrides)') => ({ file, value, locate: () => ({ line: 1, column: 1 }) });
const plainly = (value: unknown, file?: string) => readPlain(documentOf(value, file), { home: '/home/me' });
const bySchema = (value: unknown, file?: string) => readAny(documentOf(value, file), { home: '/home/me' });
/** Everything a reading says, with the order of its keys. */
const said = ({ config, problems, dialect }: ConfigReading) => JSON.stringify({ config, problems, dialect });

const stdio = { transport: 'stdio', command: 'npx' };
const config = (entry: unknown, frame: object = { version: 1 }) => ({ ...frame, servers: { fs: entry } });

describe('what is plainly valid is read as the schema reads it', () => {
  test.each([
    ['no server', { version: 1, servers: {} }],
    ['no version', { servers: {} }],
    ['a program', config({ ...stdio, env: { B: '2', A: '' }, args: ['-y', ''], cwd: '/srv' })],
    ['keys in another order', config({ trust: 'trusted', enabled: false, command: 'npx', transport: 'stdio' })],
    ['a url', config({ headers: { a: 'b' }, url: 'https://example.com/mcp', transport: 'http', debug: true })],
    ['a url with a variable', config({ transport: 'ws', url: '${HOST}/mcp' })],
    ['rules', config(stdio, { permissions: { deny: ['mcp__fs__*'], allow: ['mcp__fs__read(path=/tmp/**)'] } })],
    ['a schema', config(stdio, { $schema: 'https://example.com/schema.json' })],
  ])('%s', (_title, value) => {
    const plain = plainly(value) as ConfigReading;
    const whole = bySchema(value);
    expect(whole.ok && said(plain)).toBe(whole.ok && said(whole.reading));
    expect([plain.placeOf('fs'), plain.placeOf('other')]).toEqual([
      whole.ok && whole.reading.placeOf('fs'),
      whole.ok && whole.reading.placeOf('other'),
    ]);
  });
});

describe('what is not plain is left to the schema', () => {
  test.each<[string, unknown, string?]>([
    ['a file of another program', { version: 1, servers: {} }, '/home/me/.vscode/mcp.json'],
    ['another dialect', { mcpServers: {} }],
    ['a key that is rare', config({ ...stdio, tools: { allow: ['a'] } })],
    ['a key nobody knows', config({ ...stdio, comand: 'x' })],
    ['a bad id', { servers: { 'a b': stdio } }],
    ['a switch', config({ enabled: false })],
    ['a url that is none', config({ transport: 'http', url: 'example.com' })],
    ['a rule that cannot be read', config(stdio, { permissions: { deny: ['mcp__fs__x(path='] } })],
    ['a key without a value', config({ ...stdio, cwd: undefined })],
    ['a list with a hole', config({ ...stdio, args: new Array(2) })],
    ['an object of a class', config(Object.assign(new Date(), stdio))],
    ['a name with a meaning', config({ ...stdio, env: JSON.parse('{"__proto__":"x"}') })],
  ])('%s', (_title, value, file) => {
    expect(plainly(value, file)).toBeUndefined();
  });
});

const word = fc.constantFrom<unknown>('', 'x', 'stdio', 'http', 'ws', 'auto', 'trusted', 'https://a.b/c', 'a${B}');
const anything = fc.oneof(
  word,
  fc.constantFrom<unknown>(1, 0, 1.5, -1, 2 ** 60, true, null, undefined, {}, []),
  fc.array(word, { maxLength: 2 }),
  fc.dictionary(fc.constantFrom('A', 'allow', 'deny'), fc.oneof(word, fc.constant(1)), { maxKeys: 2 }),
);
const keys = ['transport', 'command', 'args', 'cwd', 'env', 'url', 'headers', 'trust', 'mode', 'debug', 'protocol'];
const someKeys = fc.dictionary(fc.constantFrom(...keys, 'tool_timeout_ms', 'tools', 'meta'), anything, { maxKeys: 2 });
const anyServer = fc
  .tuple(fc.constantFrom<object>({}, stdio, { transport: 'http', url: 'https://a.b/c' }), someKeys)
  .map(([base, more]) => ({ ...base, ...more }));
const strangeFrame = fc.dictionary(fc.constantFrom('version', '$schema', 'permissions', 'mcp', 'inputs'), anything, {
  maxKeys: 2,
});
const anyFrame = fc.oneof(fc.constant({ version: 1 }), strangeFrame);

test('it never takes what the schema refuses, nor takes it otherwise', () => {
  let taken = 0;
  fc.assert(
    fc.property(fc.constantFrom('fs', 'other', 'a b'), anyServer, anyFrame, (id, server, frame) => {
      const value = { ...frame, servers: { [id]: server } };
      const plain = plainly(value);
      if (!plain) return;
      taken++;
      const whole = bySchema(value);
      expect(whole.ok && said(whole.reading)).toBe(said(plain));
    }),
    { numRuns: 3000 },
  );
  expect(taken).toBeGreaterThan(100);
});
