/** Servers in containers: of a real Docker daemon on this machine, and of a second one that stands for another machine. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import {
  everything,
  junctor,
  makeHome,
  misbehaving,
  promise,
  ROOT,
  type RunningHub,
  startedEverything,
  startHub,
  trusted,
} from '@junctor/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DockerDaemon, IMAGE, startDocker, whyNoDocker } from './docker-daemon.ts';
import { refusalOn, type SessionThere, sessionOn } from './on-executor.ts';
import { startSsh, whyNoSsh } from './ssh-server.ts';

const why = whyNoDocker();
const SECRET = 'a secret that no command line shows';
const image = { image: IMAGE, volumes: [`${ROOT}:${ROOT}:ro`] };
let here: DockerDaemon;
let there: DockerDaemon;

beforeAll(async () => {
  if (why !== undefined) return;
  [here, there] = await Promise.all([startDocker(1), startDocker(2)]);
}, 120_000);
afterAll(async () => {
  await here?.[Symbol.asyncDispose]();
  await there?.[Symbol.asyncDispose]();
}, 60_000);

/** What a server sees around it; Docker calls each container by its id. */
async function environmentIn(session: SessionThere, server: string): Promise<Record<string, string>> {
  return JSON.parse(await session.call(`${server}_get-env`)) as Record<string, string>;
}

const hostsOf = async (sessions: readonly SessionThere[], server: string): Promise<string[]> =>
  (await Promise.all(sessions.map(one => environmentIn(one, server)))).map(({ HOSTNAME = '' }) => HOSTNAME);

async function onTwo(hub: RunningHub, home: Awaited<ReturnType<typeof makeHome>>, executor: string) {
  return [await sessionOn(home, hub, executor), await sessionOn(home, hub, executor, 'cursor')] as const;
}

const OWN = {
  pipe: { ...trusted(everything()), env: { SECRET } },
  sidecar: { ...trusted(startedEverything()), mode: 'shared' },
};

