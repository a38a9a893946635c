/** Servers in a cluster: real kubectl, a small API server of ours, and pods whose processes are real. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  isRunning,
  makeHome,
  misbehaving,
  processesMarked,
  promise,
  quietPort,
  ROOT,
  startHub,
  trusted,
} from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { thisMachine } from '../../packages/core/src/connections/executors/this-machine.ts';
import { hasBubblewrap, hasKubectl } from '../../scripts/system-parts.mjs';
import { Cluster } from './cluster/cluster.ts';
import { refusalOn, type SessionThere, sessionOn } from './on-executor.ts';

const why =
  hasKubectl() && process.getuid?.() === 0
    ? undefined
    : 'there is no kubectl here, or no right to make containers; to run it as root: apt-get install -y kubernetes-client';

const SECRET = 'a-value-that-no-list-of-processes-shows';
const IMAGES = { 'tools:1': { IMAGE: 'tools' } };
/** What a shell, or a cluster, would make something else of. */
const ODD = ['$(TOKEN)', '$$(TOKEN) $HOME', "it's `id` $(id)"];
const EMPTY = { pods: 0, services: 0, secrets: 0 };

/** Ignores every polite way of being ended, and has a child that does too. */
const prowler = () => ({ ...trusted(misbehaving('prowls')), env: { TOKEN: SECRET } });

/** A pod as an operator makes it for one run of an agent: the agent, and beside it a container for its tools. */
const agentPod = (name: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: { containers: ['agent', 'tools'].map(container => ({ name: container, image: 'tools:1' })) },
});

/** A pod that a Junctor of this machine made, with the mark of that start. */
const podOf = (mark: string) => ({
  ...agentPod('junctor-left-over'),
  metadata: { name: 'junctor-left-over', labels: { 'junctor.launch': mark, 'junctor.machine': thisMachine() } },
});

interface Place {
  readonly hostname: string;
  readonly life: string;
  readonly words: readonly string[];
}

async function placesOf(sessions: readonly SessionThere[], server: string): Promise<Place[]> {
  return Promise.all(sessions.map(async session => JSON.parse(await session.call(`${server}_place`))));
}

const distinct = (texts: readonly string[]): number => new Set(texts).size;

