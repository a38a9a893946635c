/** A call that a person makes by hand: judged by the rules and written down like that of an agent. */
import { randomUUID } from 'node:crypto';
import { type Host, isJunctorError, type ToolRef, type ToolResult } from '@junctor/core';
import { orAborted, outcomeOf } from '@junctor/core/inside';
import type { CallEnd, OpenCall } from './call-record.ts';
import type { Records } from './records.ts';

type CallOptions = NonNullable<Parameters<Host['call']>[2]>;

export interface PersonCall {
  readonly host: Host;
  readonly records: Pick<Records, 'calls'>;
  readonly ref: ToolRef;
  readonly args: unknown;
  readonly signal: AbortSignal;
  readonly onProgress: NonNullable<CallOptions['onProgress']>;
}

export async function callByPerson({ host, records, ref, args, signal, onProgress }: PersonCall): Promise<ToolResult> {
  const session = `person-${randomUUID()}`;
  const { server, tool } = ref;
  const call = records.calls.begin({ bearer: 'person', session, server, tool, args, mask: text => host.mask(text) });
  let isSent = false;
  try {
    // Whoever makes the call has said yes to it; what the rules deny stays denied.
    const ask: CallOptions['ask'] = async () => ({ scope: 'once', by: 'whoever made the call' });
    const { word, because, allowed } = await host.permit(ref, args, { session, ask, signal });
    call.judged(word, because);
    if (allowed) {
      // A server that is still being started has not got it. Why it does not start is told by the call.
      await orAborted(host.links.ready(server), signal).catch(() => {});
      await call.sending();
      isSent = true;
    }
    // Refused calls go this way too: the host has the words for them.
    const result = await host.call(ref, args, { session, ask, signal, onProgress });
    call.ended(endOf(result, isSent));
    return result;
  } catch (error) {
    failed(call, error, isSent);
    throw error;
  }
}

function endOf(result: ToolResult, isSent: boolean): CallEnd {
  const bytes = Buffer.byteLength(result.output);
  if (result.denied || !isSent) return { outcome: 'not_sent', failed: true, code: 'permission_denied', bytes: 0 };
  return { outcome: 'done', failed: !result.success, code: result.success ? undefined : 'tool_failed', bytes };
}

function failed(call: OpenCall, error: unknown, isSent: boolean): void {
  const { code, outcome } = isJunctorError(error) ? error : { code: 'internal', outcome: undefined };
  call.ended({ outcome: outcome ?? outcomeOf(error, isSent), failed: true, code, bytes: 0 });
}
