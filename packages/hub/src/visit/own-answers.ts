/** Answers that are written here, and by no server. */

import { type Host, isJunctorError, type JunctorError } from '@junctor/core';
import { RPC_CODE } from '@junctor/core/inside';
import { toldOf } from '@junctor/core/light';
import type { Reply } from './reply.ts';

/** Whoever answers: the host knows what must not be told. */
interface Answering {
  readonly host: Host;
}

/** A failure on the way, as a JSON-RPC error. */
export function fail({ host }: Answering, reply: Reply, error: unknown): void {
  if (!isJunctorError(error)) return reply.error(RPC_CODE.internal, 'The request failed inside Junctor.');
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

export function notAllowed(name: string, { because }: { readonly because: string }): string {
  return `The call of ${name} was denied: ${because}.`;
}
