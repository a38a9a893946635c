/** Servers on another machine: a real sshd on loopback stands for it. */
import { readFileSync } from 'node:fs';
import {
  isRunning,
  junctor,
  makeHome,
  misbehaving,
  promise,
  startedServer,
  startHub,
  testServer,
  trusted,
} from '@junctor/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { refusalOn, sessionOn } from './on-executor.ts';
import { type SshServer, startSsh, whyNoSsh } from './ssh-server.ts';

const why = whyNoSsh();
const SECRET = "a secret with $HOME, 'quotes' and\na second line";
let far: SshServer;

beforeAll(async () => {
  if (why === undefined) far = await startSsh();
});
afterAll(() => far?.[Symbol.asyncDispose]());

/** Everything on this machine whose command line or environment would show it. */
function commandLineOf(pid: number): string {
  return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
}

const parentOf = (pid: number): number =>
  Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
const environmentOf = (pid: number): string => readFileSync(`/proc/${pid}/environ`, 'utf8');

describe.skipIf(why !== undefined)(`ssh${why === undefined ? '' : ` (${why})`}`, () => {
  promise(
    ['5.5i', '5.5j', '5.5n'],
    'each session has stdio servers over there, all share one service there, and nothing is left when they end',
    async () => {
      await using home = await makeHome();
      const config = {
        version: 1,
        startup: { connect: 'lazy' },
        servers: {
          pipe: { ...trusted(testServer()), env: { SECRET } },
          stubborn: trusted(misbehaving('stubborn')),
          web: { ...trusted(startedServer('http')), mode: 'shared' },
        },
        executors: { ssh: { ssh: { host: 'far', config_file: far.configFile, cwd: far.folder } } },
      };
      const hub = await startHub(home, config, ['--instance-idle', '10']);
      try {
        const [one, two] = [await sessionOn(home, hub, 'ssh'), await sessionOn(home, hub, 'ssh', 'cursor')];
        const pids = (await Promise.all([one.call('pipe_pid'), two.call('pipe_pid')])).map(Number);
        expect(new Set(pids).size).toBe(2);
        const [pid] = pids as [number];
        // It was started by sshd, in the folder there, with the variable, which no command line shows.
        expect(commandLineOf(parentOf(pid))).toMatch(/^sshd/);
        expect(environmentOf(pid)).toContain(`SECRET=${SECRET}\0`);
        expect(environmentOf(pid)).toContain(`PWD=${far.folder}\0`);
        expect(commandLineOf(pid)).not.toContain('quotes');
        const [web, again] = (await Promise.all([one.call('web_pid'), two.call('web_pid')])).map(Number);
        expect(web).toBe(again);
        expect(commandLineOf(parentOf(web as number))).toMatch(/^sshd/);
        // Of a server that ignores the end of its stdin and SIGTERM, and of its child that left its group, nothing stays.
        const stubborn = JSON.parse(await one.call('stubborn_pids')) as number[];
        expect(stubborn.filter(isRunning)).toEqual(stubborn);
        await one.end();
        const ended = async (): Promise<boolean> => {
          // What is used is not ended.
          expect([await two.call('pipe_pid'), await two.call('web_pid')]).toEqual([String(pids[1]), String(web)]);
          return [...stubborn, pid].every(one => !isRunning(one));
        };
        await expect.poll(ended, { timeout: 30_000 }).toBe(true);
        // The service lasts as long as sessions use it.
        await two.end();
        await expect.poll(() => [pids[1] as number, web as number].filter(isRunning), { timeout: 45_000 }).toEqual([]);
      } finally {
        await hub[Symbol.asyncDispose]();
      }
    },
  );

  promise('5.5n', 'what a hub started there ends with it, also when it is killed', async () => {
    await using home = await makeHome();
    const servers = { stubborn: trusted(misbehaving('stubborn')) };
    const executors = { box: { ssh: { host: 'far', config_file: far.configFile } } };
    const hub = await startHub(home, { version: 1, startup: { connect: 'lazy' }, servers, executors });
    const pids = JSON.parse(await (await sessionOn(home, hub, 'box')).call('stubborn_pids')) as number[];
    expect(pids.filter(isRunning)).toEqual(pids);
    hub.process.kill('SIGKILL');
    await expect.poll(() => pids.filter(isRunning)).toEqual([]);
  });

  test('what is wrong over there is told with what to do, and other servers go on', async () => {
    await using home = await makeHome();
    const ssh = { host: 'far', config_file: far.configFile };
    await using hub = await startHub(home, {
      version: 1,
      startup: { connect: 'lazy' },
      servers: { pipe: trusted(testServer()), gone: trusted({ transport: 'stdio', command: 'no-such-program-there' }) },
      executors: {
        far: { ssh },
        stranger: { ssh: { ...ssh, host: 'stranger' } },
        nowhere: { ssh: { ...ssh, host: 'no-such-machine.invalid' } },
        closed: { ssh: { ...ssh, port: 1 } },
        locked: {
          ssh: { ...ssh, options: ['IdentityFile=/dev/null', 'IdentitiesOnly=yes', 'PubkeyAuthentication=no'] },
        },
        folder: { ssh: { ...ssh, cwd: '/no/such/folder' } },
      },
    });
    expect(await (await sessionOn(home, hub, 'far')).call('pipe_pid')).toMatch(/^\d+$/);
    for (const [executor, reason] of Object.entries({
      stranger: 'the key of the other machine is not known here',
      nowhere: 'there is no machine of this name',
      closed: 'the other machine does not answer',
      locked: 'does not let you in with the keys',
      folder: 'there is no folder /no/such/folder on far',
    })) {
      const refusal = await refusalOn(home, hub, executor, 'pipe');
      expect(refusal).toContain(reason);
    }
    expect(await refusalOn(home, hub, 'far', 'gone')).toContain('far cannot run its command');
    const { stdout } = await junctor(home, [
      'doctor',
      'pipe',
      '--executor',
      'stranger',
      '--config',
      `${home.path}/hub.json`,
    ]);
    expect(stdout).toContain('the key of the other machine is not known here');
  });
});
