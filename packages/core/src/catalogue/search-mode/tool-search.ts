/**
 * The search of one run: answers find_tools and describe_tool, and says which tool a call_tool means. It talks to no server
 * and judges nothing: whoever owns the run brings the tools, and carries calls out.
 */

import { numberIn } from '../../base/json/exact-json.ts';
import { nearest } from '../../base/text/nearest.ts';
import { toolKey } from '../../base/tool-key.ts';
import { CALL_TOOL, DEFAULT_FOUND, DESCRIBE_TOOL, FIND_TOOLS, MAX_FOUND } from '../builtin-tools/search-tools.ts';
import { problemWith, readArguments } from './arguments.ts';
import type { FollowedIndex } from './followed-index.ts';
import type { SearchedTool } from './searched-tool.ts';
import { type AbsentServer, describingText, findingText } from './tool-texts.ts';

export interface SearchRun {
  /** The tools that the run began with. */
  readonly begin: readonly SearchedTool[];
  /** The tools of the run as they are now. */
  tools(): Promise<readonly SearchedTool[]>;
  /** Servers whose tools are not there. */
  absent(): readonly AbsentServer[];
  /** Whether a search sees what changed since the run began. */
  readonly follows: boolean;
  /** Runs with the same tools may share one. */
  readonly index: FollowedIndex;
}

/** A search waits this long for servers that are still starting, and names those that take longer: it can be repeated. */
export const SEARCH_PATIENCE_MS = 2000;

/** What a model is told, or the call that it wants. */
export type SearchAnswer =
  | { readonly text: string; readonly failed: boolean }
  | { readonly call: SearchedTool; readonly args: Record<string, unknown> };

type Arguments = Readonly<Record<string, unknown>>;

export class ToolSearch {
  readonly #run: SearchRun;
  readonly #index: FollowedIndex;
  /** As they were when last looked at. */
  #seen: readonly SearchedTool[];

  constructor(run: SearchRun) {
    this.#run = run;
    this.#seen = run.begin;
    this.#index = run.index;
  }

  /** The call that a call_tool is for, as far as that is known without asking anybody. */
  wanted({ name, arguments: written }: Arguments): { readonly tool: SearchedTool; readonly args: unknown } | undefined {
    const tool = toolNamed(this.#seen, name);
    return tool && { tool, args: readArguments(written) };
  }

  /** Undefined: it is no tool of the search. */
  async answer(name: string, args: Arguments): Promise<SearchAnswer | undefined> {
    if (name === FIND_TOOLS.name) return this.#find(args);
    if (name === DESCRIBE_TOOL.name) return this.#describe(args);
    return name === CALL_TOOL.name ? this.#call(args) : undefined;
  }

  async #find({ query, limit }: Arguments): Promise<SearchAnswer> {
    if (typeof query !== 'string' || query.trim() === '') return failed('Say in query what the tool should do.');
    const tools = await this.#look();
    const indexed = this.#run.follows ? tools : this.#run.begin;
    const wanted = numberIn(limit) ?? DEFAULT_FOUND;
    const most = Number.isInteger(wanted) ? Math.min(Math.max(1, wanted), MAX_FOUND) : DEFAULT_FOUND;
    const byKey = new Map(tools.map(tool => [toolKey(tool), tool]));
    const named = toolNamed(tools, query.trim());
    const best = await this.#index.search(indexed, query, most);
    const ranked = best.flatMap(one => byKey.get(toolKey(one)) ?? []);
    const found = [...new Set(named ? [named, ...ranked] : ranked)].slice(0, most);
    const begun = new Set(indexed.map(toolKey));
    const searched = tools.filter(tool => begun.has(toolKey(tool)) || tool === named);
    return { text: findingText({ query, found, searched, absent: this.#run.absent() }), failed: false };
  }

  async #describe({ name }: Arguments): Promise<SearchAnswer> {
    const tools = await this.#look();
    const tool = toolNamed(tools, name);
    return tool ? { text: describingText(tool), failed: false } : this.#unknown(name, tools);
  }

  async #call({ name, arguments: written }: Arguments): Promise<SearchAnswer> {
    const tools = await this.#look();
    const call = toolNamed(tools, name);
    if (!call) return this.#unknown(name, tools);
    const args = readArguments(written);
    const problem = problemWith(args, call.inputSchema);
    return problem === undefined ? { call, args: args as Record<string, unknown> } : failed(withSchema(problem, call));
  }

  async #look(): Promise<readonly SearchedTool[]> {
    this.#seen = await this.#run.tools();
    return this.#seen;
  }

  #unknown(name: unknown, tools: readonly SearchedTool[]): SearchAnswer {
    const known = tools.map(tool => tool.name);
    const near = typeof name === 'string' ? nearest(name, known) : undefined;
    const absent = this.#run.absent().map(({ server, because }) => `${server}: ${because}`);
    const reason = absent.length > 0 ? ` Not there: ${absent.join('; ')}.` : '';
    const hint = near === undefined ? '' : ` Did you mean '${near}'?`;
    return failed(`There is no tool ${JSON.stringify(name)}.${hint} find_tools searches all of them.${reason}`);
  }
}

/** What was wrong, and what the tool takes: the model can try again at once. */
export function withSchema(problem: string, { name, inputSchema }: SearchedTool): string {
  return `The arguments of '${name}' do not fit: ${problem}.\nThey must fit this JSON Schema: ${JSON.stringify(inputSchema)}`;
}

/** By its public name; by server and tool; or by the tool alone, where only one is called so. */
function toolNamed(tools: readonly SearchedTool[], name: unknown): SearchedTool | undefined {
  const exact = tools.find(tool => tool.name === name) ?? tools.find(tool => `${tool.server}/${tool.tool}` === name);
  if (exact) return exact;
  const alone = tools.filter(({ tool }) => tool === name);
  return alone.length === 1 ? alone[0] : undefined;
}

function failed(text: string): { readonly text: string; readonly failed: boolean } {
  return { text, failed: true };
}
