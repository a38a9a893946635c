/** Tasks as the extension of 2026-07-28 has them: the server decides, and the result comes with tasks/get. */
import { CODE, type Params, RpcError, record } from '../../rpc.ts';
import type { Task } from '../../tasks/task.ts';
import { POLL_INTERVAL_MS, type Tasks } from '../../tasks/tasks.ts';

export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

const REQUIRED = { extensions: { [TASKS_EXTENSION]: {} } };

export function knowsTasks(capabilities: Params): boolean {
  return record(capabilities.extensions)[TASKS_EXTENSION] !== undefined;
}

export function requireTasks(capabilities: Params): void {
  if (knowsTasks(capabilities)) return;
  throw new RpcError(CODE.missingCapability, `This needs the extension ${TASKS_EXTENSION}.`, {
    data: { requiredCapabilities: REQUIRED },
    status: 400,
  });
}

/** A task as the call that started it returns it. */
export function modernTask(task: Task): object {
  return {
    taskId: task.id,
    status: task.status,
    createdAt: task.createdAt.toISOString(),
    lastUpdatedAt: task.updatedAt.toISOString(),
    ttlMs: task.ttlMs,
    pollIntervalMs: POLL_INTERVAL_MS,
  };
}

/** A task with what belongs to its status: its questions, its result or its error. */
export function detailedTask(task: Task): object {
  return {
    ...modernTask(task),
    ...(task.status === 'input_required' ? { inputRequests: task.questions } : {}),
    ...(task.result ? { result: task.result } : {}),
    ...(task.error ? { error: task.error } : {}),
  };
}

/** Undefined for a method that is not about tasks. */
export function answerModernTasks(
  method: string,
  params: Params,
  { tasks, capabilities }: { readonly tasks: Tasks; readonly capabilities: Params },
): object | undefined {
  if (method !== 'tasks/get' && method !== 'tasks/update' && method !== 'tasks/cancel') return undefined;
  requireTasks(capabilities);
  const task = tasks.get(params.taskId);
  if (method === 'tasks/get') return detailedTask(task);
  if (method === 'tasks/cancel') task.cancel();
  else task.answer(record(params.inputResponses));
  return {};
}