describe.skipIf(why !== undefined)(`k8s${why === undefined ? '' : ` (${why})`}`, () => {
  promise(
    ['5.5k', '5.5n'],
    'sessions share a Service, of any namespace or of theirs, and one that is made for them and deleted afterwards',
    async () => {
      await using home = await makeHome();
      await using cluster = await Cluster.start({ images: IMAGES });
      const kubeconfig = await home.write('kubeconfig', cluster.kubeconfig);
      const [search, notes] = [
        await runService(cluster, 'tools', 'search'),
        await runService(cluster, 'team', 'notes'),
      ];
      const config = {
        version: 1,
        startup: { connect: 'lazy' },
        servers: {
          search: trusted({ transport: 'http', url: `http://search.tools.svc:${search}/mcp` }),
          // Where everybody else finds it, and where it is in the cluster.
          notes: trusted({ transport: 'http', url: `http://notes.example.com:${notes}/mcp` }),
          made: { ...prowler(), transport: 'http', url: 'http://127.0.0.1:${PORT}/mcp', mode: 'shared' },
        },
        executors: {
          k8s: {
            env_injection: { LC_EXECUTOR: home.path },
            http_url_rewrite: { 'notes.example.com': 'notes' },
            k8s: { kubeconfig, namespace: 'team', image: 'tools:1' },
          },
        },
      };
      await using hub = await startHub(home, config, ['--instance-idle', '5']);
      const sessions = [await sessionOn(home, hub, 'k8s'), await sessionOn(home, hub, 'k8s', 'cursor')];
      for (const [server, host] of Object.entries({
        search: 'search-pod',
        notes: 'notes-pod',
        made: /^junctor-made-/,
      })) {
        const places = await placesOf(sessions, server);
        expect(places[0]?.hostname).toMatch(host);
        expect(distinct(places.map(({ life }) => life))).toBe(1);
      }
      expect(cluster.count).toEqual({ pods: 3, services: 3, secrets: 1 });
      expect(processesShowing(SECRET)).toEqual([]);
      for (const session of sessions) await session.end();
      // What others run stays.
      await expect.poll(() => cluster.count, { timeout: 45_000 }).toEqual({ pods: 2, services: 2, secrets: 0 });
      expect(processesMarked(`LC_EXECUTOR=${home.path}`)).toEqual([]);
    },
  );

  promise(
    ['5.5l', '5.5n'],
    'each session has a server in the sidecar of the agent, or in a pod of its own; nothing is left, also after a kill',
    async () => {
      await using home = await makeHome();
      await using cluster = await Cluster.start({ images: IMAGES });
      const kubeconfig = await home.write('kubeconfig', cluster.kubeconfig);
      cluster.create('team', 'pods', agentPod('agent-1'));
      cluster.create('team', 'pods', podOf('7fffffff-000000000001-00000000000000'));
      const there = { kubeconfig, namespace: 'team' };
      const env_injection = { LC_EXECUTOR: home.path };
      const config = {
        version: 1,
        startup: { connect: 'lazy' },
        servers: { prowler: { ...prowler(), args: [...prowler().args, ...ODD] } },
        executors: {
          sidecar: { env_injection, k8s: { ...there, pod: 'agent-1', container: 'tools' } },
          k8s: { env_injection, k8s: { ...there, image: 'tools:1' } },
        },
      };
      await using hub = await startHub(home, config, ['--instance-idle', '10']);
      const left = () =>
        processesMarked(`LC_EXECUTOR=${home.path}`).filter(
          ({ command }) => command.startsWith(process.execPath) && command.includes('prowls.js'),
        );
      // Of a Junctor on this machine that is no more.
      await expect.poll(() => cluster.count).toEqual({ ...EMPTY, pods: 1 });
      for (const [executor, hosts] of Object.entries({ sidecar: 1, k8s: 2 })) {
        const [one, two] = [await sessionOn(home, hub, executor), await sessionOn(home, hub, executor, 'cursor')];
        const places = await placesOf([one, two], 'prowler');
        expect(distinct(places.map(({ life }) => life))).toBe(2);
        expect(distinct(places.map(({ hostname }) => hostname))).toBe(hosts);
        expect(places[0]?.hostname).toMatch(executor === 'sidecar' ? 'agent-1' : /^junctor-prowler-/);
        expect(await one.call('prowler_variable', { given: 'TOKEN' })).toBe(SECRET);
        expect(places[0]?.words).toEqual(ODD);
        expect(processesShowing(SECRET)).toEqual([]);
        const running = left().map(({ pid }) => pid);
        await one.end();
        await expect
          .poll(async () => {
            // What is used is not ended.
            expect((await placesOf([two], 'prowler'))[0]?.life).toBe(places[1]?.life);
            return running.filter(isRunning).length;
          })
          .toBe(1);
        await two.end();
        await expect.poll(left, { timeout: 45_000 }).toEqual([]);
        await expect.poll(() => cluster.count).toEqual({ ...EMPTY, pods: 1 });
      }
      const again = await Promise.all(['sidecar', 'k8s'].map(executor => sessionOn(home, hub, executor)));
      await placesOf(again, 'prowler');
      expect(left()).toHaveLength(2);
      hub.process.kill('SIGKILL');
      await expect.poll(left).toEqual([]);
      await expect.poll(() => cluster.count).toEqual({ ...EMPTY, pods: 1 });
    },
  );

  test('what is wrong there is told with what to do, and leaves nothing behind', async () => {
    await using home = await makeHome();
    await using cluster = await Cluster.start({ images: IMAGES, forbidden: ['closed'] });
    await using locked = await Cluster.start({ locked: true });
    const kubeconfig = await home.write('kubeconfig', cluster.kubeconfig);
    cluster.create('team', 'pods', agentPod('agent-1'));
    const there = { kubeconfig, namespace: 'team', pod: 'agent-1' };
    const expected: Record<string, [object, RegExp]> = {
      context: [{ ...there, context: 'other' }, /does not know the context 'other'.*kubectl config get-contexts/s],
      closed: [{ ...there, namespace: 'closed' }, /does not let you do that.*ask for the rights/s],
      locked: [{ ...there, kubeconfig: await home.write('locked', locked.kubeconfig) }, /does not know you.*sign in/s],
      gone: [{ ...there, pod: 'agent-2' }, /no pod 'agent-2'.*kubectl get pods --namespace team/s],
      container: [{ ...there, container: 'nothing' }, /no container 'nothing'.*mend k8s.container/s],
      folder: [{ ...there, cwd: '/no/such/folder' }, /no folder \/no\/such\/folder in pod 'agent-1'/],
      image: [{ kubeconfig, namespace: 'team', image: 'missing:1' }, /cannot get the image 'missing:1'.*push it/s],
      neither: [{ kubeconfig }, /neither a pod to start servers in, nor an image/],
    };
    const executors = Object.fromEntries(Object.entries(expected).map(([name, [k8s]]) => [name, { k8s }]));
    await using hub = await startHub(home, {
      version: 1,
      startup: { connect: 'lazy' },
      servers: { prowler: prowler() },
      executors,
    });
    for (const [executor, [, reason]] of Object.entries(expected)) {
      expect(await refusalOn(home, hub, executor, 'prowler')).toMatch(reason);
    }
    await expect.poll(() => cluster.count).toEqual({ ...EMPTY, pods: 1 });
  });

  test('inside the cluster a Service is reached by its name', async ({ skip }) => {
    if (!hasBubblewrap()) skip('names of the cluster lead somewhere only in a sandbox; apt-get install -y bubblewrap');
    await using home = await makeHome();
    await using cluster = await Cluster.start({ images: IMAGES });
    const port = await runService(cluster, 'team', 'notes');
    const servers = { notes: trusted({ transport: 'http', url: `http://notes:${port}/mcp` }) };
    const config = { servers, executors: { k8s: { k8s: { namespace: 'team' } } } };
    const names = await home.write('hosts', '127.0.0.1 localhost notes.team.svc\n');
    const script = `
      import { createHost } from '@junctor/core';
      await using host = await createHost({ config: ${JSON.stringify(config)}, executor: 'k8s', attempts: 1 });
      console.log((await host.call('mcp__notes__place', {})).output);`;
    const inside = [
      '--bind',
      '/',
      '/',
      '--dev-bind',
      '/dev',
      '/dev',
      '--ro-bind',
      names,
      '/etc/hosts',
      '--chdir',
      ROOT,
    ];
    const node = [process.execPath, '--input-type=module', '--conditions=junctor-source', '-e', script];
    const env = { ...home.env, KUBERNETES_SERVICE_HOST: '10.0.0.1' };
    const { stdout, stderr } = spawnSync('bwrap', [...inside, ...node], { env, encoding: 'utf8' });
    expect(JSON.parse(stdout || stderr).hostname).toBe('notes-pod');
  });
});

