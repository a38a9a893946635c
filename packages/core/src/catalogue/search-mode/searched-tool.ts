/**
 * A tool as it is searched, found and told of. Its texts are cleaned as in any list, but it is not fitted to a reader: no
 * API looks at what a model says through call_tool, so that its schema is the server's own.
 */
import type { Entry, ToolDefinition } from '../entry.ts';
import { fitSchema } from '../schema-fit/fit-schema.ts';
import { cleanAndCut } from '../untrusted/clean-text.ts';
import { describeTool } from '../untrusted/describe-tool.ts';

const LONGEST_TITLE = 200;

/** What is told of it is worked out when somebody asks: of ten thousand tools five are found. */
export class SearchedTool {
  /** The public name. */
  readonly name: string;
  readonly server: string;
  /** The server's own name for it. */
  readonly tool: string;
  readonly definition: ToolDefinition;
  #description: string | undefined;
  #inputSchema: Readonly<Record<string, unknown>> | undefined;

  constructor({ server, tool, definition }: Pick<Entry, 'server' | 'tool' | 'definition'>, name: string) {
    this.name = name;
    this.server = server;
    this.tool = tool;
    this.definition = definition;
  }

  get title(): string | undefined {
    const { title } = this.definition;
    return typeof title === 'string' ? cleanAndCut(title, LONGEST_TITLE) : undefined;
  }

  /** With the line that says whose tool it is. */
  get description(): string {
    this.#description ??= describeTool(this.definition.description, this);
    return this.#description;
  }

  get inputSchema(): Readonly<Record<string, unknown>> {
    this.#inputSchema ??= fitSchema(this.definition.inputSchema).schema;
    return this.#inputSchema;
  }
}

const MADE = new WeakMap<Entry, SearchedTool>();

/** The same one for the same entry. */
export function searchedTool(entry: Entry): SearchedTool {
  let tool = MADE.get(entry);
  if (!tool) {
    tool = new SearchedTool(entry, entry.name);
    MADE.set(entry, tool);
  }
  return tool;
}

/** How much servers say about these tools, in their own words: what Junctor adds or leaves out does not count. */
export function descriptionChars(entries: Iterable<Pick<Entry, 'definition'>>): number {
  let chars = 0;
  for (const { definition } of entries)
    if (typeof definition.description === 'string') chars += definition.description.length;
  return chars;
}
