/** A catalogue in a file: tools that no server has to be asked for. */
import { type SearchableTool, ToolIndex, wordVectorsOnDemand } from '@junctor/core/known';
import { readJsonFile, unfitFile } from './json-file.ts';

const EXPECTED = '{"tools":[{"server":"fs","name":"read","description":"…","inputSchema":{…}}]}';

export async function readCatalogue(cwd: string, name: string): Promise<SearchableTool[]> {
  const { tools } = ((await readJsonFile(cwd, name, EXPECTED)) ?? {}) as { readonly tools?: unknown };
  if (!Array.isArray(tools)) throw unfitFile(name, "it has no list 'tools'", EXPECTED);
  return tools.map((tool: Partial<Record<string, unknown>> | null, index) => {
    const { server, name: own, title, description, inputSchema } = tool ?? {};
    if (typeof server !== 'string' || typeof own !== 'string') {
      throw unfitFile(name, `tools[${index}] has no text 'server' or no text 'name'`, EXPECTED);
    }
    return {
      server,
      tool: own,
      inputSchema,
      ...(typeof title === 'string' ? { title } : {}),
      ...(typeof description === 'string' ? { description } : {}),
    };
  });
}

export function indexTools(tools: readonly SearchableTool[]): ToolIndex {
  const index = new ToolIndex(wordVectorsOnDemand());
  for (const [server, own] of Map.groupBy(tools, tool => tool.server)) index.setServer(server, own);
  return index;
}

/** As files of queries and answers to programs write a tool. */
export function toolId({ server, tool }: { readonly server: string; readonly tool: string }): string {
  return `${server}/${tool}`;
}
