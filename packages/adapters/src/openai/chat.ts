/** Tools for OpenAI's Chat Completions, which many other providers speak too. */
import type { Host } from '@junctor/core';
import { textForModel } from '../result/for-model.ts';
import { withOwnSearch } from '../toolbox/deferral.ts';
import type { RunOptions, ToolboxOptions } from '../toolbox/options.ts';
import { asRequest, type PlainTools } from '../toolbox/plain-tools.ts';
import { readArguments } from '../toolbox/read-arguments.ts';
import { openToolbox } from '../toolbox/toolbox.ts';

/** One entry of `tools`. */
export interface ChatTool {
  /** Always `function`. */
  readonly type: 'function';
  /** Its name, what it does, and the JSON Schema of its arguments. */
  readonly function: {
    readonly name: string;
    readonly description: string;
    readonly parameters: Record<string, unknown>;
    /** The model is held to the schema: only where nothing is lost by that. */
    readonly strict?: true;
  };
}

/** One entry of `tool_calls`. */
export interface ChatToolCall {
  /** What the answer names. */
  readonly id: string;
  /** The name of the tool, and its arguments as JSON. */
  readonly function: { readonly name: string; readonly arguments: string };
}

/** The message that answers a call. This API takes text only here: pictures and sounds are named. */
export interface ChatToolMessage {
  /** Always `tool`. */
  readonly role: 'tool';
  /** The call that it answers. */
  readonly tool_call_id: string;
  /** What the model reads. Pictures are named in words: this API takes none here. */
  readonly content: string;
}

/** Which tools, for which model, and with which of your own. */
export interface OpenAiToolsOptions<Native> extends ToolboxOptions {
  /** Such as `gpt-5`, or `qwen3` on another host: names and schemas are such as it reads. Default: those of OpenAI. */
  readonly model?: string | undefined;
  /** The program's own tools, as they stand in `tools`. They come first, and keep their names. */
  readonly native?: readonly Native[] | undefined;
}

/** Any entry of `tools`: other kinds than functions have no name of ours to clash with. */
interface AnyChatTool {
  readonly type: string;
  readonly function?: { readonly name: string };
}

/** The tools of a host for Chat Completions. Spread `request` into the body, and answer calls with `run`. */
export async function openaiTools<Native extends AnyChatTool = never>(
  host: Host,
  options: OpenAiToolsOptions<Native> = {},
): Promise<PlainTools<Native | ChatTool, ChatToolCall, ChatToolMessage>> {
  const { native = [], model = 'openai' } = options;
  const taken = native.flatMap(tool => tool.function?.name ?? []);
  const box = await openToolbox(host, { profile: model, taken }, options);
  const { shown, beyond } = withOwnSearch(box, options, native.length);
  return {
    ...asRequest([
      ...native,
      ...shown.map(
        ({ name, description, inputSchema, strict }): ChatTool => ({
          type: 'function',
          function: { name, description, parameters: inputSchema, ...(strict ? { strict } : {}) },
        }),
      ),
    ]),
    failures: box.failures,
    pending: box.pending,
    serverInstructions: box.serverInstructions,
    beyond,
    has: call => box.find(call.function.name) !== undefined,
    async run(call, run: RunOptions = {}) {
      const answered = await box.call(call.function.name, readArguments(call.function.arguments), run);
      return { role: 'tool', tool_call_id: call.id, content: textForModel(host, answered) };
    },
  };
}
