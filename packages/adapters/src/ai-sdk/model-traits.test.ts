import type { LanguageModel } from 'ai';
import { describe, expect, test } from 'vitest';
import { traitsOf } from './model-traits.ts';

const image = { type: 'image', mimeType: 'image/png', data: 'AAAA' } as const;
const pdf = { type: 'file', mimeType: 'application/pdf', data: 'AAAA' } as const;
const sound = { type: 'audio', mimeType: 'audio/wav', data: 'AAAA' } as const;

describe('what a model takes and does', () => {
  test.each([
    ['anthropic.messages', 'claude-opus-4-5', true, 'anthropic', true],
    ['anthropic.messages', 'claude-3-5-haiku-latest', true, 'anthropic', false],
    ['openai.responses', 'gpt-5.4', true, 'openai', true],
    ['openai.responses', 'gpt-4o', true, 'openai', false],
    ['openai.chat', 'gpt-5.4', false, undefined, false],
    ['google.generative-ai', 'gemini-3-pro-preview', true, undefined, false],
    ['google.generative-ai', 'gemini-2.5-flash', false, undefined, false],
    ['gateway', 'anthropic/claude-opus-4-5', true, undefined, false],
    ['gateway', 'google/gemini-2.5-pro', false, undefined, false],
    ['gateway', 'mistral/mistral-large', false, undefined, false],
    ['lmstudio.chat', 'qwen3', false, undefined, false],
  ])('%s %s', (provider, modelId, media, search, searches) => {
    const traits = traitsOf({ provider, modelId } as LanguageModel);
    expect([image, pdf, sound].map(traits.takes)).toEqual([media, media, false]);
    expect([traits.search, traits.searches]).toEqual([search, searches]);
  });

  test('is nothing special where no model is named; a named one goes through a gateway', () => {
    expect([traitsOf(undefined), traitsOf('anthropic/claude-opus-4-5')].map(({ takes }) => takes(image))).toEqual([
      false,
      true,
    ]);
  });
});
