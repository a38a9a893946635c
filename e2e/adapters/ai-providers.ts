/** Models of the AI SDK, each through the package of its provider, all of them the scripted one. */
import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogle } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { ScriptedModel } from '@junctor/testkit/model';
import type { LanguageModel } from 'ai';

const apiKey = 'only-a-test';

export interface AiProvider {
  readonly name: string;
  /** Whether answers of tools may hold pictures. */
  readonly pictures: boolean;
  open(model: ScriptedModel): LanguageModel;
}

export const AI_PROVIDERS: readonly AiProvider[] = [
  {
    name: 'OpenAI Responses',
    pictures: true,
    open: ({ url }) => createOpenAI({ apiKey, baseURL: url }).responses('gpt-5.4'),
  },
  {
    name: 'OpenAI Chat Completions',
    pictures: false,
    open: ({ url }) => createOpenAI({ apiKey, baseURL: url }).chat('gpt-4o'),
  },
  {
    name: 'Anthropic',
    pictures: true,
    open: ({ url }) => createAnthropic({ apiKey, baseURL: url })('claude-sonnet-4-5'),
  },
  {
    name: 'Google',
    pictures: true,
    open: ({ geminiUrl }) => createGoogle({ apiKey, baseURL: geminiUrl })('gemini-3-pro-preview'),
  },
  {
    name: 'OpenAI-compatible',
    pictures: false,
    open: ({ url }) => createOpenAICompatible({ name: 'any', baseURL: url })('scripted-1'),
  },
];
