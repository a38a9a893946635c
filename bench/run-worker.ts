/** Runs one measurement in a process of its own, and gives its numbers. */
import type { Library, Upstream } from './contestants/contestant.ts';
import { PROGRAMS } from './programs.ts';
import type { Values } from './samples.ts';
import type { Stage } from './stage.ts';
import { ANSWER_MARK, type Job, type Task } from './task.ts';

/** The slowest honest answer takes some 3 s; peers that choke on 100 MB never come back. */
const WORKER_TIMEOUT_MS = 45_000;

export function measureLibrary(
  stage: Stage,
  library: Library,
  upstreams: readonly Upstream[],
  job: Job,
): Promise<Values> {
  return runWorker(stage, { target: { kind: 'library', library: library.name, upstreams }, job });
}

/** `wallMs` is added: from the start of the process to its answer. */
export async function runWorker(stage: Stage, task: Task): Promise<Values> {
  // Peers are imported from a directory that is not the bench's, and Node asks for a flag to resolve from there.
  const flags = process.env.PEERS_DIR ? ['--experimental-import-meta-resolve'] : [];
  const started = performance.now();
  const child = stage.start([process.execPath, ...flags, PROGRAMS.worker, JSON.stringify(task)]);
  const ended = Promise.withResolvers<void>();
  child.on('close', () => ended.resolve());
  child.on('error', error => ended.reject(error));
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    void stage.end(child);
  }, WORKER_TIMEOUT_MS);

  let printed = '';
  let complaint = '';
  let values: Values | undefined;
  child.stdout?.on('data', chunk => {
    if (values) return;
    printed += chunk;
    const answer = new RegExp(`^${ANSWER_MARK}(.*)\n`, 'm').exec(printed)?.[1];
    if (answer) values = { ...(JSON.parse(answer) as Values), wallMs: performance.now() - started };
  });
  child.stderr?.on('data', chunk => {
    complaint += complaint.length < 5000 ? chunk : '';
  });
  await ended.promise;
  clearTimeout(timer);
  await stage.end(child);
  if (values) return values;
  if (timedOut) throw new Error(`no answer within ${WORKER_TIMEOUT_MS / 1000} s`);
  throw new Error(firstError(complaint) || 'the worker ended without an answer');
}

/** The line that says what went wrong, among the source lines and stack that Node prints around it. */
function firstError(complaint: string): string {
  const lines = complaint.split('\n').map(line => line.trim());
  return (
    lines.find(line => /^\w*(Error|Exception)( \[\w+\])?: /.test(line)) ?? lines.filter(Boolean).slice(0, 3).join(' | ')
  );
}
