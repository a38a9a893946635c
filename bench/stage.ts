/**
 * Where contestants run: every process the bench starts and every directory it makes, so that all of it is ended and
 * removed, also when a person interrupts.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { end, processesAtHome, treeOf } from './process-tree.ts';

export interface StartOptions {
  /** A home directory of its own. What still carries it in the end is a daemon, and is ended too. */
  readonly home?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export class Stage implements AsyncDisposable {
  readonly #root = mkdtempSync(join(tmpdir(), 'junctor-bench-'));
  readonly #temporary = mkdtempSync(join(this.#root, 'tmp-'));
  readonly #running = new Map<ChildProcess, string>();
  #closing: Promise<void> | undefined;

  /** Starts a program with its stdout and stderr as pipes. */
  start(argv: readonly string[], options: StartOptions = {}): ChildProcess {
    // A workload goes on for a moment after an interrupt; what it started then would be left behind.
    if (this.#closing) throw new Error('the bench is ending');
    const [command = '', ...args] = argv;
    const home = options.home ?? this.#root;
    const env = { ...this.environment(home), ...options.env };
    const child = spawn(command, args, { env, cwd: home, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#running.set(child, home);
    child.on('error', () => this.#running.delete(child)); // could not be started; `close` is still announced
    return child;
  }

  async end(child: ChildProcess): Promise<void> {
    const home = this.#running.get(child);
    this.#running.delete(child);
    if (home === undefined) return;
    // The id of a process that was collected may belong to a stranger by now.
    const collected = child.exitCode !== null || child.signalCode !== null;
    const tree = collected || child.pid === undefined ? [] : treeOf(child.pid);
    await end([...tree, ...(home === this.#root ? [] : processesAtHome(home))]);
  }

  newHome(): string {
    return mkdtempSync(join(this.#root, 'home-'));
  }

  /** Nothing of the person's own files, and caches where they are removed with the rest. */
  environment(home: string): Record<string, string | undefined> {
    const places = { HOME: home, XDG_CONFIG_HOME: home, XDG_DATA_HOME: home, XDG_RUNTIME_DIR: home };
    const unset = {
      NODE_OPTIONS: undefined,
      JUNCTOR_TOKEN: undefined,
      JUNCTOR_HUB_TOKEN: undefined,
      JUNCTOR_DATA: undefined,
    };
    return { ...process.env, ...places, ...unset, TMPDIR: this.#temporary, NODE_ENV: 'production' };
  }

  /** May be called twice: the second call waits for the first. */
  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #end(): Promise<void> {
    await Promise.all([...this.#running.keys()].map(child => this.end(child)));
    rmSync(this.#root, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  }
}

/** A port that was free a moment ago, for programs that want to be told one. */
export async function freePort(): Promise<number> {
  const server = createServer();
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('no port on loopback');
  return address.port;
}
