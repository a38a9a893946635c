/** One MCP tool as a tool of the AI SDK. */

import type { ToolRef, ToolResult } from '@junctor/core';
import { jsonSchema, type Tool, type ToolExecutionOptions } from 'ai';
import type { ModelTool } from '../toolbox/model-tool.ts';
import type { RunOptions } from '../toolbox/options.ts';
import type { Toolbox } from '../toolbox/toolbox.ts';
import type { Approvals } from './approval.ts';
import { modelOutput } from './model-output.ts';
import type { ModelTraits } from './model-traits.ts';
import { type ToolProgress, withProgress } from './with-progress.ts';

/** The output of a tool: its result, and until then what its server says of its progress. */
export type AiToolOutput = ToolResult | ToolProgress;

interface Surroundings {
  readonly box: Toolbox;
  readonly approvals: Approvals;
  readonly traits: ModelTraits;
  readonly progress: boolean;
}

export function aiTool(
  tool: ModelTool,
  { box, approvals, traits, progress }: Surroundings,
): Tool<unknown, AiToolOutput> {
  const { name, from, description, inputSchema, strict } = tool;
  /** Whose words each result holds: of a tool that calls others it is the other's server. */
  const whoseWords = new WeakMap<ToolResult, ToolRef | undefined>();
  const call = async (input: unknown, { toolCallId, messages }: Asked, run: RunOptions): Promise<ToolResult> => {
    const ask = approvals.askFor(toolCallId, messages);
    const { result, from: whose } = await box.call(name, input ?? {}, { ...run, ...(ask ? { ask } : {}) });
    // What could not be attempted is an error of the run; what a server or a person said is the output of the tool.
    if (!whose && !result.success && !result.denied) throw new Error(result.error);
    whoseWords.set(result, whose);
    return result;
  };
  return {
    type: 'dynamic',
    description,
    inputSchema: jsonSchema<unknown>(inputSchema),
    ...(strict ? { strict } : {}),
    ...(from ? { metadata: { server: from.server, tool: from.tool } } : {}),
    execute: (input, asked) =>
      progress
        ? withProgress(run => call(input, asked, run), asked.abortSignal)
        : call(input, asked, { signal: asked.abortSignal }),
    toModelOutput: ({ input, output }) => {
      const result = output as AiToolOutput;
      if ('progress' in result) return { type: 'text', value: result.message ?? 'The call has not ended.' };
      // A result that comes back from where messages are kept is a copy.
      const whose = whoseWords.has(result) ? whoseWords.get(result) : box.judged(name, input)?.ref;
      return modelOutput(box.host, { result, ...(whose ? { from: whose } : {}) }, traits);
    },
  };
}

type Asked = Pick<ToolExecutionOptions<unknown>, 'toolCallId' | 'messages'>;
