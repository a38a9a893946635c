/**
 * A call that the server runs as a task: it answers with a ticket at once, is asked now and then how far it is, and hands
 * the result out at the end. Up to 2025-11-25 the client asks for that, and fetches the result with a request of its own;
 * in the 2026-07-28 era (extension io.modelcontextprotocol/tasks) the server decides, and its last state holds the result.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { isJunctorError, JunctorError } from '../../base/error.ts';
import { RPC_CODE } from '../../base/rpc-code.ts';
import { monotonicMs } from '../../base/time/monotonic.ts';
import type { Asker } from '../client-features/answers.ts';
import { answerInputs, type InputsAsked } from '../client-features/inputs.ts';
import type { Patience } from '../rpc/conversation.ts';
import { cancelled, serverError, timedOut } from '../rpc/failures.ts';
import type { RequestOptions } from '../rpc/request.ts';
import type { Greeting } from './handshake.ts';
import { isTaskResult, pollMs, readTask, type Task, takesCancel } from './task.ts';

/** What following a task needs of a link. */
export interface TaskRoom {
  readonly server: string;
  readonly greeting: Greeting;
  /** Who answers what the server wants to know. */
  readonly asked: InputsAsked;
  /** How long the call may take in all. */
  readonly patience: Patience;
  /** Aborted when the link ends. */
  readonly ended: AbortSignal;
  /** Reports each state that the server tells of the task; the first one says that the call has become one. */
  readonly onState?: ((task: Task) => void) | undefined;
  request(method: string, params: object, options: RequestOptions, patience?: Patience): Promise<unknown>;
}

/** How long a server should keep a task for us: somewhat longer than we wait for it, but no longer than a day. */
const TTL_MARGIN_MS = 60_000;
const LONGEST_TTL_MS = 24 * 60 * 60_000;

/** Calls a tool in the way its server runs tasks, and waits for the result. In the newer era the server may answer at once. */
export async function callAsTask(room: TaskRoom, params: object, options: RequestOptions): Promise<unknown> {
  const { server, patience } = room;
  if (room.greeting.era === 'modern') {
    const result = await room.request('tools/call', params, options, patience);
    return isTaskResult(result, 'modern') ? followTask(room, result, options) : result;
  }
  const { signal, onProgress } = options;
  const task = { ttl: Math.min(patience.totalMs + TTL_MARGIN_MS, LONGEST_TTL_MS) };
  // Without the signal: a task that is created just as its caller gives up has to be cancelled, and for that be known.
  const created = room.request('tools/call', { ...params, task }, { onProgress }, patience);
  if (signal) await firstOf(signal, created);
  if (signal?.aborted) {
    void created.then(ticket => endTask(room, readTask(ticket, server).taskId)).catch(() => {});
    throw cancelled(server, 'tools/call', signal.reason);
  }
  const result = await created;
  // A server may answer at once all the same.
  return isTaskResult(result, 'legacy') ? followTask(room, result, options) : result;
}

/** Waits for the result of a task. Whoever gives up waiting cancels it. */
export async function followTask(room: TaskRoom, ticket: unknown, options: RequestOptions): Promise<unknown> {
  const task = readTask(ticket, room.server);
  try {
    return await lookUntilDone(room, task, options);
  } catch (error) {
    if (error instanceof TaskEnded) throw error.because;
    if (isJunctorError(error) && isOutOfReach(error)) throw lostSight(room.server, error);
    // Whatever else went wrong, the task may run on for nobody.
    await endTask(room, task.taskId);
    throw error;
  }
}

function isOutOfReach({ code, unsent }: JunctorError): boolean {
  return unsent || code === 'session_expired' || code === 'connection_failed' || code === 'connection_lost';
}

/** Only the question about the task was not sent; the call was. It must not look as if it could be sent again. */
function lostSight(server: string, cause: JunctorError): JunctorError {
  if (cause.code === 'connection_lost' && !cause.unsent) return cause;
  return new JunctorError('connection_lost', `Server '${server}' can no longer be asked about the call it runs.`, {
    server,
    why: cause.message,
    hint: 'see whether it has done its work before you call again',
    cause,
  });
}

