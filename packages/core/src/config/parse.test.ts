import { promise } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { isJunctorError } from '../base/error.ts';
import { parseMcpConfig } from './parse.ts';
import { describeProblem } from './problem.ts';
import { readConfig } from './reading/read.ts';

async function problems(text: string, file = 'junctor.json'): Promise<string[]> {
  const read = await readConfig(file, text, { home: '/home/me' });
  return (read.ok ? read.reading.problems : read.problems).map(describeProblem);
}

const server = (body: string): string => `{ "servers": { "x": ${body} } }`;

describe('a config', async () => {
  promise(
    ['1.1b', '1.1c', '1.1g', '1.1j', '1.3b'],
    'that is wrong is told what, where and how to mend it',
    async () => {
      expect(await problems(server('{ "transport": "stdio" }'))).toEqual([
        `junctor.json:1:16 servers.x.command: Missing 'command' in stdio server 'x'. Add the program to start, or set transport to "http".`,
      ]);
      expect(await problems(server('{ "transport": "http" }'))).toEqual([
        `junctor.json:1:16 servers.x.url: Missing 'url' in http server 'x'. Add the endpoint, or set transport to "stdio".`,
      ]);
      expect(await problems(server('{ "transport": "smoke" }'))).toEqual([
        `junctor.json:1:23 servers.x.transport: Unknown transport "smoke" in server 'x'. Set transport to one of "stdio", "http", "streamable_http", "sse", "ws".`,
      ]);
      expect(await problems(server('{ "transport": "stdio", "command": "a", "argz": [] }'))).toEqual([
        `junctor.json:1:61 servers.x.argz: Unknown key 'argz'. Did you mean 'args'?`,
      ]);
      expect(await problems(server('{ "transport": "stdio", "command": "a", "headers": {}, "url": "x" }'))).toEqual([
        `junctor.json:1:61 servers.x.headers: 'headers' does not go with stdio server 'x': a program gets its credentials through env. Remove it, or set transport to "http".`,
        `junctor.json:1:76 servers.x.url: 'url' does not go with stdio server 'x': only a server at an address has it. Remove it, or set transport to "http".`,
      ]);
      expect(await problems(server('{ "transport": "stdio", "command": 7 }'))).toEqual([
        'junctor.json:1:45 servers.x.command: This must be a text. Found 7. Write it in quotes.',
      ]);
      expect(await problems('{ "servers": { "a b": { "transport": "stdio", "command": "a" } } }')).toEqual([
        "junctor.json:1:16 servers.a b: 'a b' cannot be a server id. Rename it with 1 to 64 letters, digits, _ or -.",
      ]);
      expect(await problems('{ "sevrers": {} }')).toEqual([
        "junctor.json:1:3 sevrers: Unknown key 'sevrers'. Did you mean 'servers'?",
      ]);
    },
  );

  promise('1.3a', 'takes any id of 1 to 64 letters, digits, _ and -', async () => {
    const id = (length: number): string => 'aZ09_-'.repeat(11).slice(0, length);
    for (const length of [1, 6, 64]) {
      expect(await problems(`{ "servers": { "${id(length)}": { "transport": "stdio", "command": "x" } } }`)).toEqual(
        [],
      );
    }
    expect(await problems(`{ "servers": { "${id(65)}": { "transport": "stdio", "command": "x" } } }`)).toHaveLength(1);
    expect(await problems('{ "servers": { "": { "transport": "stdio", "command": "x" } } }')).toHaveLength(1);
  });

  test('with a key twice, broken syntax, nothing in it or a byte order mark', async () => {
    const twice =
      '{ "servers": {\n "a": { "transport": "stdio", "command": "x" },\n "a": { "transport": "stdio", "command": "y" } } }';
    expect(await problems(twice)).toEqual([
      "junctor.json:3:2 servers.a: The key 'a' stands twice: here and at line 2. Remove or rename one of them.",
    ]);
    expect((await problems('{ "servers": '))[0]).toMatch(/^junctor\.json:1:14: Not valid JSON: value expected at /);
    expect(await problems('')).toEqual(['junctor.json:1:1: The file is empty. Write a config into it, or remove it.']);
    expect(await problems('\uFEFF{ "version": 1 }')).toEqual([]);
  });

  test('cannot reach the prototype of anything', async () => {
    const text =
      '{ "servers": { "__proto__": { "transport": "stdio", "command": "x" } }, "__proto__": { "polluted": true } }';
    expect(await problems(text)).toEqual([
      "junctor.json:1:73 __proto__: Unknown key '__proto__'. Remove it, or check its spelling.",
    ]);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  promise('1.12a', 'given as a value is returned whole, or refused with every problem at once', async () => {
    const good = { version: 1, servers: { a: { transport: 'stdio', command: 'x' } } };
    expect(parseMcpConfig(good).servers.a).toEqual({ transport: 'stdio', command: 'x' });
    const bad = { servers: { a: { transport: 'stdio' }, b: { transport: 'http' } } };
    const error = (() => {
      try {
        return parseMcpConfig(bad);
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(isJunctorError(error, 'config_invalid') && error.message.split('\n')).toEqual([
      `(value) servers.a.command: Missing 'command' in stdio server 'a'. Add the program to start, or set transport to "http".`,
      `(value) servers.b.url: Missing 'url' in http server 'b'. Add the endpoint, or set transport to "stdio".`,
    ]);
  });
});
