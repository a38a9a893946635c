import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { approveLock, createHost, type HostEvent, inspectLock, watchHost } from '@junctor/core';
import { junctor, promise, startHub, testServer, trusted } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { announce } from '../connections/changing.ts';
import { RawClient } from '../hub/rpc.ts';
import { AFTER, BEFORE, lockable, offered, tool } from './lockable.ts';

describe('where a lockfile exists', () => {
  promise(
    '7.5c',
    'a changed or new tool is hidden, and cannot be called by pair, by name or through the hub',
    async () => {
      await using team = await lockable();
      await team.run('lock');
      await team.server.offer({ tools: AFTER });
      const { home } = team.server;
      const tools = await team.run('mcp', 'tools', '--json', '--fresh');
      expect(offered(tools)).toEqual(['read']);
      expect(JSON.parse(tools.stdout).hidden).toMatchObject([
        { server: 'c', name: 'wipe', because: 'it is new: the lockfile does not have it' },
        { server: 'c', name: 'write', because: 'it changed since it was locked' },
      ]);
      // Also where nobody is asked and an earlier connection tells.
      expect(offered(await team.run('mcp', 'tools', '--json'))).toEqual(['read']);
      expect((await team.run('mcp', 'tools')).stderr).toContain(
        "2 tools of MCP server 'c' are hidden by junctor.lock:\n  wipe: it is new",
      );
      for (const name of ['write', 'wipe', 'mcp__c__write']) {
        const call = await team.run('mcp', 'call', 'c', name, '--yes');
        expect([call.code, call.stdout, call.stderr]).toEqual([3, '', expect.stringContaining('(tool_locked)')]);
        expect(call.stderr).toContain(`junctor lock approve c/${name.replace('mcp__c__', '')}`);
      }
      expect((await team.run('mcp', 'call', 'c', 'read', '--yes')).stdout).toBe('done\n');
      await using host = await createHost({ path: team.config, isolated: true, data: home.data });
      await expect(host.call({ server: 'c', tool: 'write' })).rejects.toMatchObject({ code: 'tool_locked' });
      await expect(host.call('mcp__c__write')).rejects.toMatchObject({ code: 'tool_locked' });
      expect((await host.collect('c')).map(({ name }) => name)).not.toContain('write');
      await writeFile(join(home.path, 'junctor.lock'), await team.text());
      await using hub = await startHub(home, JSON.parse(await readFile(team.config, 'utf8')));
      for (const [path, prefix] of [
        ['/mcp/default', 'c_'],
        ['/servers/c/mcp', ''],
      ] as const) {
        const client = await RawClient.open(hub, path);
        expect(await listOf(client)).toEqual(['announce', 'crash', 'pid', 'read', 'touch'].map(name => prefix + name));
        expect(JSON.stringify(await client.call(1, `${prefix}read`, {}))).toContain('done');
        for (const name of ['write', 'wipe']) {
          const [answer] = await client.call(2, `${prefix}${name}`, {});
          expect(JSON.stringify(answer)).toMatch(
            new RegExp(`c/${name} is not approved in .*junctor.lock: .*\\(tool_locked\\)`),
          );
        }
      }
      // A command goes through that hub, which lists no such tool, and has the reason of it all the same.
      const through = ['--config', join(home.path, 'hub.json'), '--isolated', '--data', home.data];
      for (const more of [[], ['--debug']]) {
        const call = await junctor(home, ['mcp', 'call', 'c', 'write', '--yes', ...more, ...through]);
        expect([call.code, call.stderr]).toEqual([3, expect.stringContaining('(tool_locked)')]);
        expect(call.stderr).toContain(`through the hub at ${hub.url}: c`);
        expect(call.stderr).toContain('why: it changed since it was locked');
      }
      const absent = await junctor(home, ['mcp', 'call', 'c', 'nothing', '--yes', ...through]);
      expect([absent.code, absent.stderr]).toEqual([1, expect.stringContaining('(tool_not_found)')]);
    },
  );

  promise(
    '7.5c',
    'a tool that changes while a host runs is hidden from then on, whatever name is known for it',
    async () => {
      await using team = await lockable();
      await team.run('lock');
      const { data } = team.server.home;
      await using host = await createHost({ path: team.config, isolated: true, data });
      const { byName } = await host.snapshot();
      const name = [...byName.values()].find(entry => entry.tool === 'write')?.name as string;
      expect((await host.call(name)).success).toBe(true);
      await team.server.offer({ tools: AFTER });
      await announce(host, 'tools');
      await expect(host.call(name)).rejects.toMatchObject({
        code: 'tool_locked',
        why: 'it changed since it was locked',
      });
      expect((await host.snapshot()).hidden.map(one => one.name)).toEqual(['wipe', 'write']);
      await team.server.offer({ tools: BEFORE });
      await announce(host, 'tools');
      expect((await host.call(name)).success).toBe(true);
    },
  );

  promise(['7.5e', '8.10g'], 'an approved tool is offered and callable; approving one approves no other', async () => {
    await using team = await lockable();
    await team.run('lock');
    await team.server.offer({ tools: AFTER });
    const one = await team.run('lock', 'approve', 'c/wipe');
    expect([one.code, one.stderr]).toEqual([0, `approved 1 change in ${team.lockfile}\n`]);
    expect(offered(await team.run('mcp', 'tools', '--json', '--fresh'))).toEqual(['read', 'wipe']);
    expect((await team.run('mcp', 'call', 'c', 'wipe', '--yes')).stdout).toBe('done\n');
    expect((await team.run('mcp', 'call', 'c', 'write', '--yes')).code).toBe(3);
    expect((await team.run('lock', 'approve')).code).toBe(0);
    expect((await team.run('mcp', 'call', 'c', 'write', '--yes')).stdout).toBe('done\n');
    expect((await team.run('lock', 'diff')).code).toBe(0);
    expect((await team.run('lock', 'approve')).stdout).toBe(`nothing to approve in ${team.lockfile}\n`);
    const wrong = await Promise.all([team.run('lock', 'approve', 'C'), team.run('lock', 'approve', 'c/wrte')]);
    expect(wrong.map(({ code, stderr }) => [code, stderr.includes('did you mean')])).toEqual([
      [1, true],
      [1, true],
    ]);
  });

  promise('7.5c', 'a server that is defined otherwise, or is new, offers nothing until it is approved', async () => {
    await using team = await lockable();
    await team.run('lock');
    const written = JSON.parse(await readFile(team.config, 'utf8'));
    const edit = (servers: object) => writeFile(team.config, JSON.stringify({ servers }));
    await edit({ c: { ...written.servers.c, env: { MODE: 'other' } }, demo: trusted(testServer()) });
    const tools = JSON.parse((await team.run('mcp', 'tools', '--json')).stdout);
    expect(tools.tools).toEqual([]);
    const reasons = new Set(
      tools.hidden.map((one: { server: string; because: string }) => `${one.server}: ${one.because}`),
    );
    expect(reasons).toEqual(
      new Set(['c: its server is defined otherwise than in the lockfile', 'demo: its server is not in the lockfile']),
    );
    const call = await team.run('mcp', 'call', 'c', 'read', '--yes');
    expect([call.code, call.stderr]).toEqual([3, expect.stringContaining('junctor lock approve c --config ')]);
    const diff = await team.run('lock', 'diff');
    expect(diff.stdout).toContain(
      '~ c: it is defined otherwise, so none of its tools is offered\n    env\n      + {"MODE":"other"}\n',
    );
    expect(diff.stdout).toMatch(/^\+ demo: a new server with \d+ tools$/m);
    const part = await team.run('lock', 'approve', 'c/read');
    expect([part.code, part.stderr]).toEqual([2, expect.stringContaining('junctor lock approve c')]);
    expect((await team.run('lock', 'approve', 'c', 'demo')).code).toBe(0);
    expect((await team.run('mcp', 'call', 'c', 'read', '--yes')).stdout).toBe('done\n');
    // How it is used is not what it is.
    await edit({ c: { ...written.servers.c, env: { MODE: 'other' }, tool_timeout_ms: 1000, meta: { name: 'C' } } });
    expect((await team.run('lock', 'diff')).stdout).toBe('- demo: no longer in the config\n');
  });

  test('an approval reaches a host that watches its files', async () => {
    await using team = await lockable();
    await team.run('lock');
    await team.server.offer({ tools: AFTER });
    const options = { path: team.config, isolated: true, data: team.server.home.data };
    await using host = await createHost(options);
    using _watch = watchHost(host, options);
    expect((await host.snapshot()).hidden).toHaveLength(2);
    const changed = new Promise<HostEvent>(resolve => host.events.on('list-changed', resolve));
    await team.run('lock', 'approve');
    expect(await changed).toMatchObject({ server: 'c', list: 'tools' });
    expect((await host.snapshot()).hidden).toEqual([]);
    expect((await host.call('mcp__c__wipe')).success).toBe(true);
  });

  test('one that is broken stops its servers, says where, and no others', async () => {
    await using team = await lockable();
    await team.run('lock');
    const { home } = team.server;
    await home.write('config/junctor/config.json', { servers: { demo: trusted(testServer()) } });
    const run = (...words: string[]) => junctor(home, [...words, '--config', team.config]);
    const good = await team.text();
    const merge = `<<<<<<< ours\n${good}=======\n${good}>>>>>>> theirs\n`;
    const forged = good.replace(/"fingerprint": "[0-9a-f]{64}"/, '"fingerprint": "none"');
    const newer = good.replace('"version": 1', '"version": 2');
    for (const text of [merge, forged, newer, '']) {
      await writeFile(team.lockfile, text);
      const call = await run('mcp', 'call', 'c', 'read', '--yes');
      expect([call.code, call.stdout, call.stderr]).toEqual([1, '', expect.stringContaining('junctor.lock:')]);
      const diff = await run('lock', 'diff');
      expect([diff.code, diff.stderr]).toEqual([1, expect.stringContaining(`The lockfile ${team.lockfile} is broken`)]);
      expect((await run('lock')).code).toBe(1);
      expect(await team.text()).toBe(text);
    }
    expect((await run('mcp', 'call', 'demo', 'echo', '--args', '{"text":"hi"}')).stdout).toBe('hi\n');
  });

  test('one whose words were changed by hand hides that tool: both must fit', async () => {
    await using team = await lockable();
    await team.run('lock');
    await writeFile(team.lockfile, (await team.text()).replace('Reads a file.', 'Reads nothing.'));
    expect(offered(await team.run('mcp', 'tools', '--json', '--fresh'))).toEqual(['write']);
    expect((await team.run('lock', 'diff')).stdout).toContain('~ c/read: changed');
  });

  test('a program that brings its own config names one, looks at it and approves', async () => {
    await using team = await lockable();
    const { definition, home } = team.server;
    const options = { config: { servers: { c: trusted(definition) } }, data: home.data, lockfile: team.lockfile };
    const host = () => createHost(options);
    {
      await using first = await host();
      const inspection = await inspectLock(first, options);
      expect([inspection.file, inspection.lock]).toEqual([team.lockfile, undefined]);
      await approveLock(inspection, inspection.changes);
    }
    await team.server.offer({ tools: AFTER });
    await using second = await host();
    expect((await second.snapshot()).hidden.map(({ name }) => name)).toEqual(['wipe', 'write']);
    const { changes } = await inspectLock(second, options);
    expect(changes.map(({ kind }) => kind)).toEqual(['tool-added', 'tool-changed']);
    // Approved for the next host; this one reads the file again when it reloads.
    await approveLock(await inspectLock(second, options), changes);
    await second.reload();
    expect((await second.call('mcp__c__wipe')).success).toBe(true);
  });

  test('it decides about the servers of the config beside it, not about those of other files', async () => {
    await using team = await lockable();
    const { home, definition } = team.server;
    await home.write('project/junctor.json', { servers: { c: trusted(definition) } });
    await home.write('project/junctor.local.json', { servers: { mine: trusted(definition) } });
    await home.write('config/junctor/config.json', { servers: { own: trusted(definition) } });
    await junctor(home, ['trust', 'add', '--all']);
    const lock = await junctor(home, ['lock']);
    const lockfile = join(home.project, 'junctor.lock');
    expect(lock.stdout).toBe(`wrote ${lockfile}: 1 server, 6 tools\n`);
    expect((await stat(lockfile)).mode & 0o777).toBe(0o644 & ~process.umask());
    await team.server.offer({ tools: [...BEFORE, tool('wipe', 'Wipes the disk.')] });
    const { tools } = JSON.parse((await junctor(home, ['mcp', 'tools', '--json', '--fresh'])).stdout);
    const wipes = tools.filter((one: { tool: string }) => one.tool === 'wipe');
    expect(wipes.map((one: { server: string }) => one.server).sort()).toEqual(['mine', 'own']);
  });
});

promise('7.5f', 'without a lockfile no tool is hidden for being new or changed', async () => {
  await using team = await lockable();
  expect(offered(await team.run('mcp', 'tools', '--json'))).toEqual(['read', 'write']);
  await team.server.offer({ tools: AFTER });
  const tools = await team.run('mcp', 'tools', '--json', '--fresh');
  expect([offered(tools), JSON.parse(tools.stdout).hidden]).toEqual([['read', 'wipe', 'write'], []]);
  expect((await team.run('mcp', 'call', 'c', 'wipe', '--yes')).stdout).toBe('done\n');
  // One that is taken away again hides nothing either.
  await team.run('lock');
  await team.server.offer({ tools: [tool('write', 'Writes again otherwise.')] });
  expect((await team.run('mcp', 'call', 'c', 'write', '--yes')).code).toBe(3);
  await rm(team.lockfile);
  expect((await team.run('mcp', 'call', 'c', 'write', '--yes')).stdout).toBe('done\n');
});

async function listOf(client: RawClient): Promise<string[]> {
  const [answer] = await client.messages({ id: 1, method: 'tools/list' });
  const { tools } = (answer as { result: { tools: { name: string }[] } }).result;
  return tools.map(({ name }) => name).sort();
}
