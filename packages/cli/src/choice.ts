import { JunctorError } from '@junctor/core/light';

/** The value of an option that takes one of a few words. */
export function oneOf(name: string, value: unknown, words: readonly string[]): string {
  if (words.includes(String(value))) return String(value);
  throw new JunctorError('usage', `--${name} cannot be '${value}'.`, { hint: `use ${words.join(' or ')}` });
}
