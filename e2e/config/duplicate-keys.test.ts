/** A key that stands twice costs what stands under it, and nothing else of the file. */
import { junctor, makeHome, promise, testServer } from '@junctor/testkit';
import { describe, expect } from 'vitest';
import { json, USER } from './commands.ts';

const stdio = (command: string): string => JSON.stringify({ transport: 'stdio', command });

/** The files of three notations and two dialects, each with a good server `b` and a server `a` that stands twice. */
const FILES: readonly (readonly [string, string])[] = [
  ['project/junctor.json', `{ "servers": { "a": ${stdio('x')}, "b": ${stdio('y')}, "a": ${stdio('z')} } }`],
  [
    'project/.codelia/config.json',
    `{ "version": 1, "mcp": { "servers": { "a": ${stdio('x')}, "b": ${stdio('y')}, "a": ${stdio('z')} } } }`,
  ],
  [
    'project/junctor.yaml',
    'servers:\n  a: {transport: stdio, command: x}\n  b: {transport: stdio, command: y}\n  a: {}\n',
  ],
  [
    'project/.mcp.toml',
    '[mcp_servers.a]\ntransport = "stdio"\nprogram = "x"\n[mcp_servers.b]\ntransport = "stdio"\nprogram = "y"\n[mcp_servers.a]\nenabled = true\n',
  ],
];

describe('a duplicate key', () => {
  promise(
    ['1.3c', '1.8g'],
    'makes its server invalid and leaves the others usable, in every notation and dialect',
    async () => {
      for (const [file, text] of FILES) {
        await using home = await makeHome();
        const written = await home.write(file, text);
        const { servers, problems } = await json(home, 'mcp', 'list');
        expect([file, servers.map((one: { id: string; error?: string }) => [one.id, one.error])]).toEqual([
          file,
          [
            ['a', expect.stringMatching(/^The key 'a' stands twice: here and at line \d\.$/)],
            ['b', undefined],
          ],
        ]);
        expect(problems).toMatchObject([{ file: written, server: 'a', expected: 'each key once' }]);
      }
    },
  );

  promise('1.8g', 'inside a server costs that server only', async () => {
    await using home = await makeHome();
    await home.write(
      'project/junctor.json',
      `{ "servers": { "web": { "transport": "http", "url": "http://a.test/", "url": "http://b.test/" }, "b": ${stdio('y')} } }`,
    );
    const { servers } = await json(home, 'mcp', 'list');
    expect(servers.map((one: { id: string; error?: string }) => [one.id, one.error])).toEqual([
      ['b', undefined],
      ['web', "The key 'url' stands twice: here and at line 1."],
    ]);
    const { stderr, code } = await junctor(home, ['mcp', 'disable', 'b']);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/cannot be edited(.|\n)*'url' stands twice/)]);
  });

  promise('1.8h', 'of a section costs that section, and frees nothing that either of the two denies', async () => {
    await using home = await makeHome();
    const demo = JSON.stringify({ ...testServer(), trust: 'trusted' });
    await home.write(
      USER,
      `{ "servers": { "demo": ${demo} }, "permissions": { "deny": ["mcp__demo__echo"] }, "permissions": { "allow": ["mcp__demo__fail"], "deny": ["mcp__demo__pid"] } }`,
    );
    const { servers, problems } = await json(home, 'mcp', 'list');
    expect(servers.map((one: { id: string }) => one.id)).toEqual(['demo']);
    expect(problems).toMatchObject([{ path: 'permissions' }]);
    for (const tool of ['echo', 'pid']) {
      const { code, stderr } = await junctor(home, ['mcp', 'call', 'demo', tool, '--yes']);
      expect([tool, code, stderr]).toEqual([tool, 1, expect.stringContaining('permission_denied')]);
    }
  });
});
