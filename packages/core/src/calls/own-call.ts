/** A call of one of Junctor's own tools that asks a server something else than to run a tool: judged, counted and cut alike. */
import { monotonicMs } from '../base/time/monotonic.ts';
import type { ToolDefinition } from '../catalogue/entry.ts';
import { authorize } from '../permissions/authorize.ts';
import type { ToolResult } from '../results/tool-result.ts';
import {
  type CallOptions,
  type CallRooms,
  callerOf,
  delivered,
  deniedEnd,
  ended,
  heldEnd,
  refused,
  type ToolRef,
} from './call.ts';
import { failedEnd } from './observer.ts';

export interface OwnCall {
  /** The server that is asked, and what our tool is called: rules are about this pair. */
  readonly ref: ToolRef;
  readonly args: unknown;
  /** What a yes for longer is bound to. */
  readonly definition: ToolDefinition;
  /** Asks the server; what it gives has the shape of a result of tools. */
  send(): Promise<unknown>;
}

export async function ownCall(
  deps: Pick<CallRooms, 'permissions' | 'results' | 'observer'>,
  { ref, args, definition, send }: OwnCall,
  options: CallOptions,
): Promise<ToolResult> {
  const toolCall = { ref, arguments: args, caller: callerOf(options) };
  let sent = false;
  try {
    const tools = { known: () => definition, listed: async () => definition };
    // Our own tools stand on no server's list and in no lockfile.
    const permissions = { ...deps.permissions, tools, absent: undefined, locked: undefined };
    const decision = await authorize(toolCall, permissions, options);
    options.observer?.judged?.(toolCall, decision);
    const denial = refused(decision);
    if (denial) return ended(deps, toolCall, options, deniedEnd(denial));
    const place = await deps.results.lookUp(ref, args, options);
    if (place?.held) return ended(deps, toolCall, options, heldEnd(place.held));
    await options.observer?.sending?.(toolCall);
    sent = true;
    const since = monotonicMs();
    const answer = await send();
    return await delivered(deps, toolCall, options, { answer, servedMs: monotonicMs() - since, place });
  } catch (error) {
    ended(deps, toolCall, options, failedEnd(error, sent));
    throw error;
  }
}
