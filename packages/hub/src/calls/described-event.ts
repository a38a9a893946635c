import { isJunctorError } from '@junctor/core';
import { toldOf } from '@junctor/core/light';

/** A result, or arguments, that are larger are not sent to everybody who listens; REST has them. */
const MAX_RESULT = 16 * 1024;

/** An event as JSON: errors in words, secrets masked. */
export function describedEvent(event: object, mask: (text: string) => string): string {
  return JSON.stringify(event, (key, value: unknown) => {
    if (typeof value === 'string') return mask(value);
    if (isJunctorError(value)) return { ...toldOf(value), server: value.server };
    if (value instanceof Error) return { message: value.message };
    if (value instanceof Map) return Object.fromEntries(value);
    if ((key === 'result' || key === 'args') && value !== undefined) return withinLimit(value);
    return value;
  });
}

function withinLimit(result: unknown): unknown {
  const bytes = JSON.stringify(result)?.length ?? 0;
  return bytes > MAX_RESULT ? { left_out: `${bytes} characters` } : result;
}
