import type { SearchableTool } from '@junctor/core/known';
import { JunctorError, plainText, toldOf } from '@junctor/core/light';
import { defineCommand } from '../../command.ts';
import type { Context } from '../../context.ts';
import { exitCodeWithout, tellFailures } from '../../output/server-failures.ts';
import { oneLine, table } from '../../output/table.ts';
import { answerLines } from './answer-lines.ts';
import { indexTools, readCatalogue, toolId } from './catalogue-file.ts';
import { limitFrom } from './limit.ts';
import { measureRecall } from './measure.ts';
import { type Absent, searchedTools } from './searched-tools.ts';

export const search = defineCommand({
  options: {
    k: { value: 'N', help: 'at most so many tools (default: 10)' },
    catalogue: { value: 'FILE', help: 'search the tools of this file, {"tools":[{"server","name",…}]}, and no server' },
    jsonl: { help: 'answer lines {"id","query","k"} on stdin with lines {"id","ranked":["server/tool",…]}' },
    eval: {
      value: 'FILE',
      help: 'measure how well the tools that {"queries":[{"id","text","relevant"}]} need are found',
    },
    wait: { value: 'SECONDS', help: 'how long servers that were never connected may take (default: 10)' },
    fresh: { help: 'ask the servers, also where an earlier connection tells what they offer' },
  },
  details: `A tool whose name you give comes first, in whatever form you know it. Servers that were connected before are not
started: their tools are searched as they were then.

example: junctor search -k 3 open a ticket about a bug`,
  async run(context, { options, words }) {
    const query = words.join(' ');
    const limit = limitFrom(options.k);
    expectOneTask(query, options);
    const { tools, absent } =
      options.catalogue === undefined
        ? await searchedTools(context, { fresh: options.fresh, waitSeconds: options.wait })
        : { tools: await readCatalogue(context.surroundings.cwd, options.catalogue), absent: NONE_ABSENT };
    if (options.eval !== undefined) await measureRecall(context, tools, options.eval);
    else if (options.jsonl) {
      const { stdin: input, stdout: output } = process;
      await answerLines(indexTools(tools), { input, output, signal: context.signal });
    } else answerQuery(context, tools, absent, query, limit);
    tellFailures(context, absent.failures);
    for (const server of absent.connecting) context.talk(`note: MCP server '${server}' is still connecting`);
    return tools.length > 0 ? 0 : exitCodeWithout(absent.failures);
  },
});

const NONE_ABSENT: Absent = { failures: [], connecting: [] };

function expectOneTask(query: string, { jsonl, eval: queries }: { jsonl: boolean; eval: string | undefined }): void {
  const tasks = [query.trim() === '' ? '' : 'QUERY', jsonl ? '--jsonl' : '', queries === undefined ? '' : '--eval'];
  const given = tasks.filter(task => task !== '');
  if (given.length === 1) return;
  const wrong = given.length === 0 ? "'junctor search' needs QUERY." : `${given.join(' and ')} do not go together.`;
  throw new JunctorError('usage', wrong, { hint: 'junctor search --help' });
}

type NamedTool = SearchableTool & { readonly name?: string };

function answerQuery(
  context: Context,
  tools: readonly NamedTool[],
  { failures, connecting }: Absent,
  query: string,
  limit: number,
): void {
  const byId = new Map(tools.map(tool => [toolId(tool), tool]));
  const found = indexTools(tools)
    .search(query, limit)
    .map(({ server, tool, score }) => {
      const { name = `${server}/${tool}`, description = '' } = byId.get(`${server}/${tool}`) as NamedTool;
      return { name, server, tool, score: Number(score.toFixed(3)), description };
    });
  context.answer({
    json: {
      query,
      tools: found,
      failed: failures.map(({ server, error }) => {
        const { code, message, hint } = toldOf(error);
        return { server, code, error: message, hint };
      }),
      connecting,
    },
    text: found.length > 0 ? foundText(found, context.columns) : `no tool fits: ${tools.length} tools searched`,
  });
}

const DESCRIPTION_WIDTH = 70;

function foundText(
  found: readonly { name: string; score: number; description: string }[],
  columns: number | undefined,
): string {
  const rows = found.map(({ name, score, description }) => [
    name,
    score.toFixed(2),
    // A stranger's words on a person's terminal.
    oneLine(plainText(description, { maxChars: 500 }), DESCRIPTION_WIDTH),
  ]);
  return table(['TOOL', 'SCORE', 'DESCRIPTION'], rows, columns);
}
