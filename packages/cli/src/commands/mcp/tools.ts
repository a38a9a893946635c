import type { Entry, NamingStrategy, SkippedTool, Snapshot } from '@junctor/core';
import { describeProblem, isEnabled, NAMING_STRATEGIES } from '@junctor/core/known';
import { JunctorError, plainText } from '@junctor/core/light';
import { defineCommand } from '../../command.ts';
import type { Context } from '../../context.ts';
import { offeredTools, type ToolsOffered } from '../../offered-tools.ts';
import { fitLines } from '../../output/fit.ts';
import { exitCodeWithout, tellFailures } from '../../output/server-failures.ts';
import { oneLine, table } from '../../output/table.ts';
import { tellHidden, tellIdlePatterns, tellSkipped } from '../../output/tool-notes.ts';

export const mcpTools = defineCommand({
  options: {
    names: {
      value: 'STRATEGY',
      help: `how tools are named: ${Object.keys(NAMING_STRATEGIES).join(', ')} (default: naming in the config, else server_tool for a client, else mcp__)`,
    },
    model: { value: 'M', help: 'as this model gets them: openai, anthropic/claude-…, a profile of the config, …' },
    client: { value: 'C', help: 'as this client gets them: claude-code, codex, cursor, …' },
    direct: { help: 'go to the servers themselves, not through a running hub' },
    fresh: { help: 'ask the servers, also where an earlier connection tells what they offer' },
  },
  details: 'Servers that were connected before are not started: their tools are told as they were then.',
  async run(context, { options, words }) {
    const readers = { model: options.model, client: options.client };
    const wanted = {
      only: words[0],
      naming: namingOption(options.names),
      readers,
      fresh: options.fresh,
      direct: options.direct,
    };
    const found = await offeredTools(context, wanted);
    const { entries, stale, skipped, hidden } = onlyOf(found.snapshot, wanted.only);
    const failures = found.failures.filter(({ server }) => wanted.only === undefined || server === wanted.only);
    context.answer({
      json: {
        tools: entries.map(describeTool),
        failed: failures.map(({ server, error }) => ({ server, code: error.code, error: error.message })),
        stale: stale.map(([server, at]) => ({ server, listed_at: at.toISOString() })),
        skipped,
        hidden,
        via: found.via,
        ...(found.fit ? { fit: found.fit } : {}),
      },
      text: toolText(entries, found.loaded.servers.size, context.columns),
    });
    const known = [...entries, ...hidden.map(({ server, name }) => ({ server, tool: name }))];
    const listed = namesByServer(found, wanted.only, known);
    tell(context, { ...found, failures, stale, skipped, hidden, listed });
    if (found.fit) for (const line of fitLines(found.fit)) context.talk(line);
    return entries.length > 0 ? 0 : exitCodeWithout(failures);
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

function onlyOf({ entries, stale, skipped, hidden }: Snapshot, only: string | undefined) {
  const wanted = (server: string): boolean => only === undefined || server === only;
  return {
    entries: entries.filter(({ server }) => wanted(server)),
    stale: [...stale].filter(([server]) => wanted(server)),
    skipped: skipped.filter(({ server }) => wanted(server)),
    hidden: hidden.filter(({ server }) => wanted(server)),
  };
}

/** What each server that answered offers. */
function namesByServer(
  { loaded, failures, connecting }: Pick<ToolsOffered, 'loaded' | 'failures' | 'connecting'>,
  only: string | undefined,
  tools: readonly { readonly server: string; readonly tool: string }[],
): ReadonlyMap<string, readonly string[]> {
  const silent = new Set([...failures.map(({ server }) => server), ...connecting]);
  const answered = [...loaded.servers.values()].filter(
    server => isEnabled(server) && !silent.has(server.id) && (only === undefined || server.id === only),
  );
  return new Map(
    answered.map(({ id }) => [id, tools.flatMap(({ server, tool }) => (server === id ? [tool] : []))] as const),
  );
}

/** As a model is told of it. */
function describeTool({ name, server, tool, offered }: Entry): object {
  return { name, server, tool, description: offered.description, inputSchema: offered.inputSchema };
}

const DESCRIPTION_WIDTH = 70;

function toolText(entries: readonly Entry[], servers: number, columns: number | undefined): string {
  if (servers === 0) return 'no MCP servers configured';
  if (entries.length === 0) return 'no tools';
  const rows = entries.map(({ name, definition }) => [name, summary(definition.description)]);
  return table(['TOOL', 'DESCRIPTION'], rows, columns);
}

/** A stranger's words on a person's terminal. */
function summary(description: unknown): string {
  return typeof description === 'string' ? oneLine(plainText(description, { maxChars: 500 }), DESCRIPTION_WIDTH) : '';
}

interface Beside extends Pick<ToolsOffered, 'loaded' | 'failures'> {
  readonly stale: readonly (readonly [string, Date])[];
  readonly skipped: readonly SkippedTool[];
  readonly hidden: readonly SkippedTool[];
  /** The tools of each server that answered. */
  readonly listed: ReadonlyMap<string, readonly string[]>;
}

/** What a person should know beside the answer. */
function tell(context: Context, { loaded, failures, stale, skipped, hidden, listed }: Beside): void {
  if (stale.length > 0) {
    const when = stale.map(([server, at]) => `${server} (${localTime(at)})`).join(', ');
    context.talk(`note: listed earlier, and not asked again: ${when}. To ask now, add --fresh`);
  }
  tellSkipped(context, skipped);
  tellHidden(context, hidden);
  tellIdlePatterns(context, loaded, listed);
  tellFailures(context, failures);
  for (const problem of loaded.problems) context.talk(`warning: ${describeProblem(problem)}`);
}

/** To the minute, where the person is. */
function localTime(at: Date): string {
  const two = (number: number): string => String(number).padStart(2, '0');
  const day = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join('-');
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}`;
}
