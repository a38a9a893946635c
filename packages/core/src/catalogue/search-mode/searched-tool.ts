/** A tool as it is searched, found and told of. Pure. */
import type { Entry } from '../entry.ts';

export interface SearchedTool {
  /** The public name. */
  readonly name: string;
  readonly server: string;
  /** The server's own name for it. */
  readonly tool: string;
  readonly title?: string | undefined;
  /** Cleaned and cut, with the line that says whose tool it is. */
  readonly description: string;
  /** As its reader can read it. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

export function searchedTool({ name, server, tool, offered }: Entry): SearchedTool {
  const { title, description, inputSchema } = offered;
  return { name, server, tool, title: typeof title === 'string' ? title : undefined, description, inputSchema };
}

/** How much servers say about these tools, in their own words: what Junctor adds or leaves out does not count. */
export function descriptionChars(entries: Iterable<Pick<Entry, 'definition'>>): number {
  let chars = 0;
  for (const { definition } of entries)
    if (typeof definition.description === 'string') chars += definition.description.length;
  return chars;
}
