/** What can go wrong with one request, as the errors people and programs see. */

import { orAborted } from '../base/deadline.ts';
import { JunctorError, retold, sentenceOf } from '../base/error.ts';
import { RPC_CODE } from '../base/rpc-code.ts';
import type { Frame } from './frame.ts';
import { MethodNotFound, Refusal } from './inbound/answers.ts';
import { seeMore } from './see-more.ts';

export function serverError(server: string, method: string, given: unknown): JunctorError {
  const error = readRpcError(given);
  return new JunctorError('server_error', `Server '${server}' refused ${method}: ${error.message}`, {
    server,
    why: `JSON-RPC error ${error.code}`,
    cause: error,
  });
}

/** An error has a code and a message; what a server sends in its place may be anything. */
function readRpcError(given: unknown): RpcError {
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

export function timedOut(server: string, method: string, waitedMs: number): JunctorError {
  return new JunctorError('timeout', `Server '${server}' did not answer ${method} within ${waitedMs} ms.`, {
    server,
    why: `it was asked ${waitedMs} ms ago, and neither an answer nor progress came in time`,
    hint: `raise the timeout of server '${server}', or ${seeMore(server).hint}`,
    command: `raise the timeout of server '${server}', or see what it is doing with --debug`,
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
