import { createHost, type Entry, type NamingStrategy } from '@junctor/core';
import { describeProblem } from '@junctor/core/config-read';
import { NAMING_STRATEGIES } from '@junctor/core/inside';
import { JunctorError } from '@junctor/core/light';
import { defineCommand } from '../../command.ts';
import { hostOptions } from '../../context.ts';
import { oneLine, table } from '../../output/table.ts';

export const mcpTools = defineCommand({
  options: {
    names: {
      value: 'STRATEGY',
      help: `how tools are named: ${Object.keys(NAMING_STRATEGIES).join(', ')} (default: naming in the config, else mcp__)`,
    },
  },
  async run(context, { options, words }) {
    await using host = await createHost({ ...hostOptions(context), ...namingOption(options.names) });
    const only = words[0];
    if (only !== undefined) await host.collect(only);
    const entries = only === undefined ? await host.tools() : (await host.snapshot({ servers: [only] })).entries;
    const failures = host.failures().filter(({ server }) => only === undefined || server === only);
    context.answer({
      json: {
        tools: entries.map(describeTool),
        failed: failures.map(({ server, error }) => ({ server, code: error.code, error: error.message })),
      },
      text: toolText(entries, host.loaded.servers.size),
    });
    for (const { server, error } of failures) {
      context.talk(`warning: MCP server '${server}' unavailable: ${error.message}`);
      if (error.why) context.talk(`  why: ${error.why.replaceAll('\n', '\n    ')}`);
      if (error.hint) context.talk(`  try: ${error.hint}`);
    }
    for (const problem of host.loaded.problems) context.talk(`warning: ${describeProblem(problem)}`);
    if (failures.length === 0 || entries.length > 0) return 0;
    // Nothing is wrong with what only waits for a person.
    return failures.every(({ error }) => error.code === 'trust_required') ? 3 : 1;
  },
});

/** Without the option the config decides. */
function namingOption(name: string | undefined): { naming?: NamingStrategy } {
  if (name === undefined) return {};
  if (Object.hasOwn(NAMING_STRATEGIES, name)) return { naming: name as NamingStrategy };
  throw new JunctorError('usage', `There is no naming strategy '${name}'.`, {
    hint: `use one of ${Object.keys(NAMING_STRATEGIES).join(', ')}`,
  });
}

function describeTool({ name, server, tool, definition }: Entry): object {
  return { name, server, tool, description: definition.description ?? '', inputSchema: definition.inputSchema };
}

const DESCRIPTION_WIDTH = 70;

function toolText(entries: readonly Entry[], servers: number): string {
  if (servers === 0) return 'no MCP servers configured';
  if (entries.length === 0) return 'no tools';
  const rows = entries.map(({ name, definition }) => [name, oneLine(definition.description ?? '', DESCRIPTION_WIDTH)]);
  return table(['TOOL', 'DESCRIPTION'], rows);
}
