import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AGENT_NAMES } from '@junctor/core/light';
import { junctor, makeHome, promise, ROOT, startHub, testServer } from '@junctor/testkit';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, test } from 'vitest';
import { settled } from '../hub/settled.ts';
import { AGENT_FILES, SERVERS, TOKEN_REFERENCE } from './agent-files.ts';
import { json, parsedFile } from './exported.ts';

const CLAUSES = [
  { agent: 'codex', clause: '5.7e' },
  { agent: 'claude-code', clause: '5.7f' },
  { agent: 'cursor', clause: '5.7g' },
  { agent: 'gemini', clause: '5.7h' },
  { agent: 'qwen-code', clause: '5.7i' },
  { agent: 'opencode', clause: '5.7j' },
  { agent: 'kilo', clause: '5.7k' },
  { agent: 'copilot', clause: '5.7l' },
  { agent: 'droid', clause: '5.7m' },
  { agent: 'grok', clause: '5.7n' },
  { agent: 'cline', clause: '5.7o' },
  { agent: 'continue', clause: '5.7p' },
  { agent: 'goose', clause: '5.7q' },
  { agent: 'kimi', clause: '5.7r' },
  { agent: 'vscode', clause: '5.7s' },
  { agent: 'windsurf', clause: '5.7t' },
  { agent: 'zed', clause: '5.7u' },
  { agent: 'claude-desktop', clause: '5.7v' },
] as const;

describe.each(CLAUSES)('$agent', ({ agent, clause }) => {
  const { file, content, leftOut } = AGENT_FILES[agent];

  promise(
    [clause, '5.7w', '5.7y'],
    `${agent}: its own file holds the servers it can speak to, the others are named, and all come back by import`,
    async () => {
      await using home = await makeHome();
      await home.write('config/junctor/config.json', { servers: SERVERS });
      const path = join(home.path, file);
      const { code, stdout, stderr } = await junctor(home, ['mcp', 'export', agent, '--write']);
      const written = Object.keys(SERVERS).length - leftOut.length;
      expect([code, stdout]).toEqual([0, `wrote ${written} server(s) to ${path}\n`]);
      expect(await parsedFile(path)).toEqual(content);
      const named = [...stderr.matchAll(/^warning: left out '(\w+)': \S.*$/gm)].map(([, id]) => id);
      expect(named.sort()).toEqual([...leftOut].sort());
      expect((await stat(path)).mode & 0o777).toBe(0o600);

      const bytes = await readFile(path);
      const { imported } = await json(home, 'mcp', 'import', agent, '--config', join(home.path, 'copy.json'));
      expect(imported).toHaveLength(written);
      expect(await readFile(path)).toEqual(bytes);
      const copy = JSON.parse(await readFile(join(home.path, 'copy.json'), 'utf8')).servers;
      const { prog, ...remote } = SERVERS;
      expect({ ...copy.prog, enabled: undefined }).toEqual(prog);
      for (const [id, { url }] of Object.entries(remote))
        expect(copy[id]?.url).toBe(leftOut.includes(id) ? undefined : url);
    },
  );
});

