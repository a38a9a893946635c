import { type CheckedTool, preflight as check, type Preflight, type ToolFacts, toolMeant } from '@junctor/core/known';
import { defineCommand } from '../../command.ts';
import { originText } from './origin-text.ts';
import { askHub, FACT_OPTIONS, toolFacts } from './tool-facts.ts';

export const preflight = defineCommand({
  options: FACT_OPTIONS,
  details: `Tools are named SERVER/TOOL, or as the agent sees them (SERVER_TOOL).
Exit code 0: all of them will be there. 1: one is missing, or denied. 3: all that is missing waits for a person.`,
  async run(context, { options, words }) {
    const { agent, executor } = options;
    const result = options.hub
      ? await askHub<Preflight>(context, '/api/preflight', { tools: words.join(), agent, executor })
      : check(words, await toolFacts(context, options, known => serversFor(words, known)));
    context.answer({ json: result, text: resultText(result) });
    if (result.ok) return 0;
    return result.tools.every(({ there, waits_for_person }) => there || waits_for_person) ? 3 : 1;
  },
});

/** A name that no known tool has may be one of any server that was never asked. */
function serversFor(names: readonly string[], facts: ToolFacts): string[] {
  return names.flatMap(name => toolMeant(name, facts)?.server ?? [...facts.unasked.keys()]);
}

function resultText({ agent, executor, tools, missing, ok }: Preflight): string {
  const who = `${agent === null ? 'an agent' : `agent '${agent}'`} on executor '${executor}'`;
  const verdict = ok
    ? `${who} has ${tools.length === 1 ? 'this tool' : `all ${tools.length} tools`}`
    : `${who} lacks ${missing.length} of ${tools.length}: ${missing.join(', ')}`;
  return [...tools.flatMap(toolLines), verdict].join('\n');
}

const CALLS = { allow: 'runs without asking', ask: 'is asked about', deny: 'is denied' } as const;

function toolLines({ asked, there, name, offer, call, because, at, hint }: CheckedTool): string[] {
  if (there) {
    const as = name === null || name === asked ? '' : ` as ${name}`;
    return [`ok       ${asked}${as}${offer === 'deferred' ? ', found by search' : ''}: ${CALLS[call ?? 'ask']}`];
  }
  return [
    `missing  ${asked}: ${because}`,
    ...(at ? [`         at ${originText(at)}`] : []),
    ...(hint === '' ? [] : [`         try: ${hint}`]),
  ];
}
