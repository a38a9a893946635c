/** What all rooms of one hub stand on. */
import { type Host, isJunctorError, type JunctorError, type ToolRef } from '@junctor/core';
import { mayRepeat } from '@junctor/core/inside';
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

/**
 * Whether a call that failed on its way may be sent once more: it cannot have run, or does no harm twice. A new connection may
 * lead to another version of the server, in which nobody approved the tool.
 */
export function repeatIn({ host }: House, ref: ToolRef): (error: JunctorError) => Promise<boolean> {
  return async error => {
    if (!mayRepeat(error, () => host.repeatable(ref))) return false;
    return (await host.withheld(ref)?.catch(() => error)) === undefined;
  };
}

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
