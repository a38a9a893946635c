import { describe, expect, test } from 'vitest';
import { followsChanges, searchesTools } from './decide.ts';

const rest = { toolCalling: true, contextWindow: 200_000, descriptionChars: 50_000 };

describe('whether tools are searched', () => {
  test.each([
    // A tenth of 200,000 tokens of 2.5 characters each.
    [{ descriptionChars: 50_000 }, true],
    [{ descriptionChars: 49_999 }, false],
    [{ toolCalling: false }, false],
    [{ contextWindow: 31_999 }, false],
    [{ contextWindow: 32_000, descriptionChars: 8000 }, true],
    [{ contextWindow: 32_000, descriptionChars: 7999 }, false],
    [{ rule: { enabled: false } }, false],
    [{ rule: { enabled: true } }, true],
    [{ rule: { min_context_window: 200_001 } }, false],
    [{ rule: { min_context_window: 200_000 } }, true],
    [{ rule: { context_threshold: 0.2 } }, false],
    [{ rule: { context_threshold: 0.2 }, descriptionChars: 100_000 }, true],
    [{ rule: { context_threshold: 0 }, descriptionChars: 0 }, true],
    // Fractions: 0.07 × 100,000 × 2.5 is 17,500 and not a little more; half a character is none.
    [{ rule: { context_threshold: 0.07 }, contextWindow: 100_000, descriptionChars: 17_500 }, true],
    [{ rule: { context_threshold: 0.07 }, contextWindow: 100_000, descriptionChars: 17_499 }, false],
    [{ rule: { context_threshold: 0.29 }, contextWindow: 100_000, descriptionChars: 72_500 }, true],
    [{ rule: { context_threshold: 0.29 }, contextWindow: 100_000, descriptionChars: 72_499 }, false],
    [{ contextWindow: 33_333, descriptionChars: 8333 }, true],
    [{ contextWindow: 33_333, descriptionChars: 8332 }, false],
  ])('%j: %s', (facts, searched) => {
    expect(searchesTools({ ...rest, ...facts })).toBe(searched);
  });

  test('changes of lists are followed unless the config says no', () => {
    expect([
      followsChanges(undefined),
      followsChanges({}),
      followsChanges({ search_on_list_changed: false }),
      followsChanges({ search_on_list_changed: true }),
    ]).toEqual([true, true, false, true]);
  });
});
