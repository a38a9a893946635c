/** Tools for OpenAI's Responses API. */
import type { Host } from '@junctor/core';
import { type ModelPart, partsForModel } from '../result/for-model.ts';
import { withNativeSearch } from '../toolbox/deferral.ts';
import type { RunOptions, ToolboxOptions } from '../toolbox/options.ts';
import { asRequest, type PlainTools } from '../toolbox/plain-tools.ts';
import { readArguments } from '../toolbox/read-arguments.ts';
import { gptSearches } from '../toolbox/searching-models.ts';
import { openToolbox } from '../toolbox/toolbox.ts';
import { asFunction, keptBack, type ResponsesTool } from './responses-tools.ts';

/** An item of `output` with the type `function_call`. */
export interface ResponsesToolCall {
  /** What the answer names. */
  readonly call_id: string;
  /** The name of the tool. */
  readonly name: string;
  /** As JSON. */
  readonly arguments: string;
}

/** The item that answers a call, for `input`. */
export interface ResponsesToolOutput {
  /** Always `function_call_output`. */
  readonly type: 'function_call_output';
  /** The call that it answers. */
  readonly call_id: string;
  /** What the model reads: a text, or parts with pictures and files. */
  readonly output: string | ResponsesOutputPart[];
}

/** One part of an answer: `type` tells which. */
export type ResponsesOutputPart =
  | { readonly type: 'input_text'; readonly text: string }
  | { readonly type: 'input_image'; readonly image_url: string; readonly detail: 'auto' }
  | { readonly type: 'input_file'; readonly filename: string; readonly file_data: string };

/** Which tools, for which model, and with which of your own. */
export interface OpenAiResponsesToolsOptions<Native> extends ToolboxOptions {
  /** The program's own tools, as they stand in `tools`. They come first, and keep their names. */
  readonly native?: readonly Native[] | undefined;
  /** Such as `gpt-5.4`: what it is known to do decides about `defer: 'auto'`. */
  readonly model?: string | undefined;
}

interface AnyResponsesTool {
  readonly type: string;
  readonly name?: string;
}

/** The tools of a host for the Responses API. Spread `request` into the body, and answer calls with `run`. */
export async function openaiResponsesTools<Native extends AnyResponsesTool = never>(
  host: Host,
  options: OpenAiResponsesToolsOptions<Native> = {},
): Promise<PlainTools<Native | ResponsesTool, ResponsesToolCall, ResponsesToolOutput>> {
  const { native = [], model } = options;
  const taken = native.flatMap(tool => tool.name ?? []);
  const box = await openToolbox(host, { profile: 'openai-responses', taken }, options);
  const { shown, deferred, beyond } = withNativeSearch(box, options, gptSearches(model), native.length);
  return {
    ...asRequest([...native, ...shown.map(asFunction), ...keptBack([...deferred])]),
    failures: box.failures,
    pending: box.pending,
    serverInstructions: box.serverInstructions,
    beyond,
    has: call => box.find(call.name) !== undefined,
    async run({ call_id, name, arguments: text }, run: RunOptions = {}) {
      const answered = await box.call(name, readArguments(text), run);
      const parts = partsForModel(host, answered, ({ type, mimeType }) => type === 'image' || mimeType === PDF);
      return { type: 'function_call_output', call_id, output: outputOf(parts) };
    },
  };
}

const PDF = 'application/pdf';

function outputOf(parts: readonly ModelPart[]): ResponsesToolOutput['output'] {
  const [only] = parts;
  return parts.length === 1 && only?.type === 'text' ? only.text : parts.map(outputPart);
}

function outputPart(part: ModelPart): ResponsesOutputPart {
  if (part.type === 'text') return { type: 'input_text', text: part.text };
  const url = `data:${part.mimeType};base64,${part.data}`;
  if (part.type === 'image') return { type: 'input_image', image_url: url, detail: 'auto' };
  return { type: 'input_file', filename: 'result.pdf', file_data: url };
}
