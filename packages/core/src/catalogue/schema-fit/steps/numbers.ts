import type { Step } from '../adapt.ts';
import { without } from '../json-schema.ts';

const BOUNDS = [
  ['exclusiveMinimum', 'minimum'],
  ['exclusiveMaximum', 'maximum'],
] as const;

/** Draft 4 said with a boolean whether a bound is itself outside; since then the bound stands there. */
export const plainNumbers: Step = (node, { changes }, at) => {
  let plain = node;
  for (const [exclusive, bound] of BOUNDS) {
    const flag = plain[exclusive];
    if (typeof flag !== 'boolean') continue;
    const value = plain[bound];
    const rest = without(plain, exclusive);
    plain = flag && typeof value === 'number' ? { ...without(rest, bound), [exclusive]: value } : rest;
    changes.add(at, 'keyword-rewritten', exclusive);
  }
  return plain;
};
