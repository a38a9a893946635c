/** Tasks as 2025-11-25 has them: the client asks for one, and fetches the result on its own. */
import { CODE, methodNotFound, type Params, RpcError, record } from '../../rpc.ts';
import type { Task } from '../../tasks/task.ts';
import { POLL_INTERVAL_MS, type Tasks } from '../../tasks/tasks.ts';
import type { TestTool } from '../../tools/tool.ts';
import type { Question, Questions } from '../question.ts';
import type { TaskWork } from '../request-context.ts';

const RELATED_TASK = 'io.modelcontextprotocol/related-task';

export const TASK_CAPABILITY = { list: {}, cancel: {}, requests: { tools: { call: {} } } };

export function taskOnTheWire(task: Task): object {
  return {
    taskId: task.id,
    status: task.status,
    createdAt: task.createdAt.toISOString(),
    lastUpdatedAt: task.updatedAt.toISOString(),
    ttl: task.ttlMs,
    pollInterval: POLL_INTERVAL_MS,
  };
}

/** Refuses a call that wants a task where there is none, or none where there must be one. */
export function checkTaskSupport({ definition, taskSupport }: TestTool, params: Params): void {
  if (params.task !== undefined && !taskSupport) {
    throw new RpcError(CODE.methodNotFound, `The tool ${definition.name} does not run in a task.`);
  }
  if (params.task === undefined && taskSupport === 'required') {
    throw new RpcError(CODE.methodNotFound, `The tool ${definition.name} only runs in a task.`);
  }
}

/** What a task asks, marked with the task it belongs to. */
export function relatedQuestions(task: Task): Questions {
  const marked = ({ method, params }: Question): Question => ({
    method,
    params: { ...params, _meta: { [RELATED_TASK]: { taskId: task.id } } },
  });
  return Object.fromEntries(Object.entries(task.questions).map(([key, question]) => [key, marked(question)]));
}

/** The tasks of one session. */
export class SessionTasks {
  readonly #tasks: Tasks;
  readonly #own = new Set<string>();

  constructor(tasks: Tasks) {
    this.#tasks = tasks;
  }

  start(work: TaskWork, { ttl }: Params): object {
    const task = this.#tasks.start(work, typeof ttl === 'number' ? ttl : undefined);
    this.#own.add(task.id);
    return { task: taskOnTheWire(task) };
  }

  owns(task: Task): boolean {
    return this.#own.has(task.id);
  }

  async answer(method: string, params: Params): Promise<object> {
    switch (method) {
      case 'tasks/get':
        return taskOnTheWire(this.#get(params));
      case 'tasks/list':
        return { tasks: this.#all().map(taskOnTheWire) };
      case 'tasks/cancel':
        return this.#cancel(this.#get(params));
      case 'tasks/result':
        return this.#result(this.#get(params));
      default:
        throw methodNotFound(method);
    }
  }

  end(): void {
    for (const task of this.#all()) task.cancel();
  }

  #all(): Task[] {
    return [...this.#own].flatMap(id => this.#tasks.find(id) ?? []);
  }

  #get({ taskId }: Params): Task {
    if (!this.#own.has(String(taskId))) throw new RpcError(CODE.invalidParams, `Unknown task: ${taskId}`);
    return this.#tasks.get(taskId);
  }

  #cancel(task: Task): object {
    if (task.isOver) throw new RpcError(CODE.invalidParams, `Task ${task.id} is over: it is ${task.status}.`);
    task.cancel();
    return taskOnTheWire(task);
  }

  async #result(task: Task): Promise<object> {
    await task.over;
    if (task.status === 'cancelled') throw new RpcError(CODE.invalidParams, `Task ${task.id} was cancelled.`);
    if (task.error) throw new RpcError(task.error.code, task.error.message);
    const result = record(task.result);
    return { ...result, _meta: { ...record(result._meta), [RELATED_TASK]: { taskId: task.id } } };
  }
}
