import { explainTool, type Origin, type ToolExplanation } from '@junctor/core/known';
import { JunctorError } from '@junctor/core/light';
import { defineCommand } from '../../command.ts';
import type { Context } from '../../context.ts';
import { findServer } from '../mcp/get.ts';
import { originText } from './origin-text.ts';
import { explainServerTo } from './server.ts';
import { askHub, FACT_OPTIONS, toolFacts, type Wanted } from './tool-facts.ts';

export const explain = defineCommand({
  options: FACT_OPTIONS,
  details: `explain fs: which layer, file and line set each field of the server, and what that hid.
explain fs/write_file: why that tool is offered, deferred or hidden, and why a call is allowed, asked about or denied.`,
  async run(context, { options, words }) {
    const [what = ''] = words;
    const slash = what.indexOf('/');
    if (slash < 0) return explainServerTo(context, what, options);
    const [server, tool] = [what.slice(0, slash), what.slice(slash + 1)];
    if (server === '' || tool === '')
      throw new JunctorError('usage', `'${what}' names no server and tool.`, { hint: 'junctor explain SERVER/TOOL' });
    return explainToolTo(context, { server, tool }, options);
  },
});

/** Why a tool is there or not, and what becomes of a call. */
async function explainToolTo(
  context: Context,
  ref: { readonly server: string; readonly tool: string },
  wanted: Wanted,
): Promise<number> {
  const { agent, executor } = wanted;
  // What is wrong with an id is told in the same words whatever is asked about it.
  if (!wanted.hub) await findServer(context, ref.server);
  const explanation = wanted.hub
    ? await askHub<ToolExplanation>(context, '/api/explain', { ...ref, agent, executor })
    : explainTool(ref, await toolFacts(context, wanted, () => [ref.server]));
  context.answer({ json: explanation, text: toolText(explanation) });
  return 0;
}

const CALLS = { allow: 'run without asking', ask: 'are asked about', deny: 'are denied' } as const;

function toolText({ server, tool, agent, executor, name, offer, call, listed_at }: ToolExplanation): string {
  const whose = `${agent === null ? '' : `agent '${agent}', `}executor '${executor}'`;
  const lines = [
    `${server}/${tool} (${whose})`,
    `${offer.state}${name === null ? '' : ` as ${name}`}: ${offer.because}`,
    ...origin(offer.at),
    ...(offer.hint === '' ? [] : [`  try: ${offer.hint}`]),
  ];
  if (call) {
    lines.push(`calls ${CALLS[call.effect]}: ${call.because}`, ...origin(call.at));
    for (const { effect, rule, at } of call.unless)
      lines.push(`  but ${CALLS[effect]} where the rule ${effect} ${rule} fits${at ? ` (${originText(at)})` : ''}`);
  }
  if (listed_at !== null) lines.push(`as the server listed it at ${listed_at}; to ask it now, add --fresh`);
  return lines.join('\n');
}

function origin(at: Origin | null): string[] {
  return at ? [`  at ${originText(at)}`] : [];
}
