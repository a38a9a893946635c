import { readdirSync, readFileSync } from 'node:fs';
import { createHost, type Host } from '@junctor/core';
import { type Home, makeHome, misbehaving, processesMarked, startedServer, trusted } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { hasKubectl } from '../../scripts/system-parts.mjs';
import { Cluster } from './cluster/cluster.ts';

const MISSING =
  'there is no kubectl here, or no right to make containers; to run it: apt-get install -y kubernetes-client, as root';
const canRun = (): boolean => hasKubectl() && process.getuid?.() === 0;

const SECRET = 'a-value-that-nobody-may-see-in-a-list-of-processes';
const IMAGES = { 'tools:1': { IMAGE: 'tools' } };

/** A pod as an operator makes it for one run of an agent: the agent, and beside it a container for its tools. */
const agentPod = (name: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: { containers: ['agent', 'tools'].map(container => ({ name: container, image: 'tools:1' })) },
});

async function hostIn(home: Home, cluster: Cluster, servers: object, k8s: object): Promise<Host> {
  const kubeconfig = await home.write('kubeconfig', cluster.kubeconfig);
  const surroundings = { cwd: home.project, home: home.path, env: home.env, platform: process.platform };
  const config = { servers, executors: { k8s: { k8s: { kubeconfig, namespace: 'team', ...k8s } } } };
  return createHost({ config, executor: 'k8s', data: home.data, surroundings, attempts: 1 });
}

const prowler = (mark: string) => ({ ...trusted(misbehaving('prowls')), env: { LC_PROWLER: mark, TOKEN: SECRET } });

async function ask(host: Host, tool: string, given = ''): Promise<string> {
  return (await host.call({ server: 'prowler', tool }, { given })).output;
}

describe('the executor k8s', () => {
  test('starts a server in a container of a running pod, and ends it there with all it started', async ({ skip }) => {
    if (!canRun()) skip(MISSING);
    await using home = await makeHome();
    await using cluster = await Cluster.start({ images: IMAGES });
    cluster.create('team', 'pods', agentPod('agent-1'));
    await using host = await hostIn(
      home,
      cluster,
      { prowler: prowler(home.path) },
      { pod: 'agent-1', container: 'tools' },
    );
    expect(JSON.parse(await ask(host, 'place')).hostname).toBe('agent-1');
    expect(await ask(host, 'variable', 'TOKEN')).toBe(SECRET);
    expect(commandLines().filter(line => line.includes(SECRET))).toEqual([]);
    await host.close();
    await expect.poll(() => processesMarked(`LC_PROWLER=${home.path}`)).toEqual([]);
  });

  test('gives a server a pod of its own, which is deleted with it', async ({ skip }) => {
    if (!canRun()) skip(MISSING);
    await using home = await makeHome();
    await using cluster = await Cluster.start({ images: IMAGES });
    const servers = { prowler: prowler(home.path), web: trusted(startedServer()) };
    await using host = await hostIn(home, cluster, servers, { image: 'tools:1' });
    expect(JSON.parse(await ask(host, 'place')).hostname).toMatch(/^junctor-prowler-/);
    expect(await ask(host, 'variable', 'TOKEN')).toBe(SECRET);
    expect(commandLines().filter(line => line.includes(SECRET))).toEqual([]);
    expect((await host.call({ server: 'web', tool: 'echo' }, { text: 'hello' })).output).toBe('hello');
    expect(cluster.count).toEqual({ pods: 2, services: 1, secrets: 2 });
    await host.close();
    await expect.poll(() => cluster.count).toEqual({ pods: 0, services: 0, secrets: 0 });
    await expect.poll(() => processesMarked(`LC_PROWLER=${home.path}`)).toEqual([]);
  });
});

function commandLines(): string[] {
  return readdirSync('/proc')
    .filter(entry => /^\d+$/.test(entry))
    .map(entry => {
      try {
        return readFileSync(`/proc/${entry}/cmdline`, 'latin1');
      } catch {
        return '';
      }
    });
}
