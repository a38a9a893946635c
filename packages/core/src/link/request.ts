/** A request whose answer is wanted as a value: the promise of a conversation. */
import type { JunctorError } from '../base/error.ts';
import type { AnswerMessage, Conversation, Patience, ProgressParams, Waiter } from './conversation.ts';
import { cancelled, serverError } from './failures.ts';

export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((params: ProgressParams) => void) | undefined;
}

export function request(
  conversation: Conversation,
  method: string,
  params: unknown,
  patience: Patience,
  options: RequestOptions = {},
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const { signal, onProgress } = options;
    if (signal?.aborted) {
      reject(cancelled(conversation.server, method, signal.reason));
      return;
    }
    const waiter = new RequestWaiter(conversation.server, method, resolve, reject, onProgress);
    const id = conversation.ask(method, onProgress ? withProgressToken(params) : params, patience, waiter);
    // It may have failed at once, where nothing could be sent.
    if (signal && !waiter.isOver)
      followSignal(signal, waiter, () =>
        conversation.cancel(id, cancelled(conversation.server, method, signal.reason)),
      );
  });
}

class RequestWaiter implements Waiter {
  readonly onBytes = undefined;
  readonly onProgress: ((params: ProgressParams) => void) | undefined;
  /** Set where somebody follows the request's end. */
  onEnd: (() => void) | undefined;
  isOver = false;
  readonly #server: string;
  readonly #method: string;
  readonly #resolve: (value: unknown) => void;
  readonly #reject: (reason: unknown) => void;

  constructor(
    server: string,
    method: string,
    resolve: (value: unknown) => void,
    reject: (reason: unknown) => void,
    onProgress: ((params: ProgressParams) => void) | undefined,
  ) {
    this.#server = server;
    this.#method = method;
    this.#resolve = resolve;
    this.#reject = reject;
    this.onProgress = onProgress;
  }

  onMessage({ error, result }: AnswerMessage): void {
    this.#end();
    if (error) this.#reject(serverError(this.#server, this.#method, error));
    else this.#resolve(result);
  }

  onFailure(error: JunctorError): void {
    this.#end();
    this.#reject(error);
  }

  #end(): void {
    this.isOver = true;
    this.onEnd?.();
  }
}

/** A signal may live far longer than one request: nothing of the request stays with it. */
function followSignal(signal: AbortSignal, waiter: RequestWaiter, onAbort: () => void): void {
  signal.addEventListener('abort', onAbort);
  waiter.onEnd = () => signal.removeEventListener('abort', onAbort);
}

/** The id is not known yet; `ask` puts it where this function says. */
function withProgressToken(params: unknown): (id: number) => unknown {
  const given = (params ?? {}) as { _meta?: object };
  return id => ({ ...given, _meta: { ...given._meta, progressToken: id } });
}
