/** Decides about a native call through the same `authorize` as any other, with the rules of native tools. */
import { type Ask, denialResult, type Host, type ToolResult, type Verdict } from '@junctor/core';
import type { NativeTool } from './native-tool.ts';

/** Stands where other calls name their server. No server can have it: it holds a sign that ids may not. */
export const NATIVE = '(chat)';

export interface Asking {
  readonly host: Host;
  readonly ask?: Ask | undefined;
  readonly session: string;
  readonly signal: AbortSignal;
}

/** Undefined: it may run. */
export async function permitted(
  tool: NativeTool,
  args: unknown,
  verdict: Verdict,
  { host, ask, session, signal }: Asking,
): Promise<ToolResult | undefined> {
  const { name, description, inputSchema } = tool;
  const definition = { name, description, inputSchema };
  const call = {
    ref: { server: NATIVE, tool: name },
    arguments: args,
    caller: { surface: 'chat', session } as const,
  };
  const tools = { known: () => definition, listed: async () => definition };
  // Native tools stand on no server's list and in no lockfile.
  const special = { judge: () => verdict, tools, absent: undefined, locked: undefined };
  return denialResult(await host.authorize(call, { ask, signal }, special));
}
