/** Tasks as both eras write them: tickets, states, and what a server says it can do with them. Pure. */
import { JunctorError } from '../../base/error.ts';
import { isObject } from '../../base/json/is-object.ts';
import type { InputRequests } from '../client-features/inputs.ts';
import type { EraName } from './envelope.ts';
import type { Greeting } from './handshake.ts';

/** The extension that has tasks in the 2026-07-28 era. */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

export interface Task {
  readonly taskId: string;
  readonly status: 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';
  readonly statusMessage?: string;
  /** Milliseconds, as written up to 2025-11-25. */
  readonly pollInterval?: number;
  readonly pollIntervalMs?: number;
  /** The rest comes in the 2026-07-28 era only. */
  readonly inputRequests?: InputRequests;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

/** Whether a call came back with a ticket instead of a result. */
export function isTaskResult(result: unknown, era: EraName): boolean {
  const { resultType, task } = (result ?? {}) as { resultType?: unknown; task?: { taskId?: unknown } };
  return era === 'modern' ? resultType === 'task' : typeof task?.taskId === 'string';
}

/** `required`: the tool runs as a task and in no other way, so that the call has to ask for one. Undefined: never as one. */
export type TaskSupport = 'required' | 'optional' | undefined;

/** What a server of the older era lists about a tool. */
export function taskSupportOf(tool: object): TaskSupport {
  const { taskSupport } = ((tool as { execution?: unknown }).execution ?? {}) as { taskSupport?: unknown };
  return taskSupport === 'required' || taskSupport === 'optional' ? taskSupport : undefined;
}

/** Whether calls may ask this server for a task. In the 2026-07-28 era nobody asks: the server decides. */
export function takesTasks({ era, capabilities }: Greeting): boolean {
  const { requests } = (capabilities.tasks ?? {}) as { requests?: { tools?: { call?: unknown } } };
  return era === 'legacy' && requests?.tools?.call !== undefined;
}

/** Whether these capabilities, of a client or a server, name the tasks of the 2026-07-28 era. */
export function declaresTasks({ extensions }: Readonly<Record<string, unknown>>): boolean {
  return isObject(extensions) && isObject(extensions[TASKS_EXTENSION]);
}

/** Whether this server may run calls as tasks, in the way of its era. */
export function hasTasks(greeting: Greeting): boolean {
  return greeting.era === 'modern' ? declaresTasks(greeting.capabilities) : takesTasks(greeting);
}

export function takesCancel({ era, capabilities }: Greeting): boolean {
  return era === 'modern' || (capabilities.tasks as { cancel?: unknown } | undefined)?.cancel !== undefined;
}

/** The ticket of a task, or a later state of the one that is expected. */
export function readTask(answer: unknown, server: string, expected?: string): Task {
  const given = (answer ?? {}) as Partial<Task> & { task?: Partial<Task> };
  const task = given.taskId === undefined && given.task ? given.task : given;
  if (typeof task.taskId === 'string' && typeof task.status === 'string' && (expected ?? task.taskId) === task.taskId) {
    return task as Task;
  }
  throw new JunctorError('malformed_response', `Server '${server}' said nothing sensible about a task it runs.`, {
    server,
    why: 'its answer has no taskId and status, or those of another task',
    hint: 'report it to the author of the server',
  });
}

/** A server that proposes no pause gets the usual one; none is asked more often than the shortest, nor less than the longest. */
const SHORTEST_POLL_MS = 100;
const USUAL_POLL_MS = 1000;
const LONGEST_POLL_MS = 30_000;

export function pollMs({ pollIntervalMs, pollInterval }: Task): number {
  const wanted = pollIntervalMs ?? pollInterval;
  if (typeof wanted !== 'number' || !Number.isFinite(wanted)) return USUAL_POLL_MS;
  return Math.min(Math.max(wanted, SHORTEST_POLL_MS), LONGEST_POLL_MS);
}
