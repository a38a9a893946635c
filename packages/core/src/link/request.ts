/** A request whose answer is wanted as a value: the promise of a conversation. */
import type { JunctorError } from '../base/error.ts';
import type { Conversation, Patience, ProgressParams, Waiter } from './conversation.ts';
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
    const given = onProgress ? withProgressToken(params) : params;
    // A plain object: a class with fields of its own costs a program that has just started twice the time.
    const waiter: Waiter = {
      onProgress,
      onMessage: ({ error, result }) => {
        if (error) reject(serverError(conversation.server, method, error));
        else resolve(result);
      },
      onFailure: reject,
    };
    if (signal) askUntilAborted(conversation, { method, params: given, patience, waiter, signal });
    else conversation.ask(method, given, patience, waiter);
  });
}

interface Abortable {
  readonly method: string;
  readonly params: unknown;
  readonly patience: Patience;
  readonly waiter: Waiter;
  readonly signal: AbortSignal;
}

/** A signal may live far longer than one request: nothing of the request stays with it. */
function askUntilAborted(conversation: Conversation, { method, params, patience, waiter, signal }: Abortable): void {
  const givenUp = (): JunctorError => cancelled(conversation.server, method, signal.reason);
  if (signal.aborted) return waiter.onFailure(givenUp());
  let over = false;
  let id: number;
  const onAbort = (): void => conversation.cancel(id, givenUp());
  const end = (): void => {
    over = true;
    signal.removeEventListener('abort', onAbort);
  };
  id = conversation.ask(method, params, patience, {
    onProgress: waiter.onProgress,
    onMessage: message => {
      end();
      waiter.onMessage(message);
    },
    onFailure: error => {
      end();
      waiter.onFailure(error);
    },
  });
  // It may have failed at once, where nothing could be sent.
  if (!over) signal.addEventListener('abort', onAbort);
}

/** The id is not known yet; `ask` puts it where this function says. */
function withProgressToken(params: unknown): (id: number) => unknown {
  const given = (params ?? {}) as { _meta?: object };
  return id => ({ ...given, _meta: { ...given._meta, progressToken: id } });
}
