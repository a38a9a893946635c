/** Tools for Anthropic's Messages API. */
import type { Host } from '@junctor/core';
import { type ModelPart, partsForModel } from '../result/for-model.ts';
import { withNativeSearch } from '../toolbox/deferral.ts';
import type { ModelTool } from '../toolbox/model-tool.ts';
import type { ToolboxOptions } from '../toolbox/options.ts';
import { asRequest, type PlainTools } from '../toolbox/plain-tools.ts';
import { claudeSearches } from '../toolbox/searching-models.ts';
import { openToolbox } from '../toolbox/toolbox.ts';

/** What stands in `tools` of a request: a tool, or the search of the provider. */
export type AnthropicTool = AnthropicCustomTool | typeof TOOL_SEARCH;

/** One tool. */
export interface AnthropicCustomTool {
  /** What the model calls it by. */
  readonly name: string;
  /** What it does, and where it is from. */
  readonly description: string;
  /** The JSON Schema of its arguments. */
  readonly input_schema: { type: 'object'; [keyword: string]: unknown };
  /** true: the model reads it when a search finds it. */
  readonly defer_loading?: true;
}

/** The search by plain words: a model writes these more surely than patterns. */
const TOOL_SEARCH = { type: 'tool_search_tool_bm25_20251119', name: 'tool_search_tool_bm25' } as const;

/** A block of `content` with the type `tool_use`. */
export interface AnthropicToolUse {
  /** What the answer names. */
  readonly id: string;
  /** The name of the tool. */
  readonly name: string;
  /** Its arguments. */
  readonly input: unknown;
}

/** The block that answers it, for the next message of the user. */
export interface AnthropicToolResult {
  /** Always `tool_result`. */
  readonly type: 'tool_result';
  /** The call that it answers. */
  readonly tool_use_id: string;
  /** What the model reads: texts, pictures, documents. */
  readonly content: AnthropicResultBlock[];
  /** true where the tool failed, was denied, or could not be called. */
  readonly is_error?: true;
}

/** One block of an answer: `type` tells which. */
export type AnthropicResultBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly source: Base64Source<ImageType> }
  | { readonly type: 'document'; readonly source: Base64Source<typeof PDF> };

interface Base64Source<MediaType extends string> {
  readonly type: 'base64';
  readonly media_type: MediaType;
  readonly data: string;
}

const PDF = 'application/pdf';
type ImageType = 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp';

/** Which tools, for which model, and with which of your own. */
export interface AnthropicToolsOptions<Native> extends ToolboxOptions {
  /** The program's own tools, as they stand in `tools`. They come first, and keep their names. */
  readonly native?: readonly Native[] | undefined;
  /** Such as `claude-opus-4-5`: what it is known to do decides about `defer: 'auto'`. */
  readonly model?: string | undefined;
}

/** The tools of a host for the Messages API. Spread `request` into the body, and answer calls with `run`. */
export async function anthropicTools<Native extends { readonly name: string } = never>(
  host: Host,
  options: AnthropicToolsOptions<Native> = {},
): Promise<PlainTools<Native | AnthropicTool, AnthropicToolUse, AnthropicToolResult>> {
  const { native = [], model } = options;
  const taken = native.map(({ name }) => name);
  const box = await openToolbox(host, { profile: 'anthropic', taken: [...taken, TOOL_SEARCH.name] }, options);
  const { shown, deferred, beyond } = withNativeSearch(box, options, claudeSearches(model), native.length);
  const search = deferred.size > 0 && !taken.some(name => name.startsWith('tool_search_tool_'));
  return {
    ...asRequest([
      ...native,
      ...(search ? [TOOL_SEARCH] : []),
      ...shown.map(definition),
      ...[...deferred].map(tool => ({ ...definition(tool), defer_loading: true as const })),
    ]),
    failures: box.failures,
    pending: box.pending,
    serverInstructions: box.serverInstructions,
    beyond,
    has: ({ name }) => box.find(name) !== undefined,
    async run({ id, name, input }, run = {}) {
      const answered = await box.call(name, input ?? {}, run);
      const parts = partsForModel(host, answered, ({ type, mimeType }) => type === 'image' || mimeType === PDF);
      const failed = answered.result.success ? {} : { is_error: true as const };
      return { type: 'tool_result', tool_use_id: id, content: parts.map(blockOf), ...failed };
    },
  };
}

function definition({ name, description, inputSchema }: ModelTool): AnthropicCustomTool {
  return { name, description, input_schema: { ...inputSchema, type: 'object' } };
}

function blockOf(part: ModelPart): AnthropicResultBlock {
  if (part.type === 'text') return { type: 'text', text: part.text };
  const { mimeType, data } = part;
  if (part.type === 'image') {
    return { type: 'image', source: { type: 'base64', media_type: mimeType as ImageType, data } };
  }
  return { type: 'document', source: { type: 'base64', media_type: PDF, data } };
}
