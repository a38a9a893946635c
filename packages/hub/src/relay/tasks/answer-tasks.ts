/** Answers what a client asks about tasks, at every endpoint and in both eras. No server is asked: the hub keeps its tasks. */
import type { ErrorCode } from '@junctor/core';
import { declaresTasks, isObject, RPC_CODE, readRpcError, TASKS_EXTENSION } from '@junctor/core/internal';
import type { Reply } from '../../visit/reply.ts';
import type { Visit } from '../../visit/room.ts';
import { complete } from '../../visit/stamp.ts';
import type { HubTask } from './hub-task.ts';
import type { HubTasks } from './hub-tasks.ts';
import { detailedTask, legacyTask, relatedResult } from './task-shapes.ts';

/** Whether a request is about tasks, which the hub answers itself. */
export function isAboutTasks(method: string): boolean {
  return method.startsWith('tasks/');
}

type Handler = (visit: Visit, task: HubTask) => void | Promise<void>;

const LEGACY: Readonly<Record<string, Handler>> = {
  'tasks/get': ({ reply }, task) => reply.result(JSON.stringify(legacyTask(task))),
  'tasks/result': (visit, task) => sendResult(visit, task),
  'tasks/cancel': ({ reply }, task) => {
    if (task.isOver) return reply.error(RPC_CODE.invalidParams, `The task is over already: it is ${task.status}`);
    task.cancel(CANCELLED);
    reply.result(JSON.stringify(legacyTask(task)));
  },
};

const MODERN: Readonly<Record<string, Handler>> = {
  'tasks/get': ({ request, reply }, task) => reply.result(complete(request.method, detailedTask(task))),
  'tasks/update': ({ request, reply }, task) => {
    const { inputResponses } = request.params;
    if (!isObject(inputResponses)) return reply.error(RPC_CODE.invalidParams, 'The inputResponses must be an object');
    task.answer(inputResponses);
    reply.result(complete(request.method, {}));
  },
  // A task that is over stays as it is: the answer is the same.
  'tasks/cancel': ({ request, reply }, task) => {
    task.cancel(CANCELLED);
    reply.result(complete(request.method, {}));
  },
};

export function answerTasks(tasks: HubTasks, visit: Visit): void | Promise<void> {
  const { request, reply, caller } = visit;
  const { method, params } = request;
  if (caller.era === 'legacy' && method === 'tasks/list')
    return reply.result(JSON.stringify({ tasks: tasks.list(caller).map(legacyTask) }));
  const handlers = caller.era === 'legacy' ? LEGACY : MODERN;
  const handle = Object.hasOwn(handlers, method) ? handlers[method] : undefined;
  if (!handle) return reply.error(RPC_CODE.methodNotFound, `Method not found: ${method}`);
  if (refusesTasks(visit)) return;
  const task = tasks.find(params.taskId, caller);
  // A task of another owner gets the same answer as one that does not exist.
  if (!task) return refuseUnknown(reply, params.taskId, tasks.isOfEarlierRun(params.taskId));
  return handle(visit, task);
}

/** A client of the newer era that has not declared tasks is told so. */
export function refusesTasks({
  request: { method },
  reply,
  caller,
}: Pick<Visit, 'request' | 'reply' | 'caller'>): boolean {
  if (caller.era === 'legacy' || declaresTasks(caller.capabilities)) return false;
  const requiredCapabilities = { extensions: { [TASKS_EXTENSION]: {} } };
  reply.error(RPC_CODE.missingCapability, `${method} needs the extension ${TASKS_EXTENSION}`, { requiredCapabilities });
  return true;
}

function refuseUnknown(reply: Reply, id: unknown, isOfEarlierRun: boolean): void {
  if (!isOfEarlierRun) return reply.error(RPC_CODE.invalidParams, `Unknown task: ${id}`);
  reply.error(RPC_CODE.invalidParams, `The task ${id} is gone: the hub was restarted since it began.`, {
    code: 'task_gone' satisfies ErrorCode,
    why: 'a hub keeps tasks in memory; whether the call did its work is not known',
    hint: 'see what it did, then call the tool again',
  });
}

/** Waits until the task is over; what its server wants to know meanwhile is asked on the stream of this request. */
async function sendResult({ reply, flight, caller }: Visit, task: HubTask): Promise<void> {
  if (!task.isOver) {
    const gone = new AbortController();
    flight.server = task.server;
    flight.sent(reason => gone.abort(new Error(reason)));
    reply.keepOpen(() => {});
    await task.over(caller.session, gone.signal);
    await reply.released();
    if (flight.cancelled) return reply.abandon();
  }
  const { outcome } = task;
  if (!outcome) return reply.error(RPC_CODE.invalidParams, 'The task was cancelled: it has no result');
  if (outcome.error === undefined) return reply.result(JSON.stringify(relatedResult(task)));
  const { code, message, data } = readRpcError(outcome.error);
  reply.error(code, message, data);
}

const CANCELLED = 'the client cancelled the task';
