/** How many tools a search gives. */
import { JunctorError } from '@junctor/core/light';

export const DEFAULT_LIMIT = 10;

export function isLimit(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 1;
}

export function limitFrom(text: string | undefined): number {
  if (text === undefined) return DEFAULT_LIMIT;
  const limit = text.trim() === '' ? Number.NaN : Number(text);
  if (isLimit(limit)) return limit;
  throw new JunctorError('usage', `-k needs a whole number from 1 on, not '${text}'.`);
}