describe.skipIf(why !== undefined)(`docker${why === undefined ? '' : ` (${why})`}`, () => {
  promise(
    ['5.5d', '5.5f', '5.5g', '5.5h', '5.5n'],
    'on this machine and on another: sessions share one sidecar and have servers of their own, and no container is left',
    async () => {
      await using home = await makeHome();
      const config = {
        version: 1,
        startup: { connect: 'lazy' },
        servers: OWN,
        executors: {
          docker: { docker: { host: here.host, ...image } },
          far: { docker: { host: there.address, publish: there.gateway, ...image } },
        },
      };
      await using hub = await startHub(home, config, ['--instance-idle', '10']);
      const rows = [
        ['docker', here, there],
        ['far', there, here],
      ] as const;
      for (const [executor, daemon, other] of rows) {
        const sessions = await onTwo(hub, home, executor);
        const own = await hostsOf(sessions, 'pipe');
        const shared = await hostsOf(sessions, 'sidecar');
        expect(new Set(own).size).toBe(2);
        expect(new Set(shared).size).toBe(1);
        // They run there and nowhere else.
        expect([...(await daemon.containers())].sort()).toEqual([...new Set([...own, ...shared])].sort());
        expect(await other.containers()).toEqual([]);
        expect(await daemon.docker('ps', '--format', '{{.Names}} {{.Label "junctor.server"}}')).toMatch(
          /^junctor-(pipe|sidecar)-\w+ (pipe|sidecar)$/m,
        );
        expect((await environmentIn(sessions[0], 'pipe')).SECRET).toBe(SECRET);
        expect(await processesShowing(SECRET)).toEqual([]);
        // What a session had for itself ends with it; the sidecar lasts as long as somebody uses it.
        await sessions[0].end();
        await expect.poll(() => daemon.containers()).not.toContain(own[0]);
        expect(await hostsOf([sessions[1]], 'sidecar')).toEqual([shared[0]]);
        await sessions[1].end();
        await expect.poll(() => daemon.containers(), { timeout: 45_000 }).toEqual([]);
      }
    },
  );

  promise(
    ['5.5f', '5.5h', '5.5n'],
    'inside a container that runs already each session has a process of its own, and the container goes on',
    async () => {
      await using home = await makeHome();
      const run = ['run', '-d', '--name', 'box', '-v', `${ROOT}:${ROOT}:ro`, IMAGE, 'sleep', '1000'];
      const boxes = await Promise.all([here.docker(...run), there.docker(...run)]);
      const config = {
        version: 1,
        startup: { connect: 'lazy' },
        servers: { pipe: OWN.pipe, stubborn: trusted(misbehaving('stubborn')) },
        executors: {
          docker: { docker: { host: here.host, container: 'box' } },
          far: { docker: { host: there.address, container: 'box' } },
        },
      };
      await using hub = await startHub(home, config);
      for (const [executor, daemon, box] of [
        ['docker', here, boxes[0]],
        ['far', there, boxes[1]],
      ] as const) {
        const inside = async (): Promise<number> => (await daemon.docker('top', 'box')).split('\n').length - 2;
        const sessions = await onTwo(hub, home, executor);
        expect(new Set(await hostsOf(sessions, 'pipe'))).toEqual(new Set([box.slice(0, 12)]));
        const pids = await Promise.all(sessions.map(one => one.call('stubborn_pids')));
        expect(new Set(pids).size).toBe(2);
        expect(await inside()).toBeGreaterThanOrEqual(6);
        await sessions[0].end();
        await sessions[1].end();
        await expect.poll(inside).toBe(0);
        await daemon.docker('rm', '--force', 'box');
      }
    },
  );

  promise(
    ['5.5e', '5.5g'],
    'one service on the host serves sessions, through the hub and from inside containers',
    async () => {
      await using home = await makeHome();
      const port = 20_000 + (process.pid % 20_000);
      const { command, args } = startedEverything();
      const service = spawn(command, args, {
        env: { ...home.env, PORT: String(port) },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      try {
        await once(service.stderr, 'data');
        const servers = { service: trusted({ transport: 'http', url: `http://127.0.0.1:${port}/mcp` }) };
        const config = {
          version: 1,
          startup: { connect: 'lazy' },
          servers,
          executors: { docker: { docker: { host: here.host, ...image } } },
        };
        await using hub = await startHub(home, config);
        // The hub is on the host itself; nothing is started for it.
        const sessions = await onTwo(hub, home, 'docker');
        for (const session of sessions) expect((await environmentIn(session, 'service')).PORT).toBe(String(port));
        expect(await here.containers()).toEqual([]);
        // An agent inside a container that asks for itself gets the name by which Docker calls the host there.
        const script = `
        import { createHost } from '@junctor/core';
        await using host = await createHost({ config: ${JSON.stringify(config)}, executor: 'docker' });
        console.log(host.resolution.list[0].endpoint, JSON.stringify(await host.call('mcp__service__echo', { message: 'hello' })).includes('Echo: hello'));`;
        const node = [process.execPath, '--input-type=module', '--conditions=junctor-source', '-e', script];
        for (const daemon of [here, there]) {
          const run = [
            'run',
            '--rm',
            '-v',
            `${ROOT}:${ROOT}:ro`,
            '-w',
            `${ROOT}/e2e`,
            '--add-host',
            `host.docker.internal:${daemon.gateway}`,
          ];
          const said = await Promise.all([
            daemon.docker(...run, IMAGE, ...node),
            daemon.docker(...run, IMAGE, ...node),
          ]);
          expect(said).toEqual(Array(2).fill(`http://host.docker.internal:${port}/mcp true`));
        }
      } finally {
        service.kill('SIGKILL');
        await once(service, 'exit');
      }
    },
  );

  promise(
    '5.5n',
    'no container is left of a hub that was killed, alone or with all that cleans up after it',
    async () => {
      await using home = await makeHome();
      const servers = { stubborn: trusted(misbehaving('stubborn')) };
      const executors = { docker: { docker: { host: here.host, ...image } } };
      const config = { version: 1, startup: { connect: 'lazy' }, servers, executors };
      for (const alone of [true, false]) {
        const hub = await startHub(home, config);
        await (await sessionOn(home, hub, 'docker')).call('stubborn_pids');
        expect(await here.containers()).toHaveLength(1);
        const others = alone ? [] : childrenOf(hub.pid);
        hub.process.kill('SIGSTOP');
        for (const pid of others) process.kill(pid, 'SIGKILL');
        hub.process.kill('SIGKILL');
        if (alone) await expect.poll(() => here.containers()).toEqual([]);
      }
      expect(await here.containers()).toHaveLength(1);
      // The next one on this machine removes it.
      await using _next = await startHub(home, config);
      await expect.poll(() => here.containers()).toEqual([]);
    },
  );

  promise('5.5h', 'a daemon on another machine is reached over SSH as well', async ({ skip }) => {
    const noSsh = whyNoSsh();
    if (noSsh !== undefined) skip(noSsh);
    await using home = await makeHome();
    await using far = await startSsh(`SetEnv DOCKER_HOST=${there.host}`);
    // The docker program starts ssh by its name, with the config of whoever runs it: here that of the test.
    await chmod(await home.write('bin/ssh', `#!/bin/sh\nexec /usr/bin/ssh -F ${far.configFile} "$@"\n`), 0o755);
    home.env.PATH = `${home.path}/bin:${home.env.PATH}`;
    const executors = { docker: { docker: { host: 'ssh://far', ...image } } };
    await using hub = await startHub(home, {
      version: 1,
      startup: { connect: 'lazy' },
      servers: { pipe: OWN.pipe },
      executors,
    });
    const session = await sessionOn(home, hub, 'docker');
    const { HOSTNAME, SECRET: passed } = await environmentIn(session, 'pipe');
    expect([await there.containers(), passed]).toEqual([[HOSTNAME], SECRET]);
    await session.end();
    await expect.poll(() => there.containers()).toEqual([]);
  });

  test('what is wrong there is told with what to do', async () => {
    await using home = await makeHome();
    const { host } = here;
    await using hub = await startHub(home, {
      version: 1,
      startup: { connect: 'lazy' },
      // For one agent the executor is another.
      agents: { cursor: { executors: { box: { docker: { host, ...image } } } } },
      servers: {
        pipe: OWN.pipe,
        gone: trusted({ transport: 'stdio', command: 'no-such-program' }),
        sidecar: OWN.sidecar,
      },
      executors: {
        docker: { docker: { host, ...image } },
        asleep: { docker: { host: 'unix:///no/such/docker.sock', ...image } },
        box: { docker: { host, container: 'no-such-box' } },
        image: { docker: { host, image: 'localhost:1/no-such-image' } },
        silent: { docker: { host: there.address, ...image } },
        joined: { docker: { host, ...image, network: 'container:no-such-box' } },
      },
    });
    for (const [executor, server, reason] of [
      ['asleep', 'pipe', 'the Docker daemon cannot be reached'],
      ['box', 'pipe', "there is no container 'no-such-box'"],
      ['image', 'pipe', "the image 'localhost:1/no-such-image' is not there"],
      ['docker', 'gone', 'its command is not inside the container'],
      ['silent', 'sidecar', 'nobody said at which address'],
      ['joined', 'sidecar', 'a server behind a URL needs a port'],
    ] as const) {
      const refusal = await refusalOn(home, hub, executor, server);
      expect(refusal).toContain(reason);
    }
    expect((await environmentIn(await sessionOn(home, hub, 'box', 'cursor'), 'pipe')).SECRET).toBe(SECRET);
    await hub[Symbol.asyncDispose]();
    const explained = ['explain', 'pipe', '--executor', 'docker', '--config', `${home.path}/hub.json`];
    expect((await junctor(home, explained)).stdout).toContain(`started in a container of ${IMAGE} at ${host}`);
    expect(await here.containers()).toEqual([]);
  });
});

function childrenOf(parent: number): number[] {
  return readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
}

/** Command lines on this machine that hold a text. */
async function processesShowing(text: string): Promise<string[]> {
  return readdirSync('/proc').flatMap(entry => {
    try {
      const line = /^\d+$/.test(entry) ? readFileSync(`/proc/${entry}/cmdline`, 'utf8') : '';
      return line.includes(text) ? [line] : [];
    } catch {
      return [];
    }
  });
}
