/** A task of the hub as each era writes it. Pure. */
import { type EraName, isObject, META } from '@junctor/core/internal';
import type { HubTask } from './hub-task.ts';

/** What a client gets in the place of a result. */
export function ticketFor(era: EraName, task: HubTask): object {
  return era === 'legacy' ? { task: legacyTask(task) } : { resultType: 'task', ...modernTask(task) };
}

export function legacyTask(task: HubTask): object {
  const { id, createdAt, updatedAt, ttlMs, pollIntervalMs, statusMessage } = task;
  // In the older era a tool that reports an error is a failed task.
  const failed = task.outcome && isObject(task.outcome.result) && task.outcome.result.isError === true;
  return {
    taskId: id,
    status: failed ? 'failed' : task.status,
    ...(statusMessage === undefined ? {} : { statusMessage }),
    createdAt: createdAt.toISOString(),
    lastUpdatedAt: updatedAt.toISOString(),
    ttl: ttlMs,
    pollInterval: pollIntervalMs,
  };
}

export function modernTask(task: HubTask): object {
  const { id, status, createdAt, updatedAt, ttlMs, pollIntervalMs, statusMessage } = task;
  return {
    taskId: id,
    status,
    ...(statusMessage === undefined ? {} : { statusMessage }),
    createdAt: createdAt.toISOString(),
    lastUpdatedAt: updatedAt.toISOString(),
    ttlMs,
    pollIntervalMs,
  };
}

/** With what belongs to its status: its questions, its result or its error. */
export function detailedTask(task: HubTask): object {
  const { status, outcome } = task;
  return {
    ...modernTask(task),
    ...(status === 'input_required' ? { inputRequests: task.questions } : {}),
    ...(outcome?.result === undefined ? {} : { result: outcome.result }),
    ...(outcome?.error === undefined ? {} : { error: outcome.error }),
  };
}

/** The result of the older era names the task it belongs to. */
export function relatedResult({ id, outcome }: HubTask): object {
  const result = isObject(outcome?.result) ? outcome.result : {};
  const meta = isObject(result._meta) ? result._meta : {};
  return { ...result, _meta: { ...meta, [META.relatedTask]: { taskId: id } } };
}
