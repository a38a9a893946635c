import { readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createHost, isJunctorError, type JunctorError, type McpConfigInput } from '@junctor/core';
import { everything, isRunning, makeHome, misbehaving, promise, testServer, trusted } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';

const hostWith = (servers: object, options: object = {}) =>
  createHost({ config: { version: 1, servers } as McpConfigInput, attempts: 1, ...options });

async function failure(work: Promise<unknown>): Promise<JunctorError> {
  const error = await work.then(
    () => expect.unreachable('it should have failed'),
    (reason: unknown) => reason,
  );
  if (!isJunctorError(error)) throw error;
  return error;
}

describe('the program of a server', () => {
  test('is found on the PATH the server itself is given, relative folders from its cwd', async () => {
    await using home = await makeHome();
    await mkdir(join(home.project, 'tools'));
    await symlink(process.execPath, join(home.project, 'tools', 'our-own-node'));
    const { args } = testServer();
    await using host = await hostWith({
      own: {
        transport: 'stdio',
        command: 'our-own-node',
        args,
        cwd: home.project,
        env: { PATH: 'tools' },
        trust: 'trusted',
      },
    });
    expect((await host.call({ server: 'own', tool: 'echo' }, { text: 'found' })).output).toBe('found');
  });

  test.each([
    [
      'a whole command line',
      { command: `node ${'server.js'}` },
      /was not found\.$/,
      /^split it: "command": "node", "args": \["server.js"\]$/,
    ],
    ['a slip', { command: 'nodee' }, /'nodee' .* was not found\.$/, /^did you mean 'node'\?/],
    ['a folder', { command: dirname(process.execPath) }, /is a directory\.$/, /^name a program inside it/],
    ['a file nobody may run', { command: import.meta.filename }, /is not executable\.$/, /^chmod \+x /],
    ['a missing cwd', { command: 'node', cwd: '/no/such/folder' }, /starts in does not exist\.$/, /cwd/],
  ])('that is %s is explained, and not tried again', async (title, definition, sentence, hint) => {
    const env = { PATH: dirname(process.execPath) };
    await using host = await hostWith({ wrong: { transport: 'stdio', env, ...definition } });
    const attempts: string[] = [];
    host.events.on('state-changed', ({ state }) => attempts.push(state.kind));
    const error = await failure(host.collect('wrong'));
    expect({ code: error.code, message: error.message, hint: error.hint }).toEqual({
      code: title === 'a missing cwd' ? 'folder_not_found' : 'command_not_found',
      message: expect.stringMatching(sentence),
      hint: expect.stringMatching(hint),
    });
    expect(attempts).toEqual(['connecting', 'error']);
  });

  test('whose first line names an interpreter that is not there says so', async () => {
    await using home = await makeHome();
    const file = join(home.project, 'serve');
    await writeFile(file, '#!/no/such/interpreter\n');
    await chmod(file, 0o755);
    await using host = await hostWith({ script: { transport: 'stdio', command: file } });
    const { code, why } = await failure(host.collect('script'));
    expect({ code, why }).toEqual({
      code: 'command_not_found',
      why: `${file} is there, but what its first line names to run it is not`,
    });
  });
});

describe('the last words of a server', () => {
  promise('2.6k', 'are those on stdout that are no messages, where stderr is empty', async () => {
    await using host = await hostWith({ dead: misbehaving('dies-on-stdout') });
    const { code, message, why } = await failure(host.collect('dead'));
    expect({ code, message, why }).toEqual({
      code: 'connection_failed',
      message: "Server 'dead' exited with code 2 while it was starting.",
      why: [
        'it wrote nothing to stderr; its last lines on stdout:',
        '{"level":"fatal","msg":"no such database"}',
        'Usage: server [options]',
        'Try --help',
      ].join('\n'),
    });
  });

  test('tell of a message that was cut off', async () => {
    await using host = await hostWith({ cut: trusted(misbehaving('dies-on-stdout', '--greets')) });
    const { code, message, why } = await failure(host.call({ server: 'cut', tool: 'stop' }));
    expect({ code, message, why }).toEqual({
      code: 'connection_lost',
      message: "Server 'cut' exited with code 0.",
      why: 'it stopped in the middle of a message; it wrote nothing to stderr',
    });
  });

  test('come without orders to the terminal', async () => {
    const script = 'printf "\\033[31mred\\033[0m \\033]0;owned\\007alarm\\n" >&2; exit 1';
    await using host = await hostWith({ loud: { transport: 'stdio', command: 'sh', args: ['-c', script] } });
    expect((await failure(host.collect('loud'))).why).toBe('its last lines on stderr:\nred alarm');
  });

  test('are told though a child of the server holds its stderr open', async () => {
    const script = 'sleep 30 >/dev/null & echo gone >&2; exit 4';
    await using host = await hostWith({ holds: { transport: 'stdio', command: 'sh', args: ['-c', script] } });
    const { message, why } = await failure(host.collect('holds'));
    expect({ message, why }).toEqual({
      message: "Server 'holds' exited with code 4 while it was starting.",
      why: 'its last lines on stderr:\ngone',
    });
  });
});

