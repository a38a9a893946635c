/** A tool of a server as one run knows it. What its model is told is worked out when it is told: many are only searched. */
import type { Entry, ToolRef } from '@junctor/core';
import { SearchedTool } from '@junctor/core/internal';
import type { ModelTool } from './model-tool.ts';
import { namesBeside } from './own-names.ts';

export class ServerTool implements ModelTool, ToolRef {
  readonly name: string;
  readonly server: string;
  readonly tool: string;
  readonly from: ToolRef;
  readonly #entry: Entry;

  constructor(entry: Entry, name: string) {
    const { server, tool } = entry;
    this.name = name;
    this.server = server;
    this.tool = tool;
    this.from = { server, tool };
    this.#entry = entry;
  }

  get description(): string {
    return this.#entry.offered.description;
  }

  get inputSchema(): ModelTool['inputSchema'] {
    return this.#entry.offered.inputSchema;
  }

  get strict(): boolean {
    return this.#entry.fit.strict;
  }

  /** For a search. */
  get searched(): SearchedTool {
    return new SearchedTool(this.#entry, this.name);
  }
}

/** The tools of a run, under names that none of the program's own has. */
export function serverTools(
  entries: readonly Entry[],
  taken: ReadonlySet<string>,
  collisions: 'rename' | 'refuse',
): ServerTool[] {
  const names = namesBeside(entries, taken, collisions);
  return entries.map((entry, index) => new ServerTool(entry, names[index] as string));
}
