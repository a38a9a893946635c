/** All tasks of one running server, by id. */
import type { Notices } from '../notices.ts';
import type { TaskWork } from '../protocol/request-context.ts';
import { CODE, RpcError } from '../rpc.ts';
import { Task } from './task.ts';

/** Long enough to look at a task again after it ended; a server that runs for days must not keep them all. */
export const DEFAULT_TTL_MS = 300_000;

export const POLL_INTERVAL_MS = 200;

export class Tasks {
  readonly #tasks = new Map<string, Task>();
  readonly #notices: Notices;

  constructor(notices: Notices) {
    this.#notices = notices;
  }

  start(work: TaskWork, ttlMs: number = DEFAULT_TTL_MS): Task {
    this.#forgetOld();
    const task = new Task(work, { ttlMs, onChange: task => this.#notices.tell({ kind: 'task', task }) });
    this.#tasks.set(task.id, task);
    return task;
  }

  find(id: unknown): Task | undefined {
    this.#forgetOld();
    return this.#tasks.get(String(id));
  }

  get(id: unknown): Task {
    const task = this.find(id);
    if (!task) throw new RpcError(CODE.invalidParams, `Unknown task: ${id}`);
    return task;
  }

  end(): void {
    for (const task of this.#tasks.values()) task.cancel();
  }

  #forgetOld(): void {
    for (const [id, task] of this.#tasks) {
      if (task.isOver && Date.now() > task.createdAt.getTime() + task.ttlMs) this.#tasks.delete(id);
    }
  }
}
