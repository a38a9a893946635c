import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Home, JUNCTOR, junctor, makeHome, promise, ROOT, startHub, testServer, trusted } from '@junctor/testkit';
import { describe, expect } from 'vitest';
import { rest } from './rest-client.ts';
import { RawClient } from './rpc.ts';

/** What a hub says first: where it is, or why it is not. */
async function firstWords(child: ChildProcess): Promise<string> {
  const words = Promise.withResolvers<string>();
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', chunk => {
      printed += chunk;
      if (/^ {2}token .*\n|in use by .+\n/m.test(printed)) words.resolve(printed);
    });
  child.once('close', () => words.resolve(printed));
  return words.promise;
}

const hubWith = (home: Home, ...words: string[]): Promise<string> => hubThere(home, '--isolated', ...words);

async function hubThere(home: Home, ...words: string[]): Promise<string> {
  const args = [JUNCTOR, 'hub', '--data', home.data, ...words];
  const child = spawn(process.execPath, args, { cwd: home.project, env: home.env, stdio: ['ignore', 'pipe', 'pipe'] });
  const closed = once(child, 'close');
  const said = await firstWords(child);
  child.kill('SIGTERM');
  await closed;
  return said;
}

describe('a hub', () => {
  promise('8.20a', 'listens on 127.0.0.1 port 7717, or where --host and --port say', async () => {
    await using home = await makeHome();
    // Somebody else on this machine may have the port: then that is what it says.
    expect(await hubWith(home)).toMatch(
      /Junctor hub: http:\/\/127\.0\.0\.1:7717\n|Port 7717 on 127\.0\.0\.1 is in use by /,
    );
    expect(await hubWith(home, '--port', '0')).toMatch(/Junctor hub: http:\/\/127\.0\.0\.1:(?!7717)\d+\n/);
    expect(await hubWith(home, '--host', '127.0.0.2', '--port', '0')).toMatch(
      /Junctor hub: http:\/\/127\.0\.0\.2:\d+\n/,
    );
  });

  promise('5.10m', 'says when it starts which project it serves to clients that name none', async () => {
    await using home = await makeHome();
    const served = async (...words: string[]) =>
      /^ {2}serves {3}(.*)$/m.exec(await hubThere(home, '--port', '0', ...words))?.[1];
    const elsewhere = 'at /mcp/<agent>; connect and run get the project of their folder';
    await home.write('project/junctor.json', { version: 1, servers: {} });
    expect(await served()).toBe(`the project ${home.project} ${elsewhere}`);
    expect(await served('--no-project')).toBe(`your own servers ${elsewhere}`);
  });

  promise('2.5b', 'connects its servers at once', async () => {
    await using home = await makeHome();
    await using hub = await startHub(home, { version: 1, servers: { demo: trusted(testServer()) } });
    // Nobody asked for it.
    await expect.poll(async () => (await rest(hub, '/api/status')).body.servers[0].state).toBe('ready');
  });

  promise('2.5c', 'waits until they are needed where the config says lazy', async () => {
    await using home = await makeHome();
    const servers = { demo: trusted(testServer()) };
    await using hub = await startHub(home, { version: 1, servers, startup: { connect: 'lazy' } });
    const state = async () => (await rest(hub, '/api/status')).body.servers[0].state;
    expect(await state()).toBe('idle');
    const client = await RawClient.open(hub, '/mcp/codex');
    await client.call(1, 'demo_echo', { text: 'hi' });
    await expect.poll(state).toBe('ready');
  });
});

describe('npm start', () => {
  promise('8.1b', 'serves the hub with the example config on SQLite, and prints the URL to open', async () => {
    await using home = await makeHome();
    const npm = spawn('npm', ['start', '--', '--port', '0', '--data', home.data], {
      cwd: ROOT,
      env: { ...home.env, PATH: process.env.PATH ?? '' },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    const closed = once(npm, 'close');
    const [, url = ''] = /Junctor hub: (\S+)/.exec(await firstWords(npm)) ?? [];
    const { token } = JSON.parse(await readFile(join(home.data, 'hub.json'), 'utf8')) as { token: string };
    const answer = await fetch(`${url}/api/servers`, { headers: { authorization: `Bearer ${token}` } });
    const { servers } = (await answer.json()) as { servers: { id: string; file: string }[] };
    const example = join(ROOT, 'examples', 'junctor.json');
    expect(servers.map(({ id, file }) => [id, file])).toEqual([
      ['demo', example],
      ['fs', example],
    ]);
    expect((await fetch(url)).status).toBe(200);
    const header = await readFile(join(home.data, 'hub.db'));
    expect(header.subarray(0, 15).toString()).toBe('SQLite format 3');
    expect((await stat(join(home.data, 'hub.db'))).mode & 0o777).toBe(0o600);
    const called = await junctor(
      home,
      [
        'mcp',
        'call',
        'demo',
        'echo',
        '--args',
        '{"text":"hi"}',
        '--json',
        '--data',
        home.data,
        '--config',
        example,
        '--isolated',
      ],
      { cwd: ROOT },
    );
    expect(JSON.parse(called.stdout)).toMatchObject({ output: 'hi', via: 'hub' });
    process.kill(-(npm.pid as number), 'SIGINT');
    await closed;
  });
});
