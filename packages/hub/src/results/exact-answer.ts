/** Answers of servers as values that are written anew, for models to read. */
import {
  cleanStructured,
  type Frame,
  frameBytes,
  frameText,
  isObject,
  parseExactly,
  readRpcError,
  withoutUnseen,
} from '@junctor/core/internal';
import { AnswerError } from '../relay/job.ts';

/** Reading exactly takes more memory, which counts where an answer is large. */
const LARGE_BYTES = 1024 * 1024;
/** Where there are numbers that programs read. */
const NUMBERS = '"structuredContent"';

/** An answer to be written anew: its numbers stay as they are. Empty where it is none. */
export function exactAnswer(frame: Frame): Record<string, unknown> {
  const isLarge = frameBytes(frame) > LARGE_BYTES;
  const text = frameText(frame);
  try {
    const message = isLarge && !text.includes(NUMBERS) ? JSON.parse(text) : parseExactly(text);
    return isObject(message) ? message : {};
  } catch (error) {
    // Reading exactly climbs down level by level, and ends where the stack does: what is nested so deeply cannot be looked
    // into, and must not pass unseen.
    if (error instanceof RangeError) throw error;
    return {};
  }
}

/** The result of an answer; undefined where there is none. */
export function exactResult({ result, error }: Record<string, unknown>): Record<string, unknown> | undefined {
  return !error && isObject(result) ? result : undefined;
}

/** Models read what a server says went wrong, too. Undefined where it passes as it is. */
export function cleanError(given: unknown): AnswerError | undefined {
  const { code, message, data } = readRpcError(given);
  const [text, more] = [withoutUnseen(message), cleanStructured(data, withoutUnseen)];
  const same = isObject(given) && code === given.code && text === given.message && more === data;
  return same ? undefined : new AnswerError(code, text, more);
}
