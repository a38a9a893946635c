import { isJunctorError } from '@junctor/core';
import { sentenceOf } from '@junctor/core/internal';
import { toldOf } from '@junctor/core/light';

/** What went wrong, why, and what to do about it, for the terminal of the hub. */
export function inWords(error: unknown): string {
  if (!isJunctorError(error)) return sentenceOf(error);
  const { message, why, hint } = toldOf(error);
  const more = [why, hint].filter(part => part !== undefined);
  return more.length === 0 ? message : `${message.replace(/\.$/, '')}: ${more.join('; ')}`;
}
