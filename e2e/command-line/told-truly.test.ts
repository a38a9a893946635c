/** What commands show of servers is what the files say and what servers do. */
import { loadMcpConfig } from '@junctor/core/config-read';
import { type Home, junctor, makeHome, promise, testServer } from '@junctor/testkit';
import { serveSse } from '@junctor/testkit/test-server';
import { describe, expect, test } from 'vitest';
import { json } from '../config/commands.ts';

const ran = async (home: Home, ...words: string[]) => {
  const { code, stdout, stderr } = await junctor(home, words);
  return { code, said: stdout + stderr };
};

/** Lists one good tool and two that nobody can use; with an argument it says that it has no tools. */
const ODD_LIST = `
import { createInterface } from 'node:readline';
const tools = [{ name: 'ok', inputSchema: { type: 'object' } }, { name: '', inputSchema: { type: 'object' } }, { inputSchema: {} }];
const capabilities = process.argv[2] ? {} : { tools: {} };
const answers = { initialize: { protocolVersion: '2025-11-25', capabilities, serverInfo: { name: 'odd', version: '1' } }, 'tools/list': { tools } };
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method } = JSON.parse(line);
  if (id === undefined) continue;
  const answer = answers[method] ? { result: answers[method] } : { error: { code: -32601, message: 'no' } };
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...answer }) + '\\n');
}`;

describe('mcp list', () => {
  promise(
    '4.1aj',
    'tells servers apart that are approved, wait for approval, or declare themselves trusted',
    async () => {
      await using home = await makeHome();
      await home.write('config/junctor/config.json', { servers: { own: { transport: 'stdio', command: 'x' } } });
      await home.write('project/junctor.json', {
        servers: {
          asks: { transport: 'stdio', command: 'x' },
          known: { transport: 'stdio', command: 'x' },
          off: { transport: 'stdio', command: 'x', enabled: false },
          self: { transport: 'stdio', command: 'x', trust: 'trusted' },
        },
      });
      await junctor(home, ['trust', 'add', 'known']);
      const { servers } = await json(home, 'mcp', 'list');
      const states = servers.map((one: Record<string, unknown>) => [one.id, one.trust, one.approval]);
      expect(states).toEqual([
        ['asks', 'untrusted', 'waiting'],
        ['known', 'untrusted', 'approved'],
        ['off', 'untrusted', 'waiting'],
        ['own', 'untrusted', null],
        ['self', 'trusted', 'waiting'],
      ]);
      const { said } = await ran(home, 'mcp', 'list');
      expect(said).toMatch(/^self +stdio +project +yes +trusted +waiting +x$/m);
      expect(said).toContain("note: 'asks', 'self' wait for your approval: junctor trust add asks self\n");
      expect((await ran(home, 'explain', 'asks')).said).toContain('waits for approval: junctor trust add asks');
      expect((await ran(home, 'explain', 'off')).said).not.toContain('waits for approval');
    },
  );

  test('a text that looks like a variable is shown as its file has it', async () => {
    await using home = await makeHome();
    const servers = { a: { transport: 'stdio', command: 'x', args: ['${FOO}'] } };
    await home.write('project/.codelia/config.json', { version: 1, mcp: { servers } });
    for (const words of [['mcp', 'list'], ['mcp', 'get', 'a'], ['explain', 'a'], ['trust']]) {
      const { said } = await ran(home, ...words);
      expect([words, said]).toEqual([words, expect.stringMatching(/[^$]\$\{FOO\}/)]);
    }
  });
});

describe('mcp test', () => {
  promise(
    '4.1ak',
    'names the transport it used, skipped tools, lists it did not ask for, and names that fit no tool',
    async () => {
      await using home = await makeHome();
      await using open = new AsyncDisposableStack();
      const old = open.adopt(await serveSse(0, {}), one => one.close());
      const program = await home.write('odd.mjs', ODD_LIST);
      const odd = (...more: string[]) => ({ transport: 'stdio', command: process.execPath, args: [program, ...more] });
      await home.write('config/junctor/config.json', {
        servers: {
          odd: odd(),
          none: odd('without'),
          old: { transport: 'http', url: old.url },
          few: { ...testServer(), tools: { allow: ['ecko', 'pid', 'sl*'] } },
        },
      });
      const [odds, none, older, few] = await Promise.all(
        ['odd', 'none', 'old', 'few'].map(id => ran(home, 'mcp', 'test', id)),
      );
      expect(odds?.said).toMatch(/^tools\/list +ok +1 tool; 2 skipped$/m);
      expect(odds?.said).toContain("2 tools of MCP server 'odd' cannot be used");
      expect(none?.said).toMatch(/^tools\/list +not asked +it offers no tools$/m);
      expect(older?.said).toMatch(/^connect +ok +sse http/m);
      const misspelt = "'ecko' in the list of tools that server 'few' may offer fits none of its tools";
      expect(few?.said).toContain(misspelt);
      expect((await ran(home, 'mcp', 'tools', 'few')).said).toContain(misspelt);
    },
  );
});