describe('the environment of a server', () => {
  test('has proxies and certificates of ours, in capitals or not, and none of our secrets', async () => {
    const own = {
      PATH: process.env.PATH ?? '',
      HOME: '/tmp',
      LC_JUNCTOR_TEST: process.env.LC_JUNCTOR_TEST ?? '',
      http_proxy: 'http://proxy:1',
      HTTPS_PROXY: 'http://proxy:2',
      no_proxy: 'localhost',
      NODE_EXTRA_CA_CERTS: '/no/such/ca.pem',
      AWS_SECRET_ACCESS_KEY: 'a-secret-of-ours',
      GITHUB_TOKEN: 'another-secret-of-ours',
      JUNCTOR_TOKEN: 'jct_of-ours',
      NODE_OPTIONS: '--no-warnings',
    };
    const definition = { ...trusted(everything()), env: { OWN_KEY: 'given-by-name' } };
    await using host = await hostWith(
      { all: definition },
      { surroundings: { env: own, cwd: process.cwd(), home: '/tmp', platform: process.platform } },
    );
    const seen = JSON.parse((await host.call({ server: 'all', tool: 'get-env' })).output) as Record<string, string>;
    const { JUNCTOR_LAUNCH, ...rest } = seen;
    expect(JUNCTOR_LAUNCH).toMatch(/^[0-9a-f-]{36}$/);
    expect(rest).toEqual({
      PATH: own.PATH,
      HOME: '/tmp',
      LC_JUNCTOR_TEST: own.LC_JUNCTOR_TEST,
      http_proxy: 'http://proxy:1',
      HTTPS_PROXY: 'http://proxy:2',
      no_proxy: 'localhost',
      NODE_EXTRA_CA_CERTS: '/no/such/ca.pem',
      OWN_KEY: 'given-by-name',
    });
  });
});

describe('closing', () => {
  promise(['2.10c', '2.10e'], 'leaves nothing of a server that died while starting, its child included', async () => {
    await using home = await makeHome();
    const pidFile = join(home.path, 'pid');
    const script = `setsid sleep 60 & echo $! > ${pidFile}; echo broken >&2; exit 1`;
    await using host = await hostWith(
      { dead: { transport: 'stdio', command: 'sh', args: ['-c', script] } },
      { attempts: 1 },
    );
    expect((await failure(host.collect('dead'))).why).toContain('broken');
    expect(isRunning(Number(await readFile(pidFile, 'utf8')))).toBe(false);
  });
});

/** The processes that this one has as children, and that know the variable by which servers are found. */
function guards(): number[] {
  const cmdlineOf = (pid: number): string => {
    try {
      const [, parent] = /\) \w (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'latin1')) ?? [];
      return Number(parent) === process.pid ? readFileSync(`/proc/${pid}/cmdline`, 'latin1') : '';
    } catch {
      return '';
    }
  };
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  return pids.filter(pid => isRunning(pid) && cmdlineOf(pid).includes('JUNCTOR_LAUNCH='));
}

/** Never 0, which would mean to `kill` the group of this process. */
async function theGuard({ besides = 0 } = {}): Promise<number> {
  const others = (): number[] => guards().filter(pid => pid !== besides);
  await expect.poll(others).toHaveLength(1);
  return others()[0] as number;
}

test.runIf(process.platform === 'linux')('the guard of servers is replaced when somebody kills it', async () => {
  await using host = await hostWith({ demo: trusted(testServer()), other: trusted(testServer()) });
  await host.links.ready('demo');
  const first = await theGuard();
  process.kill(first, 'SIGKILL');
  const second = await theGuard({ besides: first });
  // And again, once there is nothing left that it would have to be replaced for at once.
  await host.links.close('demo');
  process.kill(second, 'SIGKILL');
  await expect.poll(() => guards()).toEqual([]);
  await host.links.ready('other');
  await expect.poll(() => guards()).toHaveLength(1);
  await host.close();
  expect(guards()).toEqual([]);
});
