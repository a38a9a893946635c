/** How many tools a search gives. */
import { wholeNumber } from '../../number-option.ts';

export const DEFAULT_LIMIT = 10;

export function isLimit(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 1;
}

export function limitFrom(text: string | undefined): number {
  return wholeNumber('k', text) ?? DEFAULT_LIMIT;
}
