/** What all rooms of one hub stand on. */
import { type Host, isJunctorError, type JunctorError } from '@junctor/core';
import type { Permits } from '../approvals/permits.ts';
import type { DoorNotes } from '../calls/door-notes.ts';
import type { ParkedCalls } from '../eras/parked-calls.ts';
import type { Instances } from '../relay/instances.ts';
import type { Reply } from './reply.ts';

export interface House {
  readonly host: Host;
  readonly instances: Instances;
  readonly parked: ParkedCalls;
  /** Asks about calls that no rule decides about. */
  readonly permits: Permits;
  /** Where calls and sessions are written down. */
  readonly notes: DoorNotes;
}

export const CODE = { invalidParams: -32602, methodNotFound: -32601, internal: -32603, serverFailed: -32000 } as const;

/** A failure on the way, as a JSON-RPC error. */
export function fail({ host }: House, reply: Reply, error: unknown): void {
  if (!isJunctorError(error)) return reply.error(CODE.internal, 'The request failed inside Junctor.');
  const { message, code, why, hint } = error as JunctorError;
  const data = { code, ...(why ? { why: host.mask(why) } : {}), ...(hint ? { hint } : {}) };
  reply.error(CODE.serverFailed, host.mask(message), data);
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

export function sentenceFor({ host }: House, error: unknown): string {
  if (!isJunctorError(error)) return 'The call failed inside Junctor.';
  const { message, why, code } = error as JunctorError;
  return host.mask(why ? `${message} (${code}) ${why}` : `${message} (${code})`);
}

export function notAllowed(name: string, { because }: { readonly because: string }): string {
  return `The call of ${name} was denied: ${because}.`;
}
