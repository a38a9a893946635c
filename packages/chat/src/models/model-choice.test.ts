import { describe, expect, test } from 'vitest';
import { chooseModel } from './model-choice.ts';

const url = 'http://127.0.0.1:1/v1';

describe('the model that is meant', () => {
  test.each([
    [{ model: 'anthropic/claude-x' }, { provider: 'anthropic', name: 'claude-x' }],
    [
      { model: 'openai/gpt-x', baseUrl: url },
      { provider: 'openai', name: 'gpt-x', baseUrl: url },
    ],
    [
      { model: 'qwen3:8b', baseUrl: url },
      { provider: 'compatible', name: 'qwen3:8b', baseUrl: url },
    ],
    [
      { model: 'meta/llama', baseUrl: url },
      { provider: 'compatible', name: 'meta/llama', baseUrl: url },
    ],
    [
      { model: 'compatible/openai/x', baseUrl: url },
      { provider: 'compatible', name: 'openai/x', baseUrl: url },
    ],
  ])('%j', (words, choice) => {
    expect(chooseModel(words)).toEqual(choice);
  });

  test.each([
    [{}, 'model_required'],
    [{ baseUrl: url }, 'model_required'],
    [{ model: 'claude' }, 'usage'],
    [{ model: 'anthropic/' }, 'usage'],
    [{ model: 'x', baseUrl: 'ftp://x' }, 'usage'],
    [{ model: 'x', baseUrl: 'nonsense' }, 'usage'],
  ])('%j is refused with %s', (words, code) => {
    expect(() => chooseModel(words)).toThrow(expect.objectContaining({ code }));
  });
});