describe('the hub in the place of secrets', () => {
  promise(
    ['5.7z', '7.6f', '8.32b', '9.5s'],
    "every agent gets the hub's address and names the variable of its token; one that cannot read variables gets a command",
    async () => {
      await using home = await makeHome();
      await home.write('config/junctor/config.json', {
        servers: { secret: { transport: 'stdio', command: 'x', env: { API_TOKEN: 'a-literal-secret' } } },
      });
      await using hub = await startHub(home, { servers: {} });
      for (const agent of AGENT_NAMES) {
        const path = join(home.path, AGENT_FILES[agent].file);
        const { code, stderr } = await junctor(home, ['mcp', 'export', agent, '--via', 'hub', '--write']);
        const text = await readFile(path, 'utf8');
        const reference = TOKEN_REFERENCE[agent];
        expect([agent, code]).toEqual([agent, 0]);
        expect(text).not.toMatch(/a-literal-secret|jct_/);
        if (reference === undefined) {
          const { mcpServers, context_servers: servers = mcpServers } = JSON.parse(text);
          expect(servers.junctor).toMatchObject({
            command: process.execPath,
            args: [join(ROOT, 'packages/cli/bin/junctor.js'), 'connect', agent, '--data', home.data],
          });
          expect(text).not.toContain('JUNCTOR_TOKEN');
        } else {
          expect(text).toContain(reference);
          expect(text).toContain(`${hub.url}/mcp/${agent}`);
          expect(stderr).toContain(`junctor hub token --agent ${agent}`);
        }
      }
    },
  );

  promise('9.5s', 'the command in the place of a variable speaks to the hub', async () => {
    await using home = await makeHome();
    await using hub = await startHub(home, { servers: { demo: testServer() } });
    await settled(hub);
    await junctor(home, ['mcp', 'export', 'zed', '--via', 'hub', '--write']);
    const { context_servers: servers } = JSON.parse(await readFile(join(home.path, AGENT_FILES.zed.file), 'utf8'));
    const { command, args } = servers.junctor;
    const client = new Client({ name: 'zed', version: '1' });
    // As an editor starts it: in a folder of its own, with nothing on the PATH.
    const env = { HOME: home.path, PATH: home.path };
    await client.connect(new StdioClientTransport({ command, args, cwd: home.path, env }));
    const names = (await client.listTools()).tools.map(({ name }) => name);
    await client.close();
    expect(names).toContain('demo_echo');
    expect((await hub.fetch('/healthz')).status).toBe(200);
  });

  test('what the file of an agent has besides the hub is named: the agent would have it twice', async () => {
    await using home = await makeHome();
    await home.write('.cursor/mcp.json', { mcpServers: { own: { command: 'x' }, off: { command: 'y' } } });
    await junctor(home, ['mcp', 'import']);
    await junctor(home, ['mcp', 'disable', 'off', '--scope', 'global']);
    const { stderr } = await junctor(home, ['mcp', 'export', 'cursor', '--via', 'hub', '--write']);
    expect(stderr).toContain("'own' is in the file, too: Cursor has it twice");
  });

  test('an entry that leads to the hub is not imported', async () => {
    await using home = await makeHome();
    for (const agent of AGENT_NAMES) await junctor(home, ['mcp', 'export', agent, '--via', 'hub', '--write']);
    const { imported, skipped } = await json(home, 'mcp', 'import');
    expect(imported).toEqual([]);
    expect(skipped).toHaveLength(AGENT_NAMES.length);
  });
});

describe('copies only', () => {
  promise(
    ['5.7x', '5.7y'],
    "an agent's file is no source: its servers count once they are imported, and importing leaves it as it is",
    async () => {
      await using home = await makeHome();
      await junctor(home, ['mcp', 'export', 'codex', '--via', 'hub', '--write']);
      const file = join(home.path, '.codex/config.toml');
      await writeFile(file, `${await readFile(file, 'utf8')}\n[mcp_servers.theirs]\ncommand = "x"\n`);
      const before = await readFile(file);
      const ids = async () => (await json(home, 'mcp', 'list')).servers.map(({ id }: { id: string }) => id);
      expect(await ids()).toEqual([]);
      await home.write('.cursor/mcp.json', { mcpServers: { theirs: { command: 'x' } } });
      const { imported, skipped } = await json(home, 'mcp', 'import');
      expect(imported.map(({ id }: { id: string }) => id)).toEqual(['theirs']);
      // Two agents with the same server give one server.
      expect(skipped.map(({ id, because }: { id: string; because: string }) => [id, because])).toEqual(
        expect.arrayContaining([['theirs', expect.stringContaining('it is the same as in')]]),
      );
      expect(await ids()).toEqual(['theirs']);
      expect(await readFile(file)).toEqual(before);
      await writeFile(file, '[mcp_servers.theirs]\ncommand = "changed"\n');
      const { servers } = JSON.parse(await readFile(join(home.path, 'config/junctor/config.json'), 'utf8'));
      expect(servers.theirs.command).toBe('x');
    },
  );
});
