import { chmod, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Home, junctor, makeHome, promise, startHub } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { AGENT_FILES } from './agent-files.ts';
import { json, parsedFile } from './exported.ts';

const CODEX = `# what I like
model = "gpt" # the big one

[mcp_servers.own] # mine
command = "me"
`;

async function withCodex(text: string | undefined = CODEX): Promise<{ home: Home; file: string } & AsyncDisposable> {
  const home = await makeHome();
  const file = join(home.path, '.codex/config.toml');
  await home.write('config/junctor/config.json', { servers: { a: { transport: 'stdio', command: 'x' } } });
  if (text !== undefined) await home.write('.codex/config.toml', text);
  return { home, file, [Symbol.asyncDispose]: () => home[Symbol.asyncDispose]() };
}

describe('there and back', () => {
  promise(['7.6a', '8.9f'], 'a preview shows every line that would change, and changes none', async () => {
    await using one = await withCodex();
    const { home, file } = one;
    for (const words of [['--write'], ['--out', file], []]) {
      const { stdout } = await junctor(home, ['mcp', 'export', 'codex', ...words, '--dry-run']);
      const added = stdout.split('\n').filter(line => /^\+(?!\+)/.test(line));
      expect(added.filter(line => line !== '+')).toEqual(['+[mcp_servers.a]', '+command = "x"']);
    }
    expect(await readFile(file, 'utf8')).toBe(CODEX);
    await expect(stat(join(home.data, 'materialised.json'))).rejects.toThrow('ENOENT');
    await expect(stat(join(home.data, 'backups'))).rejects.toThrow('ENOENT');
  });

  test("a preview shows no secret that stands in an agent's file", async () => {
    await using home = await makeHome();
    const own = { env: { API_KEY: 'a-secret-of-theirs' }, headers: { Authorization: 'Bearer another-secret' } };
    const file = await home.write('.claude.json', JSON.stringify({ mcpServers: { own }, numStartups: 1 }));
    const words = ['mcp', 'export', 'claude-code', '--via', 'hub', '--write'];
    const shown = [await junctor(home, [...words, '--dry-run']), await junctor(home, [...words, '--json'])];
    shown.push(await junctor(home, ['mcp', 'export', 'claude-code', '--remove', '--dry-run']));
    for (const { stdout } of shown) {
      expect(stdout).toContain('junctor');
      expect(stdout).not.toMatch(/a-secret-of-theirs|another-secret/);
    }
    expect(await readFile(file, 'utf8')).toContain('a-secret-of-theirs');
  });

  promise('12.6j', 'copies of a file are few, private, and gone after 90 days', async () => {
    await using one = await withCodex();
    const { home } = one;
    const backups = join(home.data, 'backups');
    for (let round = 0; round < 12; round++) {
      await home.write('config/junctor/config.json', { servers: { a: { transport: 'stdio', command: `x${round}` } } });
      await junctor(home, ['mcp', 'export', 'codex', '--write']);
    }
    const kept = await readdir(backups);
    expect(kept).toHaveLength(10);
    for (const name of kept) expect((await stat(join(backups, name))).mode & 0o777).toBe(0o600);
    const old = new Date(Date.now() - 91 * 24 * 60 * 60 * 1000);
    for (const name of kept.slice(0, 7)) await utimes(join(backups, name), old, old);
    const hub = await startHub(home, { version: 1, servers: {} });
    await hub[Symbol.asyncDispose]();
    expect((await readdir(backups)).sort()).toEqual(kept.slice(7).sort());
  });

  promise(
    ['7.6b', '7.6c', '8.9g'],
    'a file is copied before it is changed, and undo after undo brings every byte back',
    async () => {
      await using one = await withCodex(`\uFEFF${CODEX.replaceAll('\n', '\r\n')}`);
      const { home, file } = one;
      await chmod(file, 0o640);
      const original = await readFile(file);
      const { backup } = await json(home, 'mcp', 'export', 'codex', '--write');
      expect(await readFile(backup)).toEqual(original);
      expect((await stat(backup)).mode & 0o777).toBe(0o600);
      const direct = await readFile(file);
      await junctor(home, ['mcp', 'export', 'codex', '--via', 'hub', '--write']);
      expect(await readFile(file, 'utf8')).not.toContain('[mcp_servers.a]');
      expect((await stat(file)).mode & 0o777).toBe(0o640);

      const preview = await junctor(home, ['mcp', 'export', 'codex', '--undo', '--dry-run']);
      expect(preview.stdout).toContain('-[mcp_servers.junctor]');
      expect((await junctor(home, ['mcp', 'export', 'codex', '--undo'])).code).toBe(0);
      expect(await readFile(file)).toEqual(direct);
      await junctor(home, ['mcp', 'export', 'codex', '--undo']);
      expect(await readFile(file)).toEqual(original);
      const { stdout } = await junctor(home, ['mcp', 'export', 'codex', '--undo']);
      expect(stdout).toBe(`nothing to undo in ${file}\n`);
    },
  );

  promise(['7.6c'], 'undo takes a file away that was not there before', async () => {
    await using home = await makeHome();
    const file = join(home.path, '.cursor/mcp.json');
    await junctor(home, ['mcp', 'export', 'cursor', '--via', 'hub', '--write']);
    expect(await readFile(file, 'utf8')).toContain('junctor');
    await junctor(home, ['mcp', 'export', 'cursor', '--undo']);
    await expect(stat(file)).rejects.toThrow('ENOENT');
  });

  test('undo keeps what somebody else wrote since', async () => {
    await using home = await makeHome();
    const file = await home.write('.claude.json', '{ "numStartups": 7 }\n');
    await junctor(home, ['mcp', 'export', 'claude-code', '--via', 'hub', '--write']);
    await writeFile(file, (await readFile(file, 'utf8')).replace('7,', '8,'));
    const { stdout, stderr } = await junctor(home, ['mcp', 'export', 'claude-code', '--undo']);
    expect(stdout).toBe(`put 'junctor' in ${file} back\n`);
    expect(stderr).toContain('somebody else has written this file since');
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ numStartups: 8 });
    expect(await readFile(file, 'utf8')).not.toContain('junctor');
  });

  promise(
    ['7.6d', '8.9i'],
    'a check names what somebody else changed, by key and never by value, with an exit code',
    async () => {
      await using home = await makeHome();
      const check = () => junctor(home, ['mcp', 'export', 'gemini', '--check']);
      const file = await home.write('.gemini/settings.json', '{\n  // mine\n  "theme": "dark"\n}\n');
      expect(await check()).toMatchObject({ code: 0, stdout: `Junctor has written nothing to ${file}\n` });
      const first = await junctor(home, ['mcp', 'export', 'gemini', '--via', 'hub', '--write']);
      expect(first.stderr).toContain(
        'no hub runs now; Gemini CLI looks for one at http://127.0.0.1:7717: junctor hub\n',
      );
      const written = await readFile(file, 'utf8');
      expect(await check()).toMatchObject({ code: 0, stdout: `${file} is as Junctor wrote it\n` });
      const become = async (from: string, to: string) => {
        await writeFile(file, written.replace(from, to));
        const { code, stdout } = await check();
        return [code, stdout.replace(file, 'FILE').trim()];
      };
      // What others write beside it, or what the person allows there, is no drift.
      expect((await become('"dark"', '"light"'))[0]).toBe(0);
      expect((await become('"httpUrl"', '"trust": true, "httpUrl"'))[0]).toBe(0);
      expect(await become('7717', '9999')).toEqual([1, "FILE: 'junctor': httpUrl changed"]);
      expect(await become('"httpUrl"', '"command": "evil", "httpUrl"')).toEqual([
        1,
        "FILE: 'junctor': command changed",
      ]);
      expect(await become('${JUNCTOR_TOKEN_GEMINI}', 'jct_the-token-itself')).toEqual([
        1,
        "FILE: 'junctor': headers.Authorization changed; the variable of the token is no longer named there: a token may stand in the file",
      ]);
      expect(await become('"junctor"', '"other"')).toEqual([1, "FILE: 'junctor' is gone"]);
      const { drift } = await json(home, 'mcp', 'export', 'gemini', '--check');
      expect(drift).toEqual([{ id: 'junctor', kind: 'missing', keys: [], exposed: false }]);
      const again = await junctor(home, ['mcp', 'export', 'gemini', '--via', 'hub', '--write']);
      expect(again.stderr).toContain("wrote anew what somebody had changed: 'junctor' is gone");
      expect((await check()).code).toBe(0);
      // The hub listens elsewhere than the file says: nobody changed it, and it leads nowhere.
      await using hub = await startHub(home, { version: 1, servers: {} });
      const [was, is] = ['http://127.0.0.1:7717', hub.url].map(url => `${url}/mcp/gemini`);
      expect(await check()).toMatchObject({
        code: 1,
        stdout: `${file}: 'junctor' leads to ${was}, but the hub is at ${is}\n`,
      });
      await junctor(home, ['mcp', 'export', 'gemini', '--via', 'hub', '--write']);
      expect((await check()).code).toBe(0);
    },
  );

  promise(
    ['7.6e', '8.9h'],
    'removal takes out what Junctor wrote: comments, order and the entries of others stay',
    async () => {
      await using one = await withCodex();
      const { home, file } = one;
      await junctor(home, ['mcp', 'export', 'codex', '--write']);
      await writeFile(file, `${await readFile(file, 'utf8')}\n[mcp_servers.later] # added since\ncommand = "late"\n`);
      const preview = await junctor(home, ['mcp', 'export', 'codex', '--remove', '--dry-run']);
      expect(preview.stdout).toContain('-[mcp_servers.a]');
      const { stdout } = await junctor(home, ['mcp', 'export', 'codex', '--remove']);
      expect(stdout).toBe(`took 'a' out of ${file}\n`);
      expect((await readFile(file, 'utf8')).replace(/\n+/g, '\n')).toBe(
        `${CODEX}\n[mcp_servers.later] # added since\ncommand = "late"\n`.replace(/\n+/g, '\n'),
      );
      expect((await junctor(home, ['mcp', 'export', 'codex', '--check'])).stdout).toContain('written nothing');
      await junctor(home, ['mcp', 'export', 'codex', '--undo']);
      expect(await readFile(file, 'utf8')).toContain('[mcp_servers.a]');
    },
  );

  promise(['7.6e'], 'removal leaves every byte of every kind of file as it was before', async () => {
    await using home = await makeHome();
    await home.write('config/junctor/config.json', { servers: { own: { transport: 'stdio', command: 'other' } } });
    const files = {
      'claude-code': '{"numStartups":7,"mcpServers":{"own":{"type":"stdio","command":"mine"}}}',
      continue: '# models\nmodels: []\nmcpServers:\n  - name: own # mine\n    command: mine\n',
      codex: CODEX,
      gemini: '{ "mcp": { "allowed": ["own"] }, /* why */ "theme": "dark" }',
    } as const;
    for (const [agent, text] of Object.entries(files)) {
      const file = await home.write(AGENT_FILES[agent as keyof typeof files].file, text);
      await junctor(home, ['mcp', 'export', agent, '--write']);
      await junctor(home, ['mcp', 'export', agent, '--via', 'hub', '--write']);
      expect(await readFile(file, 'utf8')).toContain('junctor');
      await junctor(home, ['mcp', 'export', agent, '--remove']);
      expect(await readFile(file, 'utf8')).toBe(text);
    }
  });

  test('an entry of the same id that somebody else wrote is replaced, and that is said once', async () => {
    await using one = await withCodex('[mcp_servers.a]\ncommand = "mine"\n');
    const write = async () => (await junctor(one.home, ['mcp', 'export', 'codex', '--write'])).stderr;
    expect(await write()).toMatch(
      /^replaced 'a', which was not written by Junctor\nthe file as it was: \S+ \(back to it:/,
    );
    expect(await write()).toBe('');
  });

  test('what is no longer exported goes, what somebody changed meanwhile stays', async () => {
    await using one = await withCodex('');
    const { home, file } = one;
    const both = { a: { transport: 'stdio', command: 'x' }, b: { transport: 'stdio', command: 'y' } };
    await home.write('config/junctor/config.json', { servers: { ...both, c: { transport: 'stdio', command: 'z' } } });
    await junctor(home, ['mcp', 'export', 'codex', '--write']);
    await writeFile(file, (await readFile(file, 'utf8')).replace('"y"', '"why"'));
    await home.write('config/junctor/config.json', { servers: { c: { transport: 'stdio', command: 'z' } } });
    const { stderr } = await junctor(home, ['mcp', 'export', 'codex', '--write']);
    expect(stderr).toContain("left 'b' in the file: somebody changed it since Junctor wrote it");
    expect(await parsedFile(file)).toEqual({ mcp_servers: { b: { command: 'why' }, c: { command: 'z' } } });
  });

  test('a file that is not valid is left alone, with the place of the mistake', async () => {
    await using one = await withCodex('[mcp_servers.own\ncommand = 1\n');
    const { code, stderr } = await junctor(one.home, ['mcp', 'export', 'codex', '--write']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/config\.toml cannot be edited: it is not valid\.[\s\S]*config\.toml:2:1: /);
    expect(await readFile(one.file, 'utf8')).toBe('[mcp_servers.own\ncommand = 1\n');
  });

  test('two who write at once lose nothing of each other', async () => {
    await using home = await makeHome();
    const agents = ['codex', 'claude-code', 'cursor', 'gemini'];
    await Promise.all(agents.map(agent => junctor(home, ['mcp', 'export', agent, '--via', 'hub', '--write'])));
    for (const agent of agents)
      expect((await json(home, 'mcp', 'export', agent, '--check')).written).toEqual(['junctor']);
    expect((await stat(join(home.data, 'materialised.json'))).mode & 0o777).toBe(0o600);
  });
});
