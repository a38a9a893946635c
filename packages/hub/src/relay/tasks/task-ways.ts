/** How a call runs at a server that knows tasks: as it came, as a task of its client, or as a task that the hub follows for it. */
import {
  declaresTasks,
  type Frame,
  isObject,
  type Link,
  RPC_CODE,
  shortFrame,
  TASKS_EXTENSION,
} from '@junctor/core/internal';
import { readAnswer } from '../../visit/reply.ts';
import type { Job } from '../job.ts';

/**
 * `task`: its client gets a ticket. `followed`: its client knows no tasks, and waits for the result. `watched`: the answer may
 * be a ticket, or say that there has to be one. Undefined: it is a call like any other.
 */
export type TaskWay = 'task' | 'followed' | 'watched' | undefined;

export function taskWay(link: Link, { request, caller }: Pick<Job, 'request' | 'caller'>): TaskWay {
  const { params } = request;
  const asks = caller.era === 'legacy' && isObject(params.task);
  if (asks) return 'task';
  // In the newer era the server decides, and only its answer tells.
  if (link.greeting.era === 'modern') return 'watched';
  const support = link.taskSupport(String(params.name));
  if (support === undefined) return undefined;
  // Towards a client of the newer era the hub decides: what its server may run as a task, becomes one.
  if (caller.era === 'modern' && declaresTasks(caller.capabilities)) return 'task';
  return support === 'required' ? 'followed' : undefined;
}

/** The ticket that a server of the newer era answered with; undefined for every other answer. */
export function ticketIn(frame: Frame): object | undefined {
  if (!shortFrame(frame)?.includes('"task"')) return undefined;
  const { result } = readAnswer(frame);
  return isObject(result) && result.resultType === 'task' ? result : undefined;
}

/** Whether a server of the newer era ran nothing, because it runs this call only as a task. */
export function needsTask(frame: Frame): boolean {
  if (!shortFrame(frame)?.includes(String(RPC_CODE.missingCapability))) return false;
  const { error } = readAnswer(frame) as { error?: { code?: unknown; data?: { requiredCapabilities?: unknown } } };
  const required = error?.data?.requiredCapabilities;
  return error?.code === RPC_CODE.missingCapability && isObject(required) && onlyTasks(required);
}

/** Where the server misses more than tasks, only the client can help. */
function onlyTasks({ extensions, ...others }: Record<string, unknown>): boolean {
  if (!isObject(extensions) || Object.keys(others).length > 0) return false;
  return Object.keys(extensions).every(id => id === TASKS_EXTENSION) && Object.hasOwn(extensions, TASKS_EXTENSION);
}
