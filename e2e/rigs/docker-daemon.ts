/** A Docker of its own for one test file: its daemon, a bridge and an image, all gone afterwards. It touches no firewall. */
import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { hasDocker } from '../../scripts/system-parts.mjs';

export interface DockerDaemon extends AsyncDisposable {
  /** Where it listens on this machine. */
  readonly host: string;
  /** The same daemon, as another machine reaches it. */
  readonly address: string;
  /** How containers call the machine they run on. */
  readonly gateway: string;
  docker(...words: string[]): Promise<string>;
  /** Ids of all containers, also of those that do not run. */
  containers(): Promise<string[]>;
}

/** Has a shell and what node needs; node itself and the servers come with the workspace, as a volume. */
export const IMAGE = 'junctor-rig:1';

/** Why there is none on this machine; undefined where there is one. */
export function whyNoDocker(): string | undefined {
  if (!hasDocker()) return 'there is no dockerd here; to run it: apt-get install -y docker.io';
  return process.getuid?.() === 0 ? undefined : 'a Docker daemon of its own needs root';
}

/** `number`: 1 to 250, another one for each daemon that runs at a time. */
export async function startDocker(number: number): Promise<DockerDaemon> {
  const folder = mkdtempSync('/tmp/junctor-docker-');
  const bridge = `jct${process.pid}-${number}`.slice(0, 15);
  const gateway = `10.213.${number}.1`;
  execFileSync('ip', ['link', 'add', 'name', bridge, 'type', 'bridge']);
  execFileSync('ip', ['address', 'add', `${gateway}/24`, 'dev', bridge]);
  execFileSync('ip', ['link', 'set', bridge, 'up']);
  const host = `unix://${folder}/docker.sock`;
  const address = `tcp://${gateway}:2375`;
  const words = ['--data-root', `${folder}/data`, '--exec-root', `${folder}/exec`, '--pidfile', `${folder}/pid`];
  const network = [
    '--bridge',
    bridge,
    '--iptables=false',
    '--ip6tables=false',
    '--ip-masq=false',
    '--ip-forward=false',
  ];
  const { LC_JUNCTOR_TEST: _mark, ...env } = process.env;
  const daemon = spawn('dockerd', [...words, ...network, '--host', host, '--host', address, '--tls=false'], {
    stdio: 'ignore',
    // On a busy machine it asks its containerd what it is doing, which is written there.
    env: { ...env, TMPDIR: folder },
  });
  const run = promisify(execFile);
  const docker = async (...args: string[]): Promise<string> =>
    (await run('docker', ['--host', host, ...args], { env: { PATH: process.env.PATH } })).stdout.trim();
  const until = Date.now() + 30_000;
  while (spawnSync('docker', ['--host', host, 'version']).status !== 0) {
    if (Date.now() > until || daemon.exitCode !== null) throw new Error('dockerd did not start');
    await new Promise(resolve => setTimeout(resolve, 100));
  }
  await importImage(docker, folder);
  return {
    host,
    address,
    gateway,
    docker,
    containers: async () => (await docker('ps', '-aq')).split('\n').filter(Boolean),
    async [Symbol.asyncDispose]() {
      const left = (await docker('ps', '-aq')).split('\n').filter(Boolean);
      if (left.length > 0) await docker('rm', '--force', ...left);
      daemon.kill('SIGTERM');
      await once(daemon, 'exit');
      execFileSync('ip', ['link', 'delete', bridge]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const PROGRAMS = ['/bin/sh', '/bin/grep', '/bin/sleep'];

async function importImage(docker: DockerDaemon['docker'], folder: string): Promise<void> {
  const root = join(folder, 'root');
  for (const file of [...PROGRAMS, ...librariesOf(process.execPath), ...PROGRAMS.flatMap(librariesOf)]) {
    mkdirSync(join(root, dirname(file)), { recursive: true });
    if (!existsSync(join(root, file))) copyFileSync(file, join(root, file));
  }
  for (const name of ['tmp', 'proc', 'etc']) mkdirSync(join(root, name), { recursive: true });
  if (!existsSync(join(root, 'usr'))) symlinkSync('.', join(root, 'usr'));
  execFileSync('tar', ['-C', root, '-cf', join(folder, 'root.tar'), '.']);
  await docker('import', join(folder, 'root.tar'), IMAGE);
  rmSync(root, { recursive: true });
}

function librariesOf(program: string): string[] {
  return [...execFileSync('ldd', [program], { encoding: 'utf8' }).matchAll(/(\/\S+) \(0x/g)].map(
    ([, file]) => file as string,
  );
}
