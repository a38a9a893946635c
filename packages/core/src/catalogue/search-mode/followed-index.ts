/** An index of tools that follows what servers offer: only the tools of a server that changed are indexed anew. */
import { setImmediate as pause } from 'node:timers/promises';
import { type SearchableTool, ToolIndex } from '../search/tool-index.ts';
import type { WordVectors } from '../search/word-vectors.ts';
import type { SearchedTool } from './searched-tool.ts';

interface Found {
  readonly server: string;
  readonly tool: string;
}

export class FollowedIndex {
  readonly #index: ToolIndex;
  readonly #held = new Map<string, readonly SearchedTool[]>();
  #turn: Promise<void> = Promise.resolve();

  /** With vectors, words near in meaning are found too. */
  constructor(vectors?: () => WordVectors | undefined) {
    this.#index = new ToolIndex(vectors);
  }

  /**
   * The identities of the best of these tools, the best first. One search after the other: while the tools of one are
   * indexed, which thousands of them take a second for, calls go on and other searches wait.
   */
  search(tools: readonly SearchedTool[], query: string, limit: number): Promise<readonly Found[]> {
    const found = this.#turn.then(async () => {
      await this.#follow(tools);
      return this.#index.search(query, limit);
    });
    this.#turn = found.then(nothing, nothing);
    return found;
  }

  async #follow(tools: readonly SearchedTool[]): Promise<void> {
    const now = Map.groupBy(tools, ({ server }) => server);
    for (const server of [...this.#held.keys()]) {
      if (now.has(server)) continue;
      this.#index.dropServer(server);
      this.#held.delete(server);
    }
    for (const [server, own] of now) {
      if (sameTools(this.#held.get(server), own)) continue;
      for (const _step of this.#index.settingServer(server, own.map(asSearchable))) await pause();
      this.#held.set(server, own);
    }
  }
}

const nothing = (): void => {};

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
