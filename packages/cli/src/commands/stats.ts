import { type ToolStatistics, usageReport } from '@junctor/core/known';
import { isJunctorError } from '@junctor/core/light';
import { defineCommand } from '../command.ts';
import { hostOptions } from '../context.ts';
import { countedAtHub, withCounts } from '../hub/counted-at-hub.ts';
import { HubRest } from '../hub/hub-rest.ts';
import { table } from '../output/table.ts';

export const stats = defineCommand({
  options: {
    all: { help: 'show tools that were never called, too' },
  },
  details: `P50 and P95 are times within which half of the calls, and 95 of 100, were over. TOKENS is what results took of a
model's window, DEFINITION what the tool itself takes in every request that offers it. Nothing is started for this. What the hub
that runs on this data directory has counted is part of it; it does not count TOKENS.`,
  async run(context, { options, words }) {
    const { surroundings, redactor } = context;
    const only = words[0];
    const hub = await HubRest.find(context);
    const counted = hub && (await countedAtHub(hub, only));
    const report = usageReport({ ...hostOptions(context), surroundings, redactor, only });
    const { tools: kept } = await report.catch(error => {
      // A server may be in none of the files, and be known to the hub.
      if (isJunctorError(error, 'server_unknown') && counted && counted.all.length > 0) return { tools: [] };
      throw error;
    });
    const tools = counted ? withCounts(kept, counted) : kept;
    const used = tools.filter(isUsed);
    const shown = options.all ? tools : used;
    context.answer({ json: { tools }, text: shown.length > 0 ? tableOf(shown) : emptyText(only) });
    if (!options.all && !context.global.json && tools.length > 0)
      context.talk(unusedText(tools.filter(tool => !isUsed(tool))));
    return 0;
  },
});

function isUsed({ calls, cached }: ToolStatistics): boolean {
  return calls + cached > 0;
}

const HEAD = [
  'SERVER',
  'TOOL',
  'CALLS',
  'ERRORS',
  'CACHED',
  'P50',
  'P95',
  'BYTES',
  'TOKENS',
  'DEFINITION',
  'LAST USED',
];

function tableOf(tools: readonly ToolStatistics[]): string {
  return table(
    HEAD,
    tools.map(
      ({ server, tool, calls, errors, cached, p50_ms, p95_ms, bytes, tokens, definition_tokens, last_used }) => [
        server,
        tool,
        ...[calls, errors, cached].map(String),
        ...[p50_ms, p95_ms].map(ms => (ms === undefined ? '-' : `${ms} ms`)),
        ...[bytes, tokens].map(String),
        definition_tokens === undefined ? '-' : String(definition_tokens),
        last_used === undefined ? 'never' : last_used.slice(0, 16).replace('T', ' '),
      ],
    ),
  );
}

function emptyText(only: string | undefined): string {
  return only === undefined ? 'no tool was called yet' : `no tool of server '${only}' was called yet`;
}

/** Tools that nobody calls still cost their definition, each time. */
function unusedText(unused: readonly ToolStatistics[]): string {
  if (unused.length === 0) return 'every known tool was called';
  const tokens = unused.reduce((sum, { definition_tokens = 0 }) => sum + definition_tokens, 0);
  const count = unused.length === 1 ? '1 more tool was' : `${unused.length} more tools were`;
  return `${count} never called; definitions of ${tokens} tokens (--all shows them)`;
}
