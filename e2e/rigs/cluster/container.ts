/**
 * A container as far as these tests need one: real processes in process, mount and host name spaces of their own, which all
 * end when its first process does. A program that is started beside the first one outlives whoever asked for it.
 */
import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface ContainerSpec {
  readonly name: string;
  readonly image: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly workingDir?: string;
  readonly stdin?: boolean;
  readonly readinessProbe?: { readonly tcpSocket: { readonly port: number } };
}

/** As every cluster does it with the command of a container. */
function filledIn(word: string, env: Readonly<Record<string, string>>): string {
  return word.replace(/\$(?:\$|\(([^)]*)\))/g, (all, name) => (name === undefined ? '$' : (env[name] ?? all)));
}

export class Container {
  readonly spec: ContainerSpec;
  readonly #env: Readonly<Record<string, string>>;
  readonly #outer: ChildProcessWithoutNullStreams;
  #exitCode: number | undefined;
  /** By its first process, on either stream. */
  printed = '';

  constructor(pod: string, spec: ContainerSpec, env: Readonly<Record<string, string>>) {
    this.spec = spec;
    this.#env = { PATH: '/usr/local/bin:/usr/bin:/bin', HOSTNAME: pod, ...env };
    const words = [...(spec.command ?? ['sleep', 'infinity']), ...(spec.args ?? [])];
    const [command = 'sleep', ...args] = words.map(word => filledIn(word, this.#env));
    const inside = ['--fork', '--pid', '--mount-proc', '--uts', '--kill-child', '--'];
    this.#outer = spawn('unshare', [...inside, 'sh', '-c', `hostname ${pod}; exec "$@"`, 'sh', command, ...args], {
      env: this.#env,
      cwd: spec.workingDir ?? '/',
      stdio: 'pipe',
      detached: true,
    });
    this.#outer.stdin.on('error', () => {});
    if (!spec.stdin) this.#outer.stdin.end();
    for (const stream of [this.#outer.stdout, this.#outer.stderr]) {
      stream.on('data', chunk => {
        this.printed += chunk;
      });
    }
    this.#outer.once('exit', code => {
      this.#exitCode = code ?? 137;
    });
  }

  get exitCode(): number | undefined {
    return this.#exitCode;
  }

  /** The first process, as whoever attaches sees it. */
  get main(): ChildProcessWithoutNullStreams {
    return this.#outer;
  }

  /** Raised once it listens where its probe looks. */
  async untilReady(): Promise<void> {
    const port = this.spec.readinessProbe?.tcpSocket.port;
    while (port !== undefined && this.#exitCode === undefined && !(await accepts(port))) await sleep(50);
  }

  /** Starts a program beside the first one. */
  async exec(command: readonly string[]): Promise<ChildProcessWithoutNullStreams> {
    const target = String(await this.#firstPid());
    const inside = ['--target', target, '--pid', '--mount', '--uts', '--wd=/', '--', ...command];
    const child = spawn('nsenter', inside, { env: this.#env, stdio: 'pipe', detached: true });
    child.stdin.on('error', () => {});
    return child;
  }

  /** Asks the first process to end, then insists; with it go all the others. */
  async end(graceMs: number): Promise<void> {
    if (this.#exitCode !== undefined) return;
    const over = once(this.#outer, 'exit');
    const pid = await this.#firstPid();
    if (pid === undefined) return;
    kill(pid, 'SIGTERM');
    await Promise.race([over, sleep(graceMs)]);
    if (this.#exitCode === undefined) kill(pid, 'SIGKILL');
    await over;
  }

  async #firstPid(): Promise<number | undefined> {
    for (let looks = 0; looks < 200 && this.#exitCode === undefined; looks++) {
      const [first] = childrenOf(this.#outer);
      if (first !== undefined) return first;
      await sleep(10);
    }
    return undefined;
  }
}

function childrenOf({ pid }: ChildProcess): number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim();
    return text === '' ? [] : text.split(' ').map(Number);
  } catch {
    return [];
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect({ host: '127.0.0.1', port });
    const answer = (yes: boolean): void => {
      socket.destroy();
      resolve(yes);
    };
    socket.once('connect', () => answer(true)).once('error', () => answer(false));
  });
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended a moment ago.
  }
}
