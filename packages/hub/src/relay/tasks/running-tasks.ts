/** The tasks that run at one instance of a server, by the server's own ids: whom their questions are for. */
import { isObject, META } from '@junctor/core/internal';
import type { Party } from '../../visit/party.ts';

/** One call that runs as a task, from before the server names the task. */
export interface RunningTask {
  /** The server has named it. A call that is made again gets another name. */
  named(id: string): void;
  over(): void;
}

export class RunningTasks {
  /** Tasks whose clients have a ticket: they go on when the session that made them ends. */
  kept = 0;
  readonly #parties = new Map<string, Party>();
  /** Calls whose task has no name yet. */
  #unnamed = 0;
  readonly #waiting = new Map<() => void, string>();

  get size(): number {
    return this.#parties.size + this.#unnamed + this.kept;
  }

  begin(party: Party): RunningTask {
    let name: string | undefined;
    let isOver = false;
    this.#unnamed++;
    const leave = (): void => {
      if (name === undefined) this.#unnamed--;
      else this.#parties.delete(name);
    };
    return {
      named: id => {
        if (isOver || id === name) return;
        leave();
        name = id;
        this.#parties.set(id, party);
        this.#look();
      },
      over: () => {
        if (isOver) return;
        isOver = true;
        leave();
        this.#look();
      },
    };
  }

  /** Whom a question is for that names its task. Undefined: it names none, or none of these. */
  partyOf(params: unknown): Party | undefined | Promise<Party | undefined> {
    if (this.#parties.size + this.#unnamed === 0) return undefined;
    const meta = isObject(params) && isObject(params._meta) ? params._meta[META.relatedTask] : undefined;
    const id = isObject(meta) ? meta.taskId : undefined;
    if (typeof id !== 'string') return undefined;
    const known = this.#parties.get(id);
    if (known || this.#unnamed === 0) return known;
    // A task may ask before the answer that names it is here.
    return new Promise(resolve => this.#waiting.set(() => resolve(this.#parties.get(id)), id));
  }

  #look(): void {
    for (const [resolve, id] of [...this.#waiting]) {
      if (this.#unnamed > 0 && !this.#parties.has(id)) continue;
      this.#waiting.delete(resolve);
      resolve();
    }
  }
}
