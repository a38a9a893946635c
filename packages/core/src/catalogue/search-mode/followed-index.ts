/** An index of tools that follows what servers offer: only the tools of a server that changed are indexed anew. */
import { type SearchableTool, ToolIndex } from '../search/tool-index.ts';
import type { WordVectors } from '../search/word-vectors.ts';
import type { SearchedTool } from './searched-tool.ts';

export class FollowedIndex {
  readonly #index: ToolIndex;
  readonly #held = new Map<string, readonly SearchedTool[]>();

  /** With vectors, words near in meaning are found too. */
  constructor(vectors?: () => WordVectors | undefined) {
    this.#index = new ToolIndex(vectors);
  }

  /** From now on these are the tools. */
  follow(tools: readonly SearchedTool[]): void {
    const now = Map.groupBy(tools, ({ server }) => server);
    for (const server of [...this.#held.keys()]) {
      if (now.has(server)) continue;
      this.#index.dropServer(server);
      this.#held.delete(server);
    }
    for (const [server, own] of now) {
      if (sameTools(this.#held.get(server), own)) continue;
      this.#index.setServer(server, own.map(asSearchable));
      this.#held.set(server, own);
    }
  }

  /** The identities of the best, the best first. */
  search(query: string, limit: number): readonly { readonly server: string; readonly tool: string }[] {
    return this.#index.search(query, limit);
  }
}

/** More words say nothing more about what a tool is for. */
const LONGEST_DESCRIPTION = 4000;

/** As the server has it: it is only matched, and nobody reads it from here. */
function asSearchable({ server, tool, definition }: SearchedTool): SearchableTool {
  const { title, description, inputSchema } = definition;
  return {
    server,
    tool,
    ...(typeof title === 'string' ? { title } : {}),
    ...(typeof description === 'string' ? { description: description.slice(0, LONGEST_DESCRIPTION) } : {}),
    inputSchema,
  };
}

/** Definitions are never changed in place. */
function sameTools(held: readonly SearchedTool[] | undefined, now: readonly SearchedTool[]): boolean {
  if (held?.length !== now.length) return false;
  return now.every(({ tool, definition }, index) => {
    const before = held[index];
    return before?.tool === tool && before.definition === definition;
  });
}
