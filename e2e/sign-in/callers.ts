/** Many programs that call a guarded server at the same moment. */
import { fork } from 'node:child_process';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Guarded } from './guarded.ts';

const CALLER = join(import.meta.dirname, 'caller.ts');

/** What each of so many processes was answered, or how it ended. */
export async function callFromProcesses(guarded: Guarded, count: number): Promise<string[]> {
  const started = Array.from({ length: count }, (_, index) => {
    const child = fork(CALLER, argumentsOf(guarded, index), { env: guarded.home.env, execArgv: [] });
    const answers: string[] = [];
    const { promise: ready, resolve: onReady } = Promise.withResolvers<void>();
    const { promise: over, resolve: onOver } = Promise.withResolvers<string>();
    child.on('message', message => (message === 'ready' ? onReady() : answers.push(String(message))));
    // Not at its exit: what it said last may still be on its way then.
    child.on('close', code => onOver(answers.join() || `exit ${code}`));
    return { child, ready, over };
  });
  await Promise.all(started.map(({ ready, over }) => Promise.race([ready, over])));
  for (const { child } of started) if (child.connected) child.send('go');
  return Promise.all(started.map(({ over }) => over));
}

export async function callFromThreads(guarded: Guarded, count: number): Promise<string[]> {
  const workers = Array.from({ length: count }, (_, index) => {
    return new Worker(CALLER, { argv: argumentsOf(guarded, index), execArgv: [], env: guarded.home.env });
  });
  const { promise: allReady, resolve: onAllReady } = Promise.withResolvers<void>();
  let ready = 0;
  const answers = workers.map(
    worker =>
      new Promise<string>((resolve, reject) => {
        worker.on('message', message => {
          if (message !== 'ready') resolve(String(message));
          else if (++ready === count) onAllReady();
        });
        worker.on('error', reject);
      }),
  );
  try {
    await Promise.race([allReady, ...answers]);
    for (const worker of workers) worker.postMessage('go');
    return await Promise.all(answers);
  } finally {
    await Promise.all(workers.map(worker => worker.terminate()));
  }
}

function argumentsOf({ authority, home }: Guarded, index: number): string[] {
  return [authority.mcpUrl, home.data, String(index)];
}
