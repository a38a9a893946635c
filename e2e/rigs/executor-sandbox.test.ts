import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { createHost, type Host } from '@junctor/core';
import {
  type FoundProcess,
  type Home,
  makeHome,
  misbehaving,
  processesMarked,
  promise,
  ROOT,
  startedServer,
  startHub,
  trusted,
} from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { hasBubblewrap } from '../../scripts/system-parts.mjs';
import { type SessionThere, sessionOn } from './on-executor.ts';

const MISSING = 'there is no bubblewrap here; to run it: apt-get install -y bubblewrap';

/** The programs of these tests lie in the repository, which may be anywhere. */
const SEES_PROGRAMS = { readable: [ROOT] };

interface Inside {
  readonly home: Home;
  readonly servers: object;
  readonly sandbox?: object;
  readonly env?: Record<string, string>;
}

function hostIn({ home, servers, sandbox = SEES_PROGRAMS, env = {} }: Inside): Promise<Host> {
  const surroundings = { cwd: home.project, home: home.path, env: { ...home.env, ...env }, platform: process.platform };
  const config = { servers, executors: { sandbox: { sandbox } } };
  // Where the server may write, so that nothing but the sandbox hides it.
  const data = join(home.project, '.junctor');
  return createHost({ config, executor: 'sandbox', data, surroundings, attempts: 1 });
}

/** Ignores every polite way of being ended, and has a child that does too. */
const prowler = ({ project }: Home, mark = 'none') => ({
  ...trusted(misbehaving('prowls')),
  cwd: project,
  env: { LC_PROWLER: mark },
});

/** The same server, reached over HTTP. */
const behindUrl = (server: object, mode: string) => ({
  ...server,
  mode,
  transport: 'http',
  url: 'http://127.0.0.1:${PORT}/mcp',
});

const isServer = ({ command }: FoundProcess): boolean =>
  command.startsWith(process.execPath) && command.endsWith('prowls.js');

async function ask(host: Host, tool: string, given = ''): Promise<string> {
  return (await host.call({ server: 'prowler', tool }, { given })).output;
}

