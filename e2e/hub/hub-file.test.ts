import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { isRunning, junctor, makeHome, promise, startHub } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';

const EMPTY = { version: 1, servers: {} };

describe('hub.json', () => {
  promise('9.6a', 'holds url, socket, pid, version and token, for nobody else to read', async () => {
    await using home = await makeHome();
    await using hub = await startHub(home, EMPTY);
    const file = join(home.data, 'hub.json');
    const found = JSON.parse(await readFile(file, 'utf8')) as Record<string, string>;
    expect(found).toEqual({
      url: hub.url,
      socket: join(home.data, 'hub.sock'),
      pid: hub.pid,
      version: '0.1.0',
      token: expect.stringMatching(/^jct_[\w-]{43}$/),
    });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(found.socket as string)).mode & 0o777).toBe(0o600);
    expect((await hub.fetch('/api/status', { token: found.token })).status).toBe(200);
  });

  test('of a hub that was killed counts for nothing, whoever has its process id now', async () => {
    await using home = await makeHome();
    const killed = await startHub(home, EMPTY);
    process.kill(killed.pid, 'SIGKILL');
    await new Promise(resolve => killed.process.once('exit', resolve));
    const file = join(home.data, 'hub.json');
    const left = JSON.parse(await readFile(file, 'utf8')) as object;
    await writeFile(file, JSON.stringify({ ...left, pid: process.pid }));
    const asked = await junctor(home, ['hub', 'status', '--data', home.data]);
    expect([asked.code, asked.stdout]).toEqual([1, `no hub runs on the data directory ${home.data}\n`]);
    await using hub = await startHub(home, EMPTY);
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ pid: hub.pid, url: hub.url });
  });

  test('has a socket elsewhere where the path of the data directory is too long for one', async () => {
    await using home = await makeHome();
    const data = join(home.path, 'a-long-name-'.repeat(10), 'data');
    await mkdir(data, { recursive: true });
    await using hub = await startHub({ ...home, data }, EMPTY);
    const { socket } = JSON.parse(await readFile(join(data, 'hub.json'), 'utf8')) as { socket: string };
    expect(Buffer.byteLength(socket)).toBeLessThan(104);
    const { code, stdout } = await junctor(home, ['hub', 'status', '--data', data, '--json']);
    expect([code, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ url: hub.url })]);
  });
});

describe('a second hub', () => {
  test('on one data directory says which one runs', async () => {
    await using home = await makeHome();
    await using hub = await startHub(home, EMPTY);
    const { code, stderr } = await junctor(home, ['hub', '--data', home.data, '--port', '0']);
    expect([code, stderr.split('\n').slice(0, 2)]).toEqual([
      1,
      [
        `error: A hub already runs at ${hub.url}. (hub_running)`,
        `  why: process ${hub.pid} uses the data directory ${home.data}`,
      ],
    ]);
    expect(isRunning(hub.pid)).toBe(true);
  });

  promise('9.6b', 'on a busy port names who has it: a hub, or any program', async () => {
    await using home = await makeHome();
    await using other = await makeHome();
    await using hub = await startHub(home, EMPTY);
    const busy = (port: string | number) => junctor(other, ['hub', '--data', other.data, '--port', String(port)]);
    const { port } = new URL(hub.url);
    const first = await busy(port);
    expect([first.code, first.stderr.split('\n')[0]]).toEqual([
      1,
      expect.stringMatching(
        new RegExp(
          `^error: Port ${port} on 127.0.0.1 is in use by process ${hub.pid} \\(\\S+ junctor\\.js\\)\\. \\(port_in_use\\)$`,
        ),
      ),
    ]);
    const program = createServer();
    await new Promise<void>(resolve => program.listen(0, '127.0.0.1', resolve));
    const second = await busy((program.address() as { port: number }).port);
    expect(second.stderr).toContain(`is in use by process ${process.pid} (`);
    await new Promise(resolve => program.close(resolve));
  });
});
