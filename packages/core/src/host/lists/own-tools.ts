/**
 * Junctor's own tools, called by their names: for a program that hands tools to its model without an adapter. Loaded with
 * the first such call.
 */

import { JunctorError } from '../../base/error.ts';
import type { CallOptions } from '../../calls/call.ts';
import { isInvalidArguments } from '../../calls/invalid-arguments.ts';
import { READ_RESULT } from '../../catalogue/builtin-tools/search-tools.ts';
import { FollowedIndex } from '../../catalogue/search-mode/followed-index.ts';
import { searchedTool } from '../../catalogue/search-mode/searched-tool.ts';
import { SEARCH_PATIENCE_MS, ToolSearch, withSchema } from '../../catalogue/search-mode/tool-search.ts';
import { readingParts } from '../../results/reading/reading-parts.ts';
import { type ToolResult, toToolResult } from '../../results/tool-result.ts';
import type { Host } from '../host.ts';
import { absentServers } from './absent-servers.ts';
import { otherListsTool } from './other-lists-tools.ts';

type Arguments = Readonly<Record<string, unknown>>;

export class OwnTools {
  readonly #host: Host;
  readonly #search: ToolSearch;

  /** Always follows what servers offer: only a run has a beginning to stay with. */
  constructor(host: Host) {
    this.#host = host;
    this.#search = new ToolSearch({
      begin: [],
      follows: true,
      index: new FollowedIndex(host.wordVectors),
      absent: () => absentServers(host),
      tools: async () =>
        [...(await host.snapshot({ patienceMs: SEARCH_PATIENCE_MS, again: true })).byName.values()].map(searchedTool),
    });
  }

  async call(name: string, args: Arguments, options: CallOptions): Promise<ToolResult> {
    const other = otherListsTool(name);
    if (other) return other.run(this.#host, args, options);
    if (name === READ_RESULT.name) return this.#readOn(args, options);
    const answer = await this.#search.answer(name, args);
    if (!answer) throw new JunctorError('tool_not_found', `There is no tool '${name}'.`);
    if ('text' in answer) return told(answer.text, !answer.failed);
    const { call, args: inner } = answer;
    try {
      return await this.#host.call({ server: call.server, tool: call.tool }, inner, options);
    } catch (error) {
      if (!isInvalidArguments(error)) throw error;
      return told(withSchema(this.#host.mask(error.message), call), false);
    }
  }

  async #readOn({ id, ...query }: Arguments, { session }: CallOptions): Promise<ToolResult> {
    const reading = await this.#host.readResult(String(id), query, session);
    const trusted = this.#host.server(reading.server)?.trusted ?? false;
    return toToolResult({ content: readingParts(reading, { trusted }) });
  }
}

function told(text: string, success: boolean): ToolResult {
  return toToolResult({ content: [{ type: 'text', text }], isError: !success });
}
