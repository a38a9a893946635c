/** A call that a person makes by hand at the page or over REST: decided, run and written down like that of an agent. */
import type { AuthorizeDeps, Caller, Host, ToolRef, ToolResult } from '@junctor/core';
import type { Records } from './records.ts';

type CallOptions = NonNullable<Parameters<Host['call']>[2]>;

export interface PersonCall {
  readonly host: Host;
  readonly records: Pick<Records, 'calls'>;
  readonly caller: Caller;
  readonly ref: ToolRef;
  readonly args: unknown;
  readonly signal: AbortSignal;
  readonly onProgress: NonNullable<CallOptions['onProgress']>;
  /** Where it is sent, once it is decided that it may run. */
  readonly connections: CallOptions['connections'];
}

export function callByPerson({
  host,
  records,
  caller,
  ref,
  args,
  signal,
  onProgress,
  connections,
}: PersonCall): Promise<ToolResult> {
  const observer = records.calls.begin({ caller, ...ref, args, mask: text => host.mask(text) });
  return host.call(ref, args, { caller, signal, onProgress, observer, connections, permissions: approvedBy(host) });
}

/** The person who makes the call approves it by that; what the rules deny stays denied. */
function approvedBy(host: Host): Partial<AuthorizeDeps> {
  return {
    judge: ({ ref, arguments: args, caller }) => {
      const verdict = host.judge(ref.server, ref.tool, args, caller.agent);
      return verdict.effect === 'ask'
        ? { effect: 'allow', because: 'the person who made the call approved it' }
        : verdict;
    },
  };
}
