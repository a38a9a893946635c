import { readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createHost, type Host } from '@junctor/core';
import { junctor, promise, startHub, trusted } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { type ChangingServer, changingServer, shown, toolsOf } from './changing.ts';

/** What an earlier run left behind: the server was connected and listed once. */
async function listedBefore(server: ChangingServer): Promise<void> {
  await using host = await server.host();
  await host.tools();
}

async function remembered(server: ChangingServer): Promise<string[]> {
  const folder = join(server.home.data, 'catalogue');
  return (await readdir(folder)).map(name => join(folder, name));
}

const known = async (host: Host) => {
  const { entries, stale } = await host.snapshot({ known: true });
  return { tools: shown(entries), stale: [...stale.keys()] };
};

describe('the catalogue of an earlier connection', () => {
  test('is there before a server has started, and marked; whoever waits gets what is offered now', async () => {
    await using server = await changingServer({ tools: ['one'] });
    await listedBefore(server);
    await server.offer({ tools: ['two'] });
    await using host = await server.host();
    expect(await known(host)).toEqual({ tools: ['one'], stale: ['c'] });
    expect([host.links.state('c').kind, await server.asked('initialize')]).toEqual(['idle', 1]);
    const told: string[] = [];
    host.events.on('list-changed', ({ list }) => told.push(list));
    expect(await toolsOf(host)).toEqual(['two']);
    expect([await known(host), told]).toEqual([{ tools: ['two'], stale: [] }, ['tools']]);
  });

  test('stands in for a server that has not answered yet, not for one that cannot be reached', async () => {
    await using server = await changingServer();
    await listedBefore(server);
    await using host = await server.host();
    const early = await host.snapshot({ patienceMs: 0 });
    expect([shown(early.entries), [...early.stale.keys()]]).toEqual([['one'], ['c']]);
    expect(await toolsOf(host)).toEqual(['one']);
    expect((await host.snapshot({ patienceMs: 0 })).stale.size).toBe(0);

    await server.down(true);
    await using lonely = await server.host();
    expect((await known(lonely)).tools).toEqual(['one']);
    expect(await lonely.tools()).toEqual([]);
    expect(await known(lonely)).toEqual({ tools: [], stale: [] });
  });

  test('is confirmed as soon as the server is there for another reason', async () => {
    await using server = await changingServer({ tools: ['one'] });
    await listedBefore(server);
    await server.offer({ tools: ['one', 'two'] });
    await using host = await server.host();
    expect(await known(host)).toEqual({ tools: ['one'], stale: ['c'] });
    const changed = new Promise(resolve => host.events.on('list-changed', resolve));
    expect((await host.call('mcp__c__one')).output).toBe('done');
    await changed;
    expect(await known(host)).toEqual({ tools: ['one', 'two'], stale: [] });
  });

  test('belongs to one definition', async () => {
    await using server = await changingServer();
    await listedBefore(server);
    const c = trusted({ ...server.definition, args: [...server.definition.args, 'another'] });
    await using host = await server.host({ config: { servers: { c } } });
    await server.down(true);
    expect(await known(host)).toEqual({ tools: [], stale: [] });
  });

  test('has only what the config lets through', async () => {
    await using server = await changingServer({ tools: ['one', 'two', 'three'] });
    const config = { servers: { c: { ...server.definition, tools: { deny: ['t*'] } } } };
    await using first = await server.host({ config });
    await first.tools();
    await first.close();
    await using host = await server.host({ config });
    expect(await known(host)).toEqual({ tools: ['one'], stale: ['c'] });
    expect(await server.asked('initialize')).toBe(1);
  });

  test('that is damaged is as good as none', async () => {
    await using server = await changingServer();
    await listedBefore(server);
    const [file] = await remembered(server);
    for (const text of ['{"catalogue":{"tools":[', '[]', '{"catalogue":{"tools":"x","at":1}}', '{"catalogue":7}', '']) {
      await writeFile(file as string, text);
      await using host = await server.host();
      expect(await known(host)).toEqual({ tools: ['one'], stale: [] });
      await writeFile(file as string, text);
    }
    await writeFile(file as string, '{"catalogue":{"tools":[null,{"name":"left"},{"name":5}],"at":1}}');
    await using host = await server.host();
    expect(await known(host)).toEqual({ tools: ['left'], stale: ['c'] });
  });

  test('is written for its owner alone, holds no secret, and goes when nobody connects for a month', async () => {
    await using server = await changingServer();
    await listedBefore(server);
    const [old] = await remembered(server);
    const past = new Date(Date.now() - 31 * 24 * 60 * 60_000);
    await utimes(old as string, past, past);
    const secret = 'a-token-that-nobody-may-read';
    const config = { servers: { c: { ...server.definition, env: { API_TOKEN: secret } } } };
    await using host = await server.host({ config });
    await host.tools();
    await host.close();
    const files = await remembered(server);
    expect(files).toHaveLength(1);
    expect(files).not.toContain(old);
    const [file] = files as [string];
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(join(server.home.data, 'catalogue'))).mode & 0o777).toBe(0o700);
    expect(await readFile(file, 'utf8')).toContain('"one"');
    expect(`${file}${await readFile(file, 'utf8')}`).not.toContain(secret);
  });

  test('is not kept where the program wants none', async () => {
    await using server = await changingServer();
    await using host = await server.host({ remember: false });
    await host.tools();
    await host.close();
    await expect(readdir(server.home.data)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('is forgotten with invalidate: only the server itself says what it offers', async () => {
    await using server = await changingServer();
    await listedBefore(server);
    await using host = await server.host();
    expect(await known(host)).toEqual({ tools: ['one'], stale: ['c'] });
    host.invalidate('c');
    expect(await known(host)).toEqual({ tools: ['one'], stale: [] });
  });
});

describe('mcp tools', () => {
  test('answers from an earlier connection, says of when, and asks with --fresh', async () => {
    await using server = await changingServer({ tools: ['one'] });
    const { home } = server;
    await home.write('config/junctor/config.json', { servers: { c: server.definition } });
    const tools = async (...words: string[]) => {
      const { code, stdout, stderr } = await junctor(home, ['mcp', 'tools', ...words, '--json']);
      const answer = JSON.parse(stdout);
      return { code, tools: shown(answer.tools), stale: answer.stale, stderr };
    };
    expect(await tools()).toEqual({ code: 0, tools: ['one'], stale: [], stderr: '' });
    await server.offer({ tools: ['two'] });
    const again = await tools('c');
    expect([again.code, again.tools]).toEqual([0, ['one']]);
    expect(again.stale).toEqual([{ server: 'c', listed_at: expect.stringMatching(/^\d{4}-.*Z$/) }]);
    expect(again.stderr).toMatch(
      /^note: listed earlier, and not asked again: c \(\d{4}-\d\d-\d\d \d\d:\d\d\)\. To ask now, add --fresh\n$/,
    );
    expect(await server.asked('initialize')).toBe(1);
    expect(await tools('--fresh')).toEqual({ code: 0, tools: ['two'], stale: [], stderr: '' });
    expect((await tools()).tools).toEqual(['two']);
    expect(await server.asked('initialize')).toBe(2);
  });

  test('asks servers it has never seen, and leaves the others alone', async () => {
    await using seen = await changingServer({ tools: ['one'] });
    await using unseen = await changingServer({ tools: ['two'] });
    const { home } = seen;
    await home.write('config/junctor/config.json', { servers: { seen: seen.definition } });
    await junctor(home, ['mcp', 'tools']);
    await home.write('config/junctor/config.json', { servers: { seen: seen.definition, unseen: unseen.definition } });
    const { stdout } = await junctor(home, ['mcp', 'tools', '--json']);
    const answer = JSON.parse(stdout);
    expect(shown(answer.tools)).toEqual(['one', 'two']);
    expect(answer.stale.map((one: { server: string }) => one.server)).toEqual(['seen']);
    expect([await seen.asked('initialize'), await unseen.asked('initialize')]).toEqual([1, 1]);
  });

  test('shows nothing of a server that may not run: not approved, or switched off', async () => {
    await using server = await changingServer({ tools: ['one'] });
    const { home } = server;
    await home.write('project/junctor.json', { servers: { c: server.definition } });
    const tools = async () => {
      const { code, stdout } = await junctor(home, ['mcp', 'tools', '--json']);
      const { tools: listed, failed } = JSON.parse(stdout);
      return [code, shown(listed), failed.map((one: { code: string }) => one.code)];
    };
    expect(await tools()).toEqual([3, [], ['trust_required']]);
    await junctor(home, ['trust', 'add', 'c']);
    expect([await tools(), await tools()]).toEqual([
      [0, ['one'], []],
      [0, ['one'], []],
    ]);
    await junctor(home, ['trust', 'remove', 'c']);
    expect(await tools()).toEqual([3, [], ['trust_required']]);
    await junctor(home, ['trust', 'add', 'c']);
    await junctor(home, ['mcp', 'disable', 'c']);
    expect(await tools()).toEqual([0, [], []]);
    expect(await server.asked('initialize')).toBe(1);
  });
});

describe('a wrong name', () => {
  test('is answered with the one that was probably meant', async () => {
    await using server = await changingServer({ tools: ['read_file', 'write_file'] });
    await using host = await createHost({ config: { servers: { files: trusted(server.definition) } } });
    const told = async (target: string | { server: string; tool: string }) =>
      host.call(target).then(
        () => expect.unreachable('there is no such tool'),
        ({ hint, command }: { hint: string; command: string }) => [hint, command],
      );
    expect(await told({ server: 'files', tool: 'read_fil' })).toEqual([
      "did you mean 'read_file'? host.tools() has all of them",
      "did you mean 'read_file'? All of them: junctor mcp tools files",
    ]);
    expect(await told({ server: 'fils', tool: 'read_file' })).toEqual([
      "did you mean 'files'? host.status() has all of them",
      "did you mean 'files'? All of them: junctor mcp list",
    ]);
    expect(await told('mcp__files__writefile')).toEqual([
      "did you mean 'mcp__files__write_file'? host.tools() has all of them",
      "did you mean 'mcp__files__write_file'? All of them: junctor mcp tools",
    ]);
    expect((await told('read_file'))[0]).toContain("'mcp__files__read_file'");
    expect(await told('mcp__files__nothing_like_it')).toEqual(['host.tools() has all of them', 'junctor mcp tools']);
  });
});

describe('mcp call', () => {
  test('tells a failure as an error with a code, in --json', async () => {
    await using server = await changingServer({ tools: ['one'] });
    const { home } = server;
    const config = {
      servers: { c: server.definition },
      permissions: { deny: ['mcp__c__touch'], allow: ['mcp__c__*'] },
    };
    await home.write('config/junctor/config.json', config);
    const error = async (...words: string[]) => {
      const { code, stdout } = await junctor(home, ['mcp', 'call', ...words, '--json']);
      return [code, JSON.parse(stdout).error];
    };
    expect(await error('c', 'onn')).toEqual([
      1,
      {
        code: 'tool_not_found',
        message: "Server 'c' has no tool 'onn'.",
        why: 'the server does not list it',
        hint: "did you mean 'one'? All of them: junctor mcp tools c",
        server: 'c',
      },
    ]);
    expect(await error('c', 'touch')).toEqual([
      1,
      {
        code: 'permission_denied',
        message: 'c/touch was denied.',
        why: 'the rule deny mcp__c__touch',
        hint: 'junctor explain shows where the rule is written',
      },
    ]);
  });

  promise('8.6d', 'goes to the server itself with --direct, also while a hub runs', async () => {
    await using server = await changingServer();
    const config = { servers: { c: trusted(server.definition) } };
    await using hub = await startHub(server.home, config);
    const hubs = () => server.asked('initialize');
    await expect.poll(hubs).toBe(1);
    const file = await server.home.write('hub.json', config);
    const { code, stdout } = await junctor(server.home, [
      ...['mcp', 'call', 'c', 'pid', '--direct', '--config', file, '--isolated', '--data', server.home.data],
    ]);
    expect([code, await server.asked('initialize')]).toEqual([0, 2]);
    expect(Number(stdout)).toBeGreaterThan(0);
    expect(hub.pid).not.toBe(Number(stdout));
  });
});
