import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Home } from './home.ts';
import { JUNCTOR } from './root.ts';

export interface RunningHub extends AsyncDisposable {
  readonly url: string;
  readonly token: string;
  readonly pid: number;
  readonly process: ChildProcess;
  /** A request to the hub, with the person token unless another is given. */
  fetch(path: string, init?: RequestInit & { token?: string | undefined }): Promise<Response>;
  stderr(): string;
  /** Sends SIGTERM, once: a second one would end a hub that is still closing before it has written its records. */
  terminate(): void;
}

export const HUB_TOKEN = 'jct_a-token-that-only-tests-use-0123456789abc';

/** Starts the built hub on a free port, as a process of its own. */
export async function startHub(home: Home, config: object, args: readonly string[] = []): Promise<RunningHub> {
  const file = await home.write('hub.json', config);
  return startHubIn(home, home.project, ['--config', file, '--isolated', ...args]);
}

/** The same with the config files of a folder and of the person. */
export async function startHubIn(home: Home, folder: string, args: readonly string[] = []): Promise<RunningHub> {
  const words = [JUNCTOR, 'hub', '--json', '--data', home.data, '--port', '0', ...args];
  const child = spawn(process.execPath, words, {
    cwd: folder,
    env: { ...home.env, JUNCTOR_HUB_TOKEN: HUB_TOKEN },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', chunk => {
    complaints += chunk;
  });
  const { url } = await announcement(child, () => complaints);
  let terminated = false;
  const terminate = (): void => {
    if (!terminated) child.kill('SIGTERM');
    terminated = true;
  };
  return {
    url,
    token: HUB_TOKEN,
    pid: child.pid as number,
    process: child,
    stderr: () => complaints,
    terminate,
    fetch(path, { token = HUB_TOKEN, ...init } = {}) {
      const headers = new Headers(init.headers);
      if (token) headers.set('authorization', `Bearer ${token}`);
      return fetch(`${url}${path}`, { ...init, headers });
    },
    async [Symbol.asyncDispose]() {
      const alive = child.exitCode === null && child.signalCode === null;
      if (alive) {
        terminate();
        await once(child, 'exit');
      }
      // A hub that failed explains the failure of a test better than what the test saw of it.
      if (!alive && child.exitCode)
        throw new Error(`the hub ended by itself with code ${child.exitCode}: ${complaints}`);
      if (complaints.includes('unexpected error')) throw new Error(`the hub reported a defect: ${complaints}`);
    },
  };
}

function announcement(child: ChildProcess, complaints: () => string): Promise<{ url: string }> {
  return new Promise((resolve, reject) => {
    let printed = '';
    child.stdout?.setEncoding('utf8').on('data', chunk => {
      printed += chunk;
      // The document is complete once its own brace closes; what follows it is not ours to read.
      if (!/^}\s*$/m.test(printed)) return;
      const said = JSON.parse(printed);
      if (typeof said.url === 'string') resolve(said);
      else reject(new Error(`the hub did not start: ${printed}`));
    });
    // Closed, not only ended: then all it complained of is here.
    child.once('close', code => reject(new Error(`the hub ended with code ${code}: ${complaints()}`)));
  });
}
