/** A call of one of Junctor's own tools that asks a server something else than to run a tool: judged, counted and cut alike. */
import { monotonicMs } from '../base/monotonic.ts';
import type { ToolDefinition } from '../catalogue/entry.ts';
import type { ToolResult } from '../result/tool-result.ts';
import type { CallOptions, CallRooms, ToolRef } from './call.ts';
import { refused } from './permission.ts';

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
  { permission, results }: Pick<CallRooms, 'permission' | 'results'>,
  { ref, args, definition, send }: OwnCall,
  options: CallOptions,
): Promise<ToolResult> {
  const tools = { known: () => definition, listed: async () => definition };
  const denial = await refused({ ...permission, tools }, ref, args, options);
  if (denial) return denial;
  const place = await results.lookUp(ref, args, options);
  if (place?.held) return place.held;
  const since = monotonicMs();
  let answer: unknown;
  try {
    answer = await send();
  } catch (error) {
    results.failed(ref, since, error);
    throw error;
  }
  return results.arrived(ref, answer, { since, options, place });
}
