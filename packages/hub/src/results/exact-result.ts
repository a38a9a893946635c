import { type Frame, frameBytes, frameText, isObject, parseExactly } from '@junctor/core/inside';

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
  } catch {
    return {};
  }
}

/** The result of an answer; undefined where there is none. */
export function exactResult(frame: Frame): Record<string, unknown> | undefined {
  const { result } = exactAnswer(frame);
  return isObject(result) ? result : undefined;
}
