/** One MCP tool as a tool of the AI SDK. */

import type { Host, ToolRef, ToolResult } from '@junctor/core';
import { jsonSchema, type Tool, type ToolExecutionOptions } from 'ai';
import { type ModelPart, partsForModel, textForModel } from '../result/for-model.ts';
import type { Answered } from '../toolbox/call-for-model.ts';
import type { ModelTool } from '../toolbox/model-tool.ts';
import type { RunOptions } from '../toolbox/options.ts';
import type { Toolbox } from '../toolbox/toolbox.ts';
import type { Approvals } from './approval.ts';
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

/** A result as the AI SDK passes it on to a model: text, media, an error, or a no. */
type ModelOutput = Awaited<ReturnType<NonNullable<Tool['toModelOutput']>>>;
type OutputPart = Extract<ModelOutput, { type: 'content' }>['value'][number];

function modelOutput(host: Host, answered: Answered, { takes }: ModelTraits): ModelOutput {
  const { success, denied } = answered.result;
  if (denied) return { type: 'execution-denied', reason: textForModel(host, answered) };
  if (!success) return { type: 'error-text', value: textForModel(host, answered) };
  const parts = partsForModel(host, answered, takes);
  if (parts.every(part => part.type === 'text'))
    return { type: 'text', value: parts.map(({ text }) => text).join('\n') };
  return { type: 'content', value: parts.map(outputPart) };
}

function outputPart(part: ModelPart): OutputPart {
  if (part.type === 'text') return { type: 'text', text: part.text };
  const { mimeType: mediaType, data } = part;
  return { type: 'file', mediaType, data: { type: 'data', data } };
}
