/** One request of the hub to a server, and its answer as a value that keeps all digits of its numbers. */
import { isJunctorError } from '@junctor/core';
import {
  cancelled,
  type Frame,
  frameText,
  type Link,
  type Patience,
  type ProgressParams,
  parseKeepingDigits,
  serverError,
  unreadableAnswer,
} from '@junctor/core/internal';
import { failureIn, lineFailure } from '../peer-failure.ts';
import type { Upstream } from '../upstream.ts';

export interface ExactRequest {
  readonly method: string;
  readonly params: Record<string, unknown>;
  readonly timeouts: Patience;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((params: ProgressParams) => void) | undefined;
  /** The id of the request at the server. */
  readonly onSent?: ((id: number) => void) | undefined;
  /** Sees the result before the next message of the server is read. */
  readonly onResult?: ((result: unknown) => void) | undefined;
}

export function requestExactly(upstream: Upstream, link: Link, request: ExactRequest): Promise<unknown> {
  const { method, params, timeouts, signal, onProgress, onSent, onResult } = request;
  const server = upstream.server.id;
  const { conversation } = link;
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(cancelled(server, method, signal.reason));
    let id = -1;
    const give = (): void => conversation.cancel(id, cancelled(server, method, signal?.reason));
    const over = (): void => signal?.removeEventListener('abort', give);
    signal?.addEventListener('abort', give);
    // The token of a client means nothing to the server: two clients may use the same.
    const withToken = (progressToken: number): object => ({
      ...params,
      _meta: { ...(params._meta as object | undefined), progressToken },
    });
    id = conversation.ask(method, onProgress ? withToken : params, timeouts, {
      onProgress,
      onBytes: frame => {
        over();
        try {
          const failure = upstream.isLine ? failureIn(frame) : undefined;
          if (failure) throw failure;
          const result = resultIn(frame, server, method);
          onResult?.(result);
          resolve(result);
        } catch (error) {
          reject(isJunctorError(error) ? error : unreadableAnswer(server, frame, error));
        }
      },
      onFailure: error => {
        over();
        reject(upstream.isLine ? lineFailure(server, error) : error);
      },
    });
    onSent?.(id);
  });
}

function resultIn(frame: Frame, server: string, method: string): unknown {
  const { result, error } = parseKeepingDigits(frameText(frame)) as { result?: unknown; error?: unknown };
  if (error !== undefined && error !== null) throw serverError(server, method, error);
  return result;
}
