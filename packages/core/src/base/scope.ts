/**
 * What was opened together ends together. Undo steps run newest first, each once, past failures; the signal is aborted
 * first, so that timers and loops of the same owner end too.
 */
export class Scope implements AsyncDisposable {
  readonly #abort = new AbortController();
  readonly #steps = new AsyncDisposableStack();
  #closing: Promise<void> | undefined;

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Registers a step that ends something. In a scope that is already closed it runs at once. */
  defer(undo: () => void | Promise<void>): void {
    if (this.#closing) void Promise.resolve(undo()).catch(() => {});
    else this.#steps.defer(undo);
  }

  /** May be called twice: the second call waits for the first. */
  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #end(): Promise<void> {
    this.#abort.abort();
    await this.#steps.disposeAsync();
  }
}