describe('a config', () => {
  test('says what it cannot mean, in the words of its format', async () => {
    await using home = await makeHome();
    await home.write('.code_agent/config.json', {
      mcp: { servers: { a: { type: 'stdio', command: 'x', trust: 'yes' } } },
    });
    const web = { transport: 'http', url: 'https://example.com/mcp', env: { A: 'b' } };
    await home.write('project/.codelia/config.json', { version: 2, mcp: { servers: { web } } });
    const { code, stdout, stderr } = await junctor(home, ['validate'], {
      env: { ...home.env, CODE_AGENT_MCP_SERVERS: '{}' },
    });
    const said = stdout + stderr;
    expect(code).toBe(1);
    expect(said).toContain(`'trust' of server 'a' must be true or false. Found "yes".`);
    expect(said).toContain('version: Junctor knows version 1 of this format, and reads the file as that.');
    expect(said).toContain('$CODE_AGENT_MCP_SERVERS:1:1: The servers are not in a list.');
    expect(said).toContain("note: 'env' of server 'web' in");
    expect(said).not.toContain('"trusted"');
  });

  promise('1.6a', 'may be the policy of an organisation in the format of cocode', async () => {
    await using home = await makeHome();
    const toml = '[mcp_servers.weather]\ntransport = "stdio"\nprogram = "weather"\nstartup_timeout_sec = 10\n';
    await home.write('etc/policy.toml', toml);
    await home.write('project/junctor.json', { servers: { other: { transport: 'stdio', command: 'x' } } });
    const { layers, servers } = await loadMcpConfig({
      surroundings: {
        cwd: home.project,
        home: home.path,
        env: home.env,
        platform: process.platform,
        policyDirectory: `${home.path}/etc`,
      },
    });
    expect(layers.map(({ name, dialect }) => [name, dialect])).toEqual([['enterprise', 'cocode']]);
    expect([...servers.keys()]).toEqual(['weather']);
  });

  test('that has no word for trust or rules names another place for them', async () => {
    await using home = await makeHome();
    const { command, args } = testServer();
    const servers = { c: { transport: 'stdio', command, args } };
    await home.write('.codelia/config.json', { version: 1, mcp: { servers } });
    await home.write('.code_agent/config.json', { mcp: { servers: { a: { type: 'stdio', command, args } } } });
    const hint = async (id: string) => (await ran(home, 'mcp', 'call', id, 'echo', '--args', '{"text":"x"}')).said;
    expect(await hint('c')).toMatch(
      /try: add --yes, or add "mcp__c__echo" to permissions.allow in a Junctor file, such as your own\n/,
    );
    expect(await hint('a')).toContain('or set "trust": true on the server');
    expect((await ran(home, 'mcp', 'get', 'nobody')).said).toMatch(/known servers: '[ac]', '[ac]'/);
  });

  test('is edited with words that lead somewhere', async () => {
    await using home = await makeHome();
    expect((await ran(home, 'mcp', 'add', 'x', '--transport', 'http')).said).toContain('An http server needs --url.');
    await home.write('project/junctor.json', {
      servers: { everything: { transport: 'stdio', command: 'x', trust: 'trusted' } },
      bundles: { b: { serverId: 'everything', allowTools: [] } },
    });
    const removed = await ran(home, 'mcp', 'remove', 'nosuch');
    expect(removed.said).toContain(
      "why: it defines 'everything'\n  try: junctor mcp list shows the servers of all files",
    );
    expect((await ran(home, 'validate')).said).toContain('bundles.b.allowTools: This list must not be empty.');
    const url = 'https://example.com/mcp';
    await ran(home, 'mcp', 'add', 'k', '--url', url, '--header', 'Authorization=Bearer a-secret-of-mine');
    const { said } = await ran(home, 'mcp', 'add', 'k', '--replace', '--url', url);
    expect(said).toContain("replaced server 'k' in");
    expect(said).toMatch(/the secret k\.Authorization\.\w+ is still stored; to remove it: /);
  });
});
