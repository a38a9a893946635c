/** Answers that are written here, and by no server. */

import { type Denied, type Host, isJunctorError, JunctorError } from '@junctor/core';
import { denialText, RPC_CODE, type RpcError } from '@junctor/core/internal';
import { toldOf } from '@junctor/core/light';
import type { Reply } from './reply.ts';

/** Whoever answers: the host knows what must not be told. */
interface Answering {
  readonly host: Host;
}

/** A failure on the way, as a JSON-RPC error. */
export function fail({ host }: Answering, reply: Reply, error: unknown): void {
  if (!isJunctorError(error)) return reply.error(RPC_CODE.internal, 'The request failed inside Junctor.');
  const own = isJunctorError(error, 'server_error') ? (error.cause as Partial<RpcError> | undefined) : undefined;
  // The server's own error keeps its own code: Junctor only passes it on.
  if (typeof own?.code === 'number') return reply.error(own.code, host.mask(own.message ?? error.message), own.data);
  const { message, ...data } = toldOf(error, text => host.mask(text));
  reply.error(RPC_CODE.serverFailed, message, data);
}

/** A call that failed on the way is told as a tool error: the model reads it and can go on. */
export function toolError(reply: Reply, text: string, isModern: boolean): void {
  reply.result(toolContent([{ type: 'text', text }], isModern, true));
}

/** The result of a tool, written here. */
export function toolContent(content: readonly object[], isModern: boolean, isError = false): string {
  const resultType = isModern ? { resultType: 'complete' } : {};
  return JSON.stringify({ ...resultType, content, ...(isError ? { isError } : {}) });
}

export function sentenceFor({ host }: Answering, error: unknown): string {
  if (!isJunctorError(error)) return 'The call failed inside Junctor.';
  const { message, why, code } = error as JunctorError;
  return host.mask(why ? `${message} (${code}) ${why}` : `${message} (${code})`);
}

/** A public name that leads to no tool. */
export function toolNotFound(name: string): JunctorError {
  return new JunctorError('tool_not_found', `There is no tool '${name}'.`, {
    why: 'no server of this agent lists a tool of this name',
    hint: 'tools/list names all of them',
    unsent: true,
  });
}

/** A call that may not run, in the same words at every endpoint. A tool that does not exist is an error of the protocol. */
export function refuseCall({ host }: Answering, reply: Reply, { error }: Denied, isModern: boolean): void {
  if (error.code === 'tool_not_found') {
    const { message, ...data } = toldOf(error, text => host.mask(text));
    return reply.error(RPC_CODE.invalidParams, message, data);
  }
  toolError(reply, host.mask(denialText(error)), isModern);
}
