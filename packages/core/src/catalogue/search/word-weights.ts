/**
 * How much each word says about a tool: BM25F. A word counts by the parts it stands in, more often counts less and less,
 * and in a long part it counts less than in a short one.
 */

import { stem } from './stem.ts';
import { tellingWords } from './telling-words.ts';
import type { TextField, ToolText } from './tool-text.ts';

interface FieldRule {
  readonly weight: number;
  /** How much its length counts against it, from 0 to 1. */
  readonly lengthShare: number;
  /**
   * How many words it usually has. Fixed, not taken from the catalogue: a tool is weighed the same whatever stands beside
   * it, so that a change of one server concerns that server alone.
   */
  readonly usualWords: number;
}

const FIELDS: Readonly<Record<TextField, FieldRule>> = {
  name: { weight: 3, lengthShare: 0.3, usualWords: 3 },
  title: { weight: 1, lengthShare: 0.3, usualWords: 3 },
  server: { weight: 1.5, lengthShare: 0.2, usualWords: 2 },
  description: { weight: 1, lengthShare: 0.5, usualWords: 15 },
  parameters: { weight: 0.5, lengthShare: 0.7, usualWords: 4 },
  parameterTexts: { weight: 0.2, lengthShare: 0.7, usualWords: 20 },
};

/** How soon more of the same word stops counting. */
const SATURATION = 1.2;
/** No text of a tool is longer. */
const MAX_CHARS = 8_000;

export interface WordWeight {
  readonly weight: number;
  /** As the tool writes it first. */
  readonly written: string;
}

/** By the stems of the words. */
export function wordWeights(text: ToolText): ReadonlyMap<string, WordWeight> {
  const weights = new Map<string, WordWeight>();
  for (const field of Object.keys(FIELDS) as TextField[]) {
    const { weight, lengthShare, usualWords } = FIELDS[field];
    const words = tellingWords(text[field], MAX_CHARS);
    const each = weight / (1 - lengthShare + (lengthShare * words.length) / usualWords);
    for (const word of words) {
      const own = stem(word);
      const before = weights.get(own);
      weights.set(own, { weight: (before?.weight ?? 0) + each, written: before?.written ?? word });
    }
  }
  for (const [own, { weight, written }] of weights) {
    weights.set(own, { weight: (weight * (SATURATION + 1)) / (weight + SATURATION), written });
  }
  return weights;
}
