/** Asks the person about a native call that no rule allows, through the same desk and the same book of grants as any other. */
import type { Ask, Host, Question, ToolResult, Verdict } from '@junctor/core';
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
  if (verdict.effect === 'allow') return undefined;
  if (verdict.effect === 'deny') return denied(tool, verdict.because);
  const { name, description, inputSchema } = tool;
  const definition = { name, description, inputSchema };
  const call = { server: NATIVE, tool: name, args, rule: verdict.rule, definition };
  if ((await host.grants.standing(call, session)).kind === 'granted') return undefined;
  if (!host.approvals.reaches({ ask }))
    return denied(tool, `it needs a yes, and nobody can be asked (${verdict.because})`);
  const ruling = await host.approvals.request(
    { server: NATIVE, tool: name, args: args as Question['args'], because: verdict.because },
    { ask, session, signal },
  );
  if (ruling.scope === 'expired') return denied(tool, 'nobody answered in time');
  if (ruling.scope === 'deny')
    return denied(tool, ruling.note === undefined ? 'by a person' : `by a person, who says: ${ruling.note}`);
  await host.grants.keep(call, ruling, session);
  return undefined;
}

function denied({ name }: NativeTool, because: string): ToolResult {
  const sentence = `The call of '${name}' was denied: ${because}.`;
  return { success: false, denied: true, output: sentence, error: sentence, parts: [{ type: 'text', text: sentence }] };
}
