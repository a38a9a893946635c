/** Tools for the AI SDK: given to generateText, streamText or an agent, they run by themselves. */

import type { Host, ServerFailure } from '@junctor/core';
import type { LanguageModel, Tool, ToolSet } from 'ai';
import { withNativeSearch, withOwnSearch } from '../toolbox/deferral.ts';
import type { ToolboxOptions } from '../toolbox/options.ts';
import { openToolbox } from '../toolbox/toolbox.ts';
import { Approvals, type ToolApproval } from './approval.ts';
import { traitsOf } from './model-traits.ts';
import { deferredMarks, SEARCH_TOOLS } from './native-search.ts';
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
