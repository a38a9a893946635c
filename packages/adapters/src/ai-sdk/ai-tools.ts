/** Tools for the AI SDK: given to generateText, streamText or an agent, they run by themselves. */

import type { Host, ServerFailure } from '@junctor/core';
import { jsonSchema, type LanguageModel, type Tool, type ToolSet } from 'ai';
import { namespaceOf } from '../openai/responses-tools.ts';
import { withNativeSearch, withOwnSearch } from '../toolbox/deferral.ts';
import type { ModelTool } from '../toolbox/model-tool.ts';
import type { ToolboxOptions } from '../toolbox/options.ts';
import type { ServerTool } from '../toolbox/server-tool.ts';
import { openToolbox } from '../toolbox/toolbox.ts';
import { Approvals, type ToolApproval } from './approval.ts';
import { type ModelTraits, traitsOf } from './model-traits.ts';
import { type AiToolOutput, aiTool } from './one-tool.ts';

/** Which tools, for which model, and with which of your own. */
export interface AiToolsOptions<Native extends ToolSet> extends ToolboxOptions {
  /** The program's own tools. They keep their names. */
  readonly native?: Native | undefined;
  /** The model they are for. It decides what results may hold besides text, and whether tools can be deferred. */
  readonly model?: LanguageModel | undefined;
  /** Whether progress is streamed, as preliminary results. Default: true. */
  readonly progress?: boolean | undefined;
}

/** Can be spread into the options of generateText, streamText or an agent. */
export interface AiTools<Native extends ToolSet> {
  /** For `tools` of `generateText` and `streamText`. */
  readonly tools: Native & Record<string, Tool<unknown, AiToolOutput>>;
  /** Asks through the AI SDK's own hook about calls that no rule allows. Left out, the host asks. */
  readonly toolApproval: ToolApproval;
  /** Servers that could not be reached, each with its reason: their tools are not there. */
  readonly failures: readonly ServerFailure[];
  /** Ids of servers that still start: their tools come later. */
  readonly pending: readonly string[];
  /**
   * What servers say about the use of their tools, cleaned, cut and quoted as theirs. Put it at the end of your system
   * prompt where you want the model to know it; nothing does so by itself.
   */
  readonly serverInstructions: string | undefined;
  /** Names of tools that are left out because the API takes only so many. */
  readonly beyond: readonly string[];
}

/** The tools of a host for the AI SDK. Spread the whole into `generateText` or `streamText`, or take `tools` alone. */
// biome-ignore lint/complexity/noBannedTypes: no tools of its own, as the AI SDK writes it
export async function aiTools<Native extends ToolSet = {}>(
  host: Host,
  options: AiToolsOptions<Native> = {},
): Promise<AiTools<Native>> {
  const { native = {} as Native, model, progress = true } = options;
  const traits = traitsOf(model);
  const search = traits.search && SEARCH_TOOLS[traits.search];
  const own = Object.keys(native);
  const taken = search ? [...own, search.name] : own;
  const box = await openToolbox(host, { profile: traits.profile, taken }, options);
  const approvals = new Approvals(host, box);
  const { shown, deferred, beyond } = search
    ? withNativeSearch(box, options, traits.searches, own.length)
    : withOwnSearch(box, options, own.length);
  const marks = deferredMarks(traits.search, deferred);
  const tools = [...shown, ...deferred].map(
    tool => [tool.name, { ...aiTool(tool, { box, approvals, traits, progress }), ...marks.get(tool) }] as const,
  );
  return {
    tools: {
      ...(search && marks.size > 0 ? { [search.name]: search.tool } : {}),
      // The program may have put the same search in itself.
      ...native,
      ...Object.fromEntries(tools),
    } as AiTools<Native>['tools'],
    toolApproval: approvals.toolApproval,
    failures: box.failures,
    pending: box.pending,
    serverInstructions: box.serverInstructions,
    beyond,
  };
}

/** The providers' own search tools and the marks of deferred tools, as their packages for the AI SDK read them. */
type SearchProvider = NonNullable<ModelTraits['search']>;

/** The search runs at the provider: what it is asked and what it finds is between the model and itself. */
const anything = jsonSchema<unknown>({});

const SEARCH_TOOLS: Readonly<Record<SearchProvider, { readonly name: string; readonly tool: Tool }>> = {
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
function deferredMarks(
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
