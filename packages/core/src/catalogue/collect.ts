/** Gathers all pages of a server's tools. It receives pages; whoever calls it does the talking. */
import { JunctorError } from '../base/error.ts';
import type { ToolDefinition } from './entry.ts';

export interface Page {
  readonly tools?: unknown;
  readonly nextCursor?: unknown;
}

export interface Collected {
  readonly tools: readonly ToolDefinition[];
  /** Tools that could not be used, with the reason. */
  readonly skipped: readonly { readonly name: string; readonly because: string }[];
}

/** Far more than any honest server needs; a server that never ends its list must not keep us for ever. */
const MAX_PAGES = 1000;

export async function collectTools(server: string, fetchPage: (cursor?: string) => Promise<Page>): Promise<Collected> {
  const tools = new Map<string, ToolDefinition>();
  const skipped: { name: string; because: string }[] = [];
  const cursors = new Set<string>();
  let cursor: string | undefined;
  do {
    const page = await fetchPage(cursor);
    if (!Array.isArray(page?.tools)) {
      throw new JunctorError('malformed_response', `Server '${server}' answered tools/list without a list.`, {
        server,
      });
    }
    for (const tool of page.tools) {
      const because = whyUnusable(tool, tools);
      if (because) skipped.push({ name: nameOf(tool), because });
      else tools.set((tool as ToolDefinition).name, withSchema(tool as ToolDefinition));
    }
    cursor = typeof page.nextCursor === 'string' && page.nextCursor !== '' ? page.nextCursor : undefined;
    if (cursor !== undefined && (cursors.has(cursor) || cursors.size >= MAX_PAGES)) {
      throw new JunctorError('malformed_response', `Server '${server}' never ends its list of tools.`, {
        server,
        why: cursors.has(cursor) ? 'it gave the same cursor twice' : `it gave more than ${MAX_PAGES} pages`,
      });
    }
    if (cursor !== undefined) cursors.add(cursor);
  } while (cursor !== undefined);
  // Sorted, so that the list a model sees is the same bytes each time.
  return { tools: [...tools.values()].sort((a, b) => compare(a.name, b.name)), skipped };
}

function whyUnusable(tool: unknown, known: ReadonlyMap<string, unknown>): string | undefined {
  if (typeof tool !== 'object' || tool === null) return 'it is not an object';
  const { name } = tool as { name?: unknown };
  if (typeof name !== 'string' || name === '') return 'it has no name';
  if (known.has(name)) return 'another tool of this server has the same name';
  return undefined;
}

function withSchema(tool: ToolDefinition): ToolDefinition {
  const { inputSchema } = tool;
  const usable = typeof inputSchema === 'object' && inputSchema !== null && !Array.isArray(inputSchema);
  return usable ? tool : { ...tool, inputSchema: { type: 'object', additionalProperties: true } };
}

function nameOf(tool: unknown): string {
  const name = (tool as { name?: unknown } | null)?.name;
  return typeof name === 'string' ? name : '(unnamed)';
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
