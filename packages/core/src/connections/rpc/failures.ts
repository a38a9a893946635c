/** What can go wrong with one request, as the errors people and programs see. */

import { JunctorError, retold, sentenceOf } from '../../base/error.ts';
import { RPC_CODE } from '../../base/rpc-code.ts';
import { orAborted } from '../../base/time/deadline.ts';
import { MethodNotFound, Refusal } from '../client-features/answers.ts';
import type { Frame } from './frame.ts';
import { seeMore } from './see-more.ts';
import type { OverBound, Patience } from './waits.ts';

export function serverError(server: string, method: string, given: unknown): JunctorError {
  const error = readRpcError(given);
  return new JunctorError('server_error', `Server '${server}' refused ${method}: ${error.message}`, {
    server,
    why: `JSON-RPC error ${error.code}`,
    cause: error,
  });
}

/** An error has a code and a message; what a server sends in its place may be anything. */
export function readRpcError(given: unknown): RpcError {
  const { code, message, ...rest } = (typeof given === 'object' ? given : { message: given }) as Record<
    string,
    unknown
  >;
  return {
    ...rest,
    code: typeof code === 'number' ? code : RPC_CODE.internal,
    message: typeof message === 'string' ? message : 'it did not say why',
  };
}

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export function cancelled(server: string, method: string, reason: unknown): JunctorError {
  return new JunctorError('cancelled', `${method} on server '${server}' was cancelled.`, { server, cause: reason });
}

/** Waits for something of a server as long as whoever asked for it wants it. */
export function whileUnaborted<T>(server: string, signal: AbortSignal | undefined, work: Promise<T>): Promise<T> {
  if (!signal) return work;
  return orAborted(work, signal).catch(error => {
    throw signal.aborted ? cancelled(server, 'The request', signal.reason) : error;
  });
}

export function malformed(server: string, frame: Frame): JunctorError {
  return new JunctorError('malformed_response', `Server '${server}' answered something that is not JSON-RPC.`, {
    server,
    why: excerpt(frame),
    hint: 'report it to the author of the server',
  });
}

/** The answer is JSON-RPC, and whoever asked for it failed to take it in. */
export function unreadableAnswer(server: string, frame: Frame, cause: unknown): JunctorError {
  return new JunctorError('malformed_response', `Server '${server}' sent an answer that cannot be read.`, {
    server,
    why: cause instanceof RangeError ? NESTED_TOO_DEEPLY : excerpt(frame),
    hint: 'report it to the author of the server',
    cause,
  });
}

/** Taken for an empty result, it would look as if all were well. */
export function withoutResult(server: string, what: string): JunctorError {
  return new JunctorError('malformed_response', `Server '${server}' answered ${what} without a result.`, {
    server,
    why: 'the result is an object, and it sent something else',
    hint: 'report it to the author of the server',
  });
}

const NESTED_TOO_DEEPLY = 'lists and objects stand in each other more than 500 times';

/** The answer to a question of a server that is nested too deeply to be passed on. */
export function unreadableQuestion(id: string | number): string {
  const error = { code: RPC_CODE.invalidRequest, message: `The request cannot be read: ${NESTED_TOO_DEEPLY}` };
  return JSON.stringify({ jsonrpc: '2.0', id, error });
}

/** Enough of a frame to recognise it by. */
export function excerpt(frame: Frame): string {
  const head = frame[0]?.subarray(0, 200).toString('utf8') ?? '';
  return head.length < 200 && frame.length === 1 ? head : `${head}…`;
}

export function oversized(server: string, bytes: number): JunctorError {
  return new JunctorError('message_too_large', `Server '${server}' sent a message of ${bytes} bytes.`, {
    server,
    why: 'it is larger than max_message_bytes, and was dropped; the connection goes on',
    hint: `ask for less, or raise max_message_bytes of server '${server}'`,
  });
}

/** An answer that its reader bounds by itself, whatever max_message_bytes is. */
export function tooLargeFor(server: string, { method, bytes, maxBytes }: OverBound): JunctorError {
  return new JunctorError('message_too_large', `Server '${server}' answered ${method} with ${bytes} bytes.`, {
    server,
    why: `at most ${maxBytes} bytes of this answer are read; the connection goes on`,
    hint: 'report it to the author of the server',
    command: `junctor doctor ${server}`,
  });
}

/** Names the limit that was reached and the key that sets it, and not how long the clock of this machine took. */
export function timedOut(server: string, method: string, patience: Patience, waitedMs: number): JunctorError {
  const { idleMs, totalMs, keys, wholeMs } = patience;
  if (wholeMs !== undefined && waitedMs >= totalMs) return roundsTookTooLong(server, wholeMs);
  const isSilence = idleMs < totalMs && waitedMs < totalMs;
  const limitMs = Math.round(isSilence ? idleMs : totalMs);
  const key = isSilence ? keys?.idle : keys?.total;
  const step = `raise ${key ?? 'the timeout'} of server '${server}'`;
  return new JunctorError('timeout', `Server '${server}' did not answer ${method} within ${limitMs} ms.`, {
    server,
    why: isSilence
      ? `neither an answer nor progress came for that long${key === undefined ? '' : `, and ${key} allows no more`}`
      : `it may take no longer${key === undefined ? '' : `, says ${key}`}`,
    hint: `${step}, or ${seeMore(server).hint}`,
    command: `${step}, or see what it is doing with --debug`,
  });
}

/** A server asked for inputs, and all rounds together took longer than the call may take. */
export function roundsTookTooLong(server: string, totalMs: number): JunctorError {
  return new JunctorError('timeout', `The call took longer than ${totalMs} ms: server '${server}' asked for inputs.`, {
    server,
    why: 'the time for a call covers all its rounds of questions',
    hint: `answer sooner, or raise the timeout of server '${server}'`,
  });
}

export function closedMeanwhile(server: string): JunctorError {
  return new JunctorError('cancelled', `Server '${server}' no longer wants an answer.`, { server });
}

/** Whoever waits is told so before the server is ended: how it ends then says nothing. */
export function closedByUs(server: string): JunctorError {
  return new JunctorError('connection_lost', `The connection to server '${server}' was closed.`, {
    server,
    why: 'it was closed here, or the host was, while an answer was waited for',
    hint: 'see whether the server has done its work before you call again',
  });
}

/** What a server is told about a question of its own that could not be answered. */
export function rpcError(error: unknown): { code: number; message: string; data?: unknown } {
  if (error instanceof Refusal) {
    return { code: error.code, message: error.message, ...(error.data === undefined ? {} : { data: error.data }) };
  }
  return {
    code: error instanceof MethodNotFound ? RPC_CODE.methodNotFound : RPC_CODE.internal,
    message: sentenceOf(error),
  };
}

/** The same failure, for a request that came too late to be sent. */
export function neverSent(error: JunctorError): JunctorError {
  return retold(error, { unsent: true });
}
