import { readFile, rm, writeFile } from 'node:fs/promises';
import { promise } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { AFTER, BEFORE, lockable, tool } from './lockable.ts';

describe('junctor lock', () => {
  promise(
    ['7.5a', '8.10e'],
    'writes a fingerprint of each server definition and of each tool definition, and no secret',
    async () => {
      const secrets = {
        env: {
          API_KEY: 'abc123',
          DATABASE: 'postgres://me:s3cret@db/x',
          TOKEN: '${SOME_TOKEN:-fall-back}',
          MODE: 'quick',
        },
      };
      await using team = await lockable(secrets);
      const { code, stdout } = await team.run('lock');
      expect([code, stdout]).toEqual([0, `wrote ${team.lockfile}: 1 server, 6 tools\n`]);
      const { servers } = JSON.parse(await team.text());
      const fingerprint = expect.stringMatching(/^[0-9a-f]{64}$/);
      expect(servers.c).toMatchObject({ fingerprint, definition: { transport: 'stdio', env: { MODE: 'quick' } } });
      expect(Object.keys(servers.c.tools)).toEqual(['announce', 'crash', 'pid', 'read', 'touch', 'write']);
      expect(servers.c.tools.write).toEqual({ fingerprint, definition: BEFORE[1] });
      for (const secret of ['abc123', 's3cret']) expect(await team.text()).not.toContain(secret);
      expect(await team.text()).toContain('${SOME_TOKEN');
      // Nor a fingerprint of one: another password is the same definition.
      const other = JSON.stringify({ ...secrets.env, API_KEY: 'xyz789', DATABASE: 'postgres://me:other@db/x' });
      const written = JSON.parse(await readFile(team.config, 'utf8'));
      written.servers.c.env = JSON.parse(other);
      await writeFile(team.config, JSON.stringify(written));
      expect((await team.run('lock', 'diff')).code).toBe(0);
    },
  );

  promise('7.5b', 'writes the same bytes for the same state', async () => {
    await using team = await lockable();
    await team.run('lock');
    const first = await team.text();
    expect(first.endsWith('}\n') && !first.includes('\r')).toBe(true);
    await rm(team.lockfile);
    // The same in another order, on the side of the server and in the config.
    const { inputSchema, description, name } = BEFORE[1] as (typeof BEFORE)[number];
    await team.server.offer({ tools: [{ inputSchema, description, name }, BEFORE[0] as (typeof BEFORE)[number]] });
    const { servers } = JSON.parse(await readFile(team.config, 'utf8'));
    const reversed = Object.fromEntries(Object.entries(servers.c).reverse());
    await writeFile(team.config, JSON.stringify({ servers: { c: reversed } }));
    expect((await team.run('lock')).code).toBe(0);
    expect(await team.text()).toBe(first);
    expect((await team.run('lock')).stdout).toBe(`${team.lockfile} is up to date: 1 server, 6 tools\n`);
  });

  promise(['7.5d', '8.10f'], 'never overwrites silently: it shows what differs, and so does lock diff', async () => {
    await using team = await lockable();
    expect((await team.run('lock', 'diff')).code).toBe(1);
    await team.run('lock');
    const before = await team.text();
    await team.server.offer({ tools: [...AFTER.slice(1), tool('more\u202e', 'x')] });
    const shown = [
      '+ c/more\\u{202e}: new',
      '    description: x',
      '    inputSchema: {"type":"object","properties":{"path":{"type":"string"}}}',
      '- c/read: gone',
      '+ c/wipe: new',
      '    description: Wipes the disk.',
      '    inputSchema: {"type":"object","properties":{"path":{"type":"string"}}}',
      '~ c/write: changed',
      '    description',
      '      - Writes a file.',
      '      + Writes it anywhere.',
      '',
    ];
    const diff = await team.run('lock', 'diff');
    expect([diff.code, diff.stdout.split('\n')]).toEqual([3, shown]);
    const again = await team.run('lock');
    expect([again.code, again.stdout.split('\n')]).toEqual([3, shown]);
    expect(again.stderr).toContain('was not changed. To approve all of this: junctor lock approve');
    expect(await team.text()).toBe(before);
    const { changes } = JSON.parse((await team.run('lock', 'diff', '--json')).stdout);
    expect(changes.map(({ kind, tool: name }: { kind: string; tool: string }) => [kind, name])).toEqual([
      ['tool-added', 'more\u202e'],
      ['tool-removed', 'read'],
      ['tool-added', 'wipe'],
      ['tool-changed', 'write'],
    ]);
    await team.server.offer({ tools: BEFORE });
    expect((await team.run('lock', 'diff')).code).toBe(0);
  });

  test('says which servers could not be asked, and keeps what is locked of them', async () => {
    await using team = await lockable();
    await team.server.down(true);
    const none = await team.run('lock');
    expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('No server could be asked')]);
    await expect(team.text()).rejects.toThrow('ENOENT');
    await team.server.down(false);
    await team.run('lock');
    const before = await team.text();
    await team.server.down(true);
    const diff = await team.run('lock', 'diff');
    expect([diff.code, diff.stderr]).toEqual([1, expect.stringContaining("MCP server 'c' could not be asked")]);
    expect((await team.run('lock', 'approve')).code).toBe(1);
    expect(await team.text()).toBe(before);
  });
});
