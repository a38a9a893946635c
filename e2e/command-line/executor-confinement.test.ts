/** What containers and pods of servers are held by: seen in the words for docker, and in what kubectl is to create. */
import { chmod, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Home, junctor, makeHome, promise, testServer } from '@junctor/testkit';
import { expect, test } from 'vitest';

const USER = 'config/junctor/config.json';
const server = { ...testServer(), trust: 'trusted' };

/** Everything is loosened. */
const LOOSE = {
  ...{ memory_mb: 0, cpus: 4, capabilities: ['NET_ADMIN'] },
  ...{ new_privileges: true, seccomp: 'unconfined', read_only: true },
};

async function program(home: Home, name: string, script: string): Promise<void> {
  await chmod(await home.write(`bin/${name}`, `#!/bin/sh\n${script}\n`), 0o755);
}

/** Notes its words, and runs what is to run in the container on this machine. */
async function installDocker(home: Home): Promise<void> {
  const note = `[ "$1" = run ] && printf '%s\\n' "$@" > ${join(home.path, 'words')}`;
  await program(home, 'docker', `${note}\nwhile [ $# -gt 0 ]; do a=$1; shift; [ "$a" = tools:1 ] && exec "$@"; done`);
}

/** The words between `docker run` and the image that hold the container. */
async function holding(home: Home): Promise<string[]> {
  const words = (await readFile(join(home.path, 'words'), 'utf8')).split('\n');
  const from = words.indexOf('--cap-drop');
  return words.slice(from, words.indexOf('--env'));
}

async function explained(home: Home, executor: string): Promise<string | undefined> {
  const { stdout } = await junctor(home, ['explain', 'demo', '--executor', executor]);
  return stdout.trim().split('\n').at(-1);
}

promise(
  '5.5q',
  'a container and a pod are held tight, unless a setting says otherwise, which explain shows',
  async () => {
    await using home = await makeHome();
    await installDocker(home);
    await program(
      home,
      'kubectl',
      `case " $* " in *" create "*) cat > ${join(home.path, 'created')};; *) exit 1;; esac`,
    );
    home.env.PATH = `${join(home.path, 'bin')}:${home.env.PATH}`;
    const image = { image: 'tools:1' };
    await home.write(USER, {
      servers: { demo: server },
      executors: {
        docker: { docker: image },
        loose: { docker: { ...image, ...LOOSE, pids: 0, network: 'host' } },
        k8s: { k8s: image },
        pods: { k8s: { ...image, ...LOOSE, user: 1000 } },
      },
    });
    const doctor = (executor: string) => junctor(home, ['doctor', 'demo', '--executor', executor]);
    expect((await doctor('docker')).code).toBe(0);
    const limits = ['--memory', '2048m', '--cpus', '1', '--pids-limit', '512'];
    expect(await holding(home)).toEqual(['--cap-drop', 'ALL', '--security-opt', 'no-new-privileges', ...limits]);
    expect(await explained(home, 'docker')).toMatch(/started in a container of tools:1$/);

    expect((await doctor('loose')).code).toBe(0);
    const kept = ['--cap-drop', 'ALL', '--cap-add', 'NET_ADMIN', '--security-opt', 'seccomp=unconfined', '--cpus', '4'];
    expect(await holding(home)).toEqual([...kept, '--read-only', '--tmpfs', '/tmp']);
    const weaker = 'no memory limit; CPU limit 4';
    const and = 'capabilities NET_ADMIN; new privileges; all system calls';
    expect(await explained(home, 'loose')).toMatch(
      `tools:1, weaker than by default: ${weaker}; no process limit; ${and}; the network of the machine`,
    );

    const podOf = async (executor: string) => {
      await doctor(executor);
      const { items } = JSON.parse(await readFile(join(home.path, 'created'), 'utf8'));
      const { spec } = items.find(({ kind }: { kind: string }) => kind === 'Pod');
      const [{ securityContext, resources, volumeMounts }] = spec.containers;
      return { securityContext, resources, volumeMounts, volumes: spec.volumes };
    };
    expect(await podOf('k8s')).toEqual({
      securityContext: {
        allowPrivilegeEscalation: false,
        capabilities: { drop: ['ALL'] },
        seccompProfile: { type: 'RuntimeDefault' },
      },
      resources: { limits: { memory: '2048Mi', cpu: '1' }, requests: { memory: '0', cpu: '0' } },
    });
    expect(await podOf('pods')).toEqual({
      securityContext: {
        allowPrivilegeEscalation: true,
        capabilities: { drop: ['ALL'], add: ['NET_ADMIN'] },
        seccompProfile: { type: 'Unconfined' },
        readOnlyRootFilesystem: true,
        ...{ runAsUser: 1000, runAsNonRoot: true },
      },
      resources: { limits: { cpu: '4' }, requests: { cpu: '0' } },
      volumeMounts: [{ name: 'tmp', mountPath: '/tmp' }],
      volumes: [{ name: 'tmp', emptyDir: {} }],
    });
    expect(await explained(home, 'pods')).toContain(`a pod of tools:1, weaker than by default: ${weaker}; ${and}`);
  },
);

test('limits of a container or a pod that runs already are refused', async () => {
  await using home = await makeHome();
  const executors = {
    box: { docker: { container: 'box', memory_mb: 512 } },
    pod: { k8s: { pod: 'agent', user: 1000 } },
  };
  await home.write(USER, { servers: {}, executors });
  const { stderr } = await junctor(home, ['validate']);
  expect(stderr).toMatch(/executors\.box\.docker: memory_mb, .*pids: these go with an image/);
  expect(stderr).toMatch(/executors\.pod\.k8s: memory_mb, .*user: these go with an image/);
});
