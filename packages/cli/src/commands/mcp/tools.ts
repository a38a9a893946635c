import { createHost, type Entry, type NamingStrategy } from '@junctor/core';
import { NAMING_STRATEGIES } from '@junctor/core/inside';
import { JunctorError } from '@junctor/core/light';
import { defineCommand } from '../../command.ts';
import { hostOptions } from '../../context.ts';
import { oneLine, table } from '../../output/table.ts';

export const mcpTools = defineCommand({
  options: {
    names: {
      value: 'STRATEGY',
      help: `how tools are named: ${Object.keys(NAMING_STRATEGIES).join(', ')} (default: mcp__)`,
    },
  },
  async run(context, { options, words }) {
    await using host = await createHost({ ...hostOptions(context), naming: namingFrom(options.names) });
    const only = words[0];
    if (only !== undefined) await host.collect(only);
    const entries = only === undefined ? await host.tools() : (await host.snapshot({ servers: [only] })).entries;
    const failures = host.failures();
    context.answer({
      json: {
        tools: entries.map(describeTool),
        failed: failures.map(({ server, error }) => ({ server, code: error.code, error: error.message })),
      },
      text: toolText(entries, host.links.ids.length),
    });
    for (const { server, error } of failures) {
      context.talk(`warning: MCP server '${server}' unavailable: ${error.message}`);
      if (error.why) context.talk(`  why: ${error.why}`);
    }
    return failures.length > 0 && entries.length === 0 ? 1 : 0;
  },
});

function namingFrom(name: string | undefined): NamingStrategy {
  if (name === undefined) return 'mcp__';
  if (Object.hasOwn(NAMING_STRATEGIES, name)) return name as NamingStrategy;
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