describe('the executor sandbox', () => {
  promise(
    ['5.5m', '5.5n'],
    'confines a server that sessions share, and one that each has for itself; all of it ends with them',
    async ({ skip }) => {
      if (!hasBubblewrap()) skip(MISSING);
      await using home = await makeHome();
      const key = await home.write('.ssh/key', 'private');
      const own = prowler(home, home.path);
      const config = {
        version: 1,
        startup: { connect: 'lazy' },
        servers: {
          own,
          one: { ...own, mode: 'shared' },
          web: behindUrl(own, 'shared'),
        },
        executors: {
          sandbox: { stdio_proxy: true, sandbox: SEES_PROGRAMS, env_injection: { LC_EXECUTOR: home.path } },
          online: { sandbox: { ...SEES_PROGRAMS, network: true } },
        },
      };
      await using hub = await startHub(home, config, ['--instance-idle', '10']);
      const life = async (session: SessionThere, server: string): Promise<string> => {
        expect(await session.call(`${server}_read`, { given: key })).toBe('refused: ENOENT');
        return JSON.parse(await session.call(`${server}_place`)).life;
      };
      const sessions = [
        await sessionOn(home, hub, 'sandbox'),
        await sessionOn(home, hub, 'sandbox', 'cursor'),
      ] as const;
      const lives = async (server: string) => new Set(await Promise.all(sessions.map(one => life(one, server))));
      expect((await lives('own')).size).toBe(2);
      expect((await lives('one')).size).toBe(1);
      const online = [await sessionOn(home, hub, 'online'), await sessionOn(home, hub, 'online', 'cursor')] as const;
      expect(await life(online[0], 'web')).toBe(await life(online[1], 'web'));

      // One process of each session, and the shared one.
      const left = () => processesMarked(`LC_EXECUTOR=${home.path}`).filter(isServer).length;
      expect(left()).toBe(3);
      await sessions[0].end();
      await expect.poll(left).toBe(2);
      expect(await life(sessions[1], 'one')).toBeTruthy();
      // Killed, it can end nothing itself.
      hub.process.kill('SIGKILL');
      await expect.poll(() => processesMarked(`LC_PROWLER=${home.path}`)).toEqual([]);
    },
  );

  test('lets a server read the system and write its own folder, and shows it nothing else', async ({ skip }) => {
    if (!hasBubblewrap()) skip(MISSING);
    await using home = await makeHome();
    await mkdir(join(home.project, '.junctor'), { recursive: true });
    const secrets = [join(home.path, '.ssh-key'), join(home.project, '.junctor', 'mcp-auth.json')];
    for (const file of secrets) await writeFile(file, 'private');
    await using port = await listening();
    await using host = await hostIn({ home, servers: { prowler: prowler(home) } });
    const { cwd, pid } = JSON.parse(await ask(host, 'place'));
    expect(cwd).toBe(home.project);
    expect(pid).toBeLessThan(10);

    expect(await ask(host, 'write', 'mine')).toBe('written');
    expect(await readFile(join(home.project, 'mine'), 'utf8')).toBe('written');
    expect(await ask(host, 'read', '/etc/hostname')).not.toContain('refused');
    for (const file of secrets) expect(await ask(host, 'read', file)).toBe('refused: ENOENT');
    for (const folder of ['/etc', '/usr', ROOT])
      expect(await ask(host, 'write', join(folder, 'prowler-was-here'))).toBe('refused: EROFS');
    // Home and /tmp are its own, and gone with it.
    for (const folder of [home.path, '/tmp']) {
      const file = join(folder, `prowler-${process.pid}`);
      expect(await ask(host, 'write', file)).toBe('written');
      expect(existsSync(file)).toBe(false);
    }
    expect(await ask(host, 'knock', String(port.number))).toBe('refused: ECONNREFUSED');
  });

  test('ends a server with all it started, however it resists', async ({ skip }) => {
    if (!hasBubblewrap()) skip(MISSING);
    await using home = await makeHome();
    const host = await hostIn({ home, servers: { prowler: prowler(home, home.path) } });
    await ask(host, 'place');
    expect(processesMarked(`LC_PROWLER=${home.path}`).length).toBeGreaterThanOrEqual(3);
    await host.close();
    expect(processesMarked(`LC_PROWLER=${home.path}`)).toEqual([]);
  });

  test('opens what its settings name: folders and the network, which a server behind a URL needs', async ({ skip }) => {
    if (!hasBubblewrap()) skip(MISSING);
    await using home = await makeHome();
    const [shown, shared] = [await home.write('shown/file', 'seen'), join(home.path, 'shared')];
    await mkdir(shared);
    await using port = await listening();
    const sandbox = { readable: [ROOT, '~/shown'], writable: [shared], network: true };
    const servers = { prowler: prowler(home), web: { ...trusted(startedServer()), cwd: home.project } };
    await using host = await hostIn({ home, servers, sandbox });
    expect(await ask(host, 'read', shown)).toBe('seen');
    expect(await ask(host, 'write', shown)).toBe('refused: EROFS');
    expect(await ask(host, 'write', join(shared, 'file'))).toBe('written');
    expect(await ask(host, 'knock', String(port.number))).toBe('open');
    expect((await host.call({ server: 'web', tool: 'echo' }, { text: 'hello' })).output).toBe('hello');
  });

  test('lets nothing that a server names or leaves behind work outside', async ({ skip }) => {
    if (!hasBubblewrap()) skip(MISSING);
    await using home = await makeHome();
    // The loader of every program that has them writes there: of the one that makes the sandbox it would be outside.
    const env = { LD_DEBUG: 'libs', LD_DEBUG_OUTPUT: join(home.path, 'loaded') };
    const server = { ...prowler(home), env };
    await using host = await hostIn({ home, servers: { prowler: server } });
    expect(await ask(host, 'read', '/proc/self/environ')).toContain(env.LD_DEBUG_OUTPUT);
    expect((await readdir(home.path)).filter(name => name.startsWith('loaded'))).toEqual([]);

    // A link in a folder that it may write, in place of the one it starts in next time, or of one that is named.
    await mkdir(join(home.path, '.ssh'));
    const link = join(home.project, 'sub');
    await symlink(join(home.path, '.ssh'), link);
    const writable = [home.project];
    const inside = { home, servers: { prowler: { ...server, cwd: link } }, sandbox: { ...SEES_PROGRAMS, writable } };
    const named = { ...inside, servers: { prowler: server }, sandbox: { readable: [ROOT, link] } };
    for (const one of [inside, named]) {
      await using other = await hostIn(one);
      const error = await other.call({ server: 'prowler', tool: 'place' }, {}).catch(reason => reason);
      expect([error.code, error.why]).toEqual(['executor_unavailable', expect.stringContaining('is a link out of')]);
    }
  });

  test('says what is missing, and starts nothing without it', async ({ skip }) => {
    if (!hasBubblewrap()) skip(MISSING);
    await using home = await makeHome();
    const web = { ...trusted(startedServer()), cwd: home.project };
    const failures: [Inside, string][] = [
      [{ home, servers: { web } }, 'set network: true'],
      [{ home, servers: { prowler: prowler(home) }, env: { PATH: home.path } }, 'install bwrap on this machine'],
      [
        { home, servers: { prowler: prowler(home) }, sandbox: { ...SEES_PROGRAMS, writable: ['/nowhere'] } },
        'create it',
      ],
    ];
    for (const [inside, hint] of failures) {
      await using host = await hostIn(inside);
      const [server = ''] = Object.keys(inside.servers);
      const error = await host.call({ server, tool: 'place' }, {}).catch(reason => reason);
      expect([error.code, error.hint]).toEqual(['executor_unavailable', expect.stringContaining(hint)]);
    }
  });
});

async function listening(): Promise<AsyncDisposable & { readonly number: number }> {
  const server = createServer(socket => socket.destroy()).listen(0, '127.0.0.1');
  await new Promise(resolve => server.once('listening', resolve));
  const close = () => new Promise<void>(resolve => void server.close(() => resolve()));
  return { number: (server.address() as AddressInfo).port, [Symbol.asyncDispose]: close };
}
