import { describe, expect, test } from 'vitest';
import { claudeSearches, gptSearches } from './searching-models.ts';

describe('models that search deferred tools', () => {
  test.each([
    ['claude-opus-4-5', true],
    ['claude-sonnet-4-5-20250929', true],
    ['anthropic/claude-haiku-4.5', true],
    ['us.anthropic.claude-opus-4-10-v1:0', true],
    ['claude-sonnet-5', true],
    ['claude-opus-4-1-20250805', false],
    ['claude-sonnet-4-20250514', false],
    ['claude-3-7-sonnet-latest', false],
    ['gpt-6', false],
    [undefined, false],
  ])('%s of Anthropic: %s', (model, searches) => {
    expect(claudeSearches(model)).toBe(searches);
  });

  test.each([
    ['gpt-5.4', true],
    ['gpt-5.4-mini', true],
    ['openai/gpt-6-astra', true],
    ['gpt-5.10', true],
    ['gpt-5', false],
    ['gpt-5.1-codex', false],
    ['gpt-4.1', false],
    ['o3', false],
    [undefined, false],
  ])('%s of OpenAI: %s', (model, searches) => {
    expect(gptSearches(model)).toBe(searches);
  });
});