/** A server that somebody runs there, as a Service with the port of its pod. */
async function runService(cluster: Cluster, namespace: string, name: string): Promise<number> {
  const port = await quietPort();
  const { command, args } = misbehaving('prowls');
  const metadata = { name: `${name}-pod`, labels: { app: name } };
  const container = {
    name,
    image: 'tools:1',
    command: [command, ...args],
    env: [{ name: 'PORT', value: String(port) }],
    ports: [{ containerPort: port }],
    readinessProbe: { tcpSocket: { port } },
  };
  cluster.create(namespace, 'pods', { apiVersion: 'v1', kind: 'Pod', metadata, spec: { containers: [container] } });
  const spec = { selector: metadata.labels, ports: [{ port, targetPort: port, protocol: 'TCP' }] };
  cluster.create(namespace, 'services', { apiVersion: 'v1', kind: 'Service', metadata: { name }, spec });
  await expect.poll(() => cluster.isReady(namespace, metadata.name)).toBe(true);
  return port;
}

function processesShowing(text: string): string[] {
  return readdirSync('/proc').flatMap(entry => {
    try {
      const line = /^\d+$/.test(entry) ? readFileSync(join('/proc', entry, 'cmdline'), 'latin1') : '';
      return line.includes(text) ? [line] : [];
    } catch {
      return [];
    }
  });
}
