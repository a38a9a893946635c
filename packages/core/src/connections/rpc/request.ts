/** A request whose answer is wanted as a value: the promise of a conversation. */
import type { JunctorError } from '../../base/error.ts';
import { keepDigits } from '../../results/structured-text.ts';
import type { Conversation, Patience, ProgressParams, ValueWaiter } from './conversation.ts';
import { cancelled, serverError } from './failures.ts';
import { type Frame, frameBytes, frameText } from './frame.ts';

export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((params: ProgressParams) => void) | undefined;
}

/** For answers that are kept: how large one may be, and how large it was. */
export interface BoundedRequest extends RequestOptions {
  /** A larger answer fails the request, and is not parsed. */
  readonly maxBytes?: number | undefined;
  /** Reports how large the answer is, before it is handed over. */
  readonly onSize?: ((bytes: number) => void) | undefined;
}

export function request(
  conversation: Conversation,
  method: string,
  params: unknown,
  patience: Patience,
  options: BoundedRequest = {},
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const { signal, onProgress, maxBytes, onSize } = options;
    // A call always carries a token, also where nobody listens: progress is what keeps a long call from its idle limit.
    const given = onProgress || method === 'tools/call' ? withProgressToken(params) : params;
    // A plain object: a class with fields of its own costs a program that has just started twice the time.
    const waiter: ValueWaiter = {
      onProgress,
      maxBytes,
      onMessage: ({ error, result }, frame) => {
        onSize?.(frameBytes(frame));
        if (error) return reject(serverError(conversation.server, method, error));
        if (hasStructured(result)) noteDigits(result, frame);
        resolve(result);
      },
      onFailure: reject,
    };
    if (signal) askUntilAborted(conversation, { method, params: given, patience, waiter, signal });
    else conversation.ask(method, given, patience, waiter);
  });
}

/** What a model reads of structured content keeps the digits that its server wrote. */
function noteDigits(result: Structured, frame: Frame): void {
  keepDigits(
    result.structuredContent,
    frameText(frame),
    answer => (answer as { result: Structured }).result.structuredContent,
  );
}

interface Structured {
  readonly structuredContent: object;
}

function hasStructured(result: unknown): result is Structured {
  const { structuredContent } = (result ?? {}) as Partial<Structured>;
  return typeof structuredContent === 'object' && structuredContent !== null;
}

interface Abortable {
  readonly method: string;
  readonly params: unknown;
  readonly patience: Patience;
  readonly waiter: ValueWaiter;
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
    maxBytes: waiter.maxBytes,
    onMessage: (message, frame) => {
      end();
      waiter.onMessage(message, frame);
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
