/** The providers' own search tools and the marks of deferred tools, as their packages for the AI SDK read them. */
import { jsonSchema, type Tool } from 'ai';
import { namespaceOf } from '../openai/responses-tools.ts';
import type { ModelTool } from '../toolbox/model-tool.ts';
import type { ServerTool } from '../toolbox/server-tool.ts';
import type { ModelTraits } from './model-traits.ts';

export type SearchProvider = NonNullable<ModelTraits['search']>;

/** The search runs at the provider: what it is asked and what it finds is between the model and itself. */
const anything = jsonSchema<unknown>({});

export const SEARCH_TOOLS: Readonly<Record<SearchProvider, { readonly name: string; readonly tool: Tool }>> = {
  anthropic: {
    name: 'tool_search_tool_bm25',
    tool: {
      type: 'provider',
      id: 'anthropic.tool_search_bm25_20251119',
      args: {},
      isProviderExecuted: true,
      supportsDeferredResults: true,
      inputSchema: anything,
      outputSchema: anything,
    },
  },
  openai: {
    name: 'tool_search',
    tool: {
      type: 'provider',
      id: 'openai.tool_search',
      args: {},
      isProviderExecuted: false,
      inputSchema: anything,
      outputSchema: anything,
    },
  },
};

type Marks = { readonly providerOptions: NonNullable<Tool['providerOptions']> };

/** How each of these tools says that it is deferred. */
export function deferredMarks(
  provider: SearchProvider | undefined,
  deferred: ReadonlySet<ServerTool>,
): ReadonlyMap<ModelTool, Marks> {
  if (provider === 'anthropic') {
    return new Map([...deferred].map(tool => [tool, { providerOptions: { anthropic: { deferLoading: true } } }]));
  }
  return new Map(
    [...Map.groupBy(deferred, ({ server }) => server)].flatMap(([server, tools]) => {
      const openai = { deferLoading: true, namespace: namespaceOf(server, tools) };
      return tools.map((tool): [ServerTool, Marks] => [tool, { providerOptions: { openai } }]);
    }),
  );
}
