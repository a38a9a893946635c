/** Programs that a page starts and that stay: the commands after them talk to them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface PageProgram extends AsyncDisposable {
  /** The address it prints once it can be talked to. */
  readonly url: string;
}

export async function startProgram(script: string, cwd: string, env: Record<string, string>): Promise<PageProgram> {
  // A group of its own: it ends as a whole.
  const child = spawn('sh', ['-c', script], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const over = once(child, 'close');
  const url = await new Promise<string>((resolve, reject) => {
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', chunk => {
        printed += chunk;
        const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(printed) ?? [];
        if (found !== undefined) resolve(found);
      });
    }
    child.once('close', () => reject(new Error(`it ended: ${script}\n${printed}`)));
  });
  return {
    url,
    async [Symbol.asyncDispose]() {
      process.kill(-(child.pid as number), 'SIGTERM');
      await over;
    },
  };
}
