/** What a model of the AI SDK is known to do with tools, by the provider it is reached through. Pure. */
import type { LanguageModel } from 'ai';
import type { MediaPart } from '../result/for-model.ts';
import { claudeSearches, gptSearches } from '../toolbox/searching-models.ts';

export interface ModelTraits {
  /** Whose rules for names and schemas count. Absent where no model is named: then the tools are left as they are. */
  readonly profile?: string;
  /** Media it takes in the answer of a tool. Others are named in words: most providers would send them as base64 text. */
  takes(part: MediaPart): boolean;
  /** Whose search finds deferred tools, where there is one. */
  readonly search?: 'anthropic' | 'openai';
  /** Whether this very model is known to search. */
  readonly searches: boolean;
}

export function traitsOf(model: LanguageModel | undefined): ModelTraits {
  if (model === undefined) return { takes: nothing, searches: false };
  const { provider, id } = identify(model);
  if (/^anthropic\b/.test(provider)) {
    return { profile: 'anthropic', takes: imagesAndPdf, search: 'anthropic', searches: claudeSearches(id) };
  }
  if (provider === 'openai.responses') {
    return { profile: 'openai-responses', takes: imagesAndPdf, search: 'openai', searches: gptSearches(id) };
  }
  if (/^openai\b/.test(provider)) return { profile: 'openai', takes: nothing, searches: false };
  if (/^google\b/.test(provider)) return { profile: 'gemini', takes: seenBy(id), searches: false };
  if (/bedrock/.test(provider)) return { profile: 'bedrock', takes: nothing, searches: false };
  // A gateway converts as the provider behind it does.
  const converts = provider === 'gateway' && /^(?:anthropic|google)\//.test(id);
  return { profile: id, takes: converts ? seenBy(id) : nothing, searches: false };
}

function imagesAndPdf({ type, mimeType }: MediaPart): boolean {
  return type === 'image' || mimeType === 'application/pdf';
}

function nothing(): boolean {
  return false;
}

/** Models before Gemini 3 take no media inside the answer of a tool. */
function seenBy(id: string): ModelTraits['takes'] {
  return /gemini-[12]\./.test(id) ? nothing : imagesAndPdf;
}

/** A model that is only named goes through a gateway. */
function identify(model: LanguageModel): { readonly provider: string; readonly id: string } {
  return typeof model === 'string'
    ? { provider: 'gateway', id: model }
    : { provider: model.provider, id: model.modelId };
}