async function lookUntilDone(room: TaskRoom, first: Task, options: RequestOptions): Promise<unknown> {
  const { server, ended, patience, greeting } = room;
  const { signal, onProgress } = options;
  const stop = signal ? AbortSignal.any([signal, ended]) : ended;
  const since = monotonicMs();
  const answered = new Set<string>();
  let told: string | undefined;
  for (let [task, look] = [first, 1]; ; look++) {
    room.onState?.(task);
    if (task.statusMessage !== undefined && task.statusMessage !== told) {
      told = task.statusMessage;
      onProgress?.({ progress: look, message: told });
    }
    if (task.status === 'input_required') {
      // The older era brings its questions as requests of their own, to whoever waits for the result.
      if (greeting.era === 'legacy') return fetchResult(room, task, signal);
      await giveInputs(room, task, answered, { server, signal: stop });
    } else if (task.status !== 'working') return outcome(room, task, signal);
    const tookMs = monotonicMs() - since;
    if (tookMs > patience.totalMs) throw timedOut(server, 'tools/call', patience, tookMs);
    await sleep(pollMs(task), undefined, { signal: stop }).catch(() => {});
    if (signal?.aborted) throw cancelled(server, 'tools/call', signal.reason);
    task = readTask(await room.request('tasks/get', { taskId: task.taskId }, { signal }), server, task.taskId);
  }
}

/** The task ended by itself, well or not: there is nothing left to cancel. */
class TaskEnded extends Error {
  readonly because: unknown;

  constructor(because: unknown) {
    super('the task has ended');
    this.because = because;
  }
}

async function outcome(room: TaskRoom, task: Task, signal: AbortSignal | undefined): Promise<unknown> {
  const { server, greeting } = room;
  const { status, statusMessage } = task;
  if (status === 'cancelled') {
    const why = statusMessage === undefined ? {} : { why: statusMessage };
    throw new TaskEnded(new JunctorError('cancelled', `Server '${server}' cancelled the call.`, { server, ...why }));
  }
  if (greeting.era === 'legacy') {
    return fetchResult(room, task, signal).catch(error => {
      // A task that failed need not have a result that says so.
      const said = status === 'failed' && statusMessage !== undefined;
      throw new TaskEnded(said ? failed(server, { code: RPC_CODE.internal, message: statusMessage }) : error);
    });
  }
  if (status === 'completed') return task.result;
  throw new TaskEnded(
    failed(server, task.error ?? { code: RPC_CODE.internal, message: statusMessage ?? 'the task failed' }),
  );
}

function failed(server: string, error: { readonly code: number; readonly message: string }): JunctorError {
  return serverError(server, 'tools/call', error);
}

/** Comes back when the task is done, however long that takes. */
function fetchResult(room: TaskRoom, { taskId }: Task, signal: AbortSignal | undefined): Promise<unknown> {
  const { totalMs } = room.patience;
  return room.request('tasks/result', { taskId }, { signal }, { idleMs: totalMs, totalMs });
}

/** Each question is answered once, also where the server still shows it because it has not read the answer yet. */
async function giveInputs(room: TaskRoom, task: Task, answered: Set<string>, asker: Asker): Promise<void> {
  const fresh = Object.entries(task.inputRequests ?? {}).filter(([key]) => !answered.has(key));
  if (fresh.length === 0) return;
  for (const [key] of fresh) answered.add(key);
  const inputResponses = await answerInputs(Object.fromEntries(fresh), room.asked, asker.signal);
  await room.request('tasks/update', { taskId: task.taskId, inputResponses }, { signal: asker.signal });
}

/** How long a server may take to say that it heard; whoever cancelled is not kept longer. */
const CANCEL_MS = 1000;

/** Best effort: the caller has an error already. */
async function endTask(room: TaskRoom, taskId: string): Promise<void> {
  if (!takesCancel(room.greeting)) return;
  await room.request('tasks/cancel', { taskId }, {}, { idleMs: CANCEL_MS, totalMs: CANCEL_MS }).catch(() => {});
}

/** Settles when the signal is aborted or the work is done, whichever comes first. */
function firstOf(signal: AbortSignal, work: Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const done = (): void => {
    signal.removeEventListener('abort', done);
    resolve();
  };
  if (signal.aborted) done();
  else signal.addEventListener('abort', done);
  work.then(done, done);
  return promise;
}
