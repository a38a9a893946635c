import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Entry, ServerFailure } from '@junctor/core';
import type { SearchableTool, ToolIndex } from '@junctor/core/known';
import { JunctorError, plainText, toldOf } from '@junctor/core/light';
import { defineCommand } from '../../command.ts';
import type { Context } from '../../context.ts';
import { wholeNumber } from '../../number-option.ts';
import { offeredTools } from '../../offered-tools.ts';
import { exitCodeWithout, tellFailures } from '../../output/server-failures.ts';
import { oneLine, table } from '../../output/table.ts';
import { indexTools, readCatalogue, toolId } from './catalogue-file.ts';
import { measureRecall } from './measure.ts';

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

/** `search --jsonl`: a line {"id","query","k"} in, a line {"id","ranked"} out, in the same order, until stdin ends. */
interface LineDoor {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  readonly signal: AbortSignal;
}

async function answerLines(index: ToolIndex, { input, output, signal }: LineDoor): Promise<void> {
  const lines = createInterface({ input, signal, crlfDelay: Number.POSITIVE_INFINITY });
  for await (const line of lines) {
    signal.throwIfAborted();
    if (!output.write(`${JSON.stringify(answerLine(index, line))}\n`)) await once(output, 'drain', { signal });
  }
}

interface LineAnswer {
  /** As it was given; null where the line has none that could be read. */
  readonly id: unknown;
  readonly ranked: readonly string[];
  readonly error?: string;
}

/** A bad line gets its answer too: whoever counts lines is not put out of step. */
function answerLine(index: ToolIndex, line: string): LineAnswer {
  let asked: { readonly id?: unknown; readonly query?: unknown; readonly k?: unknown } | null;
  try {
    asked = JSON.parse(line) as typeof asked;
  } catch (error) {
    return refused(null, `This line is not JSON: ${(error as Error).message}`);
  }
  if (typeof asked !== 'object' || asked === null || Array.isArray(asked)) {
    return refused(null, 'This line is no object. Write {"id":"1","query":"read a file","k":5}.');
  }
  const { id = null, query, k = DEFAULT_LIMIT } = asked;
  if (typeof query !== 'string') return refused(id, "This line has no text 'query'.");
  if (!isLimit(k)) return refused(id, "'k' must be a whole number from 1 on.");
  return { id, ranked: index.search(query, k).map(toolId) };
}

function refused(id: unknown, error: string): LineAnswer {
  return { id, ranked: [], error };
}

/** How many tools a search gives. */
const DEFAULT_LIMIT = 10;

function isLimit(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 1;
}

function limitFrom(text: string | undefined): number {
  return wholeNumber('k', text) ?? DEFAULT_LIMIT;
}

/** The tools of the configured servers as a search sees them, and which servers it cannot see. */
interface Absent {
  readonly failures: readonly ServerFailure[];
  /** Have not answered yet. */
  readonly connecting: readonly string[];
}

interface SearchedTools {
  /** Each with the public name it goes by. */
  readonly tools: readonly (SearchableTool & { readonly name: string })[];
  readonly absent: Absent;
}

/** Somebody waits at the terminal: a server that takes longer is named, and found the next time. */
const DEFAULT_WAIT_SECONDS = '10';

async function searchedTools(
  context: Context,
  options: { readonly fresh: boolean; readonly waitSeconds: string | undefined },
): Promise<SearchedTools> {
  const patienceMs = millisecondsFrom(options.waitSeconds ?? DEFAULT_WAIT_SECONDS);
  const { snapshot, failures, connecting } = await offeredTools(context, { fresh: options.fresh, patienceMs });
  return { tools: snapshot.entries.map(searchable), absent: { failures, connecting } };
}

function searchable({ name, server, tool, definition }: Entry): SearchableTool & { readonly name: string } {
  const { title, description, inputSchema } = definition;
  return {
    name,
    server,
    tool,
    inputSchema,
    ...(typeof title === 'string' ? { title } : {}),
    ...(typeof description === 'string' ? { description } : {}),
  };
}

function millisecondsFrom(seconds: string): number {
  const number = seconds.trim() === '' ? Number.NaN : Number(seconds);
  if (Number.isFinite(number) && number >= 0) return Math.min(number * 1000, MAX_TIMER_MS);
  throw new JunctorError('usage', `--wait cannot be '${seconds}'.`, { hint: 'a number of seconds' });
}

/** A timer takes no more. */
const MAX_TIMER_MS = 2 ** 31 - 1;
