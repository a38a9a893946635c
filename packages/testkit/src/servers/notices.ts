/** What clients can be told without having asked: a list changed, a resource changed, a task moved on. */
import type { Task } from './tasks/task.ts';

export type ListName = 'tools' | 'prompts' | 'resources';

export type Notice =
  | { readonly kind: 'list'; readonly list: ListName }
  | { readonly kind: 'resource'; readonly uri: string }
  | { readonly kind: 'task'; readonly task: Task };

export class Notices {
  readonly #listeners = new Set<(notice: Notice) => void>();

  /** Returns the way out. */
  listen(listener: (notice: Notice) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  tell(notice: Notice): void {
    for (const listener of [...this.#listeners]) listener(notice);
  }
}
