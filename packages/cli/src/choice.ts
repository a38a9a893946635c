import { JunctorError } from '@junctor/core/light';

/** The value of an option that takes one of a few words. */
export function oneOf<const Word extends string>(name: string, value: unknown, words: readonly Word[]): Word {
  const chosen = words.find(word => word === value);
  if (chosen !== undefined) return chosen;
  throw new JunctorError('usage', `--${name} cannot be '${value}'.`, { hint: `use ${words.join(' or ')}` });
}
