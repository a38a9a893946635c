import { type Frame, frameBytes, frameText, parseExactly } from '@junctor/core/inside';
import { isObject } from '../endpoint/message.ts';

/** Reading exactly takes more memory, which counts where an answer is large. */
const LARGE_BYTES = 1024 * 1024;
/** Where there are numbers that programs read. */
const NUMBERS = '"structuredContent"';

/** The result of an answer, to be written anew: its numbers stay as they are. Undefined where there is none. */
export function exactResult(frame: Frame): Record<string, unknown> | undefined {
  const isLarge = frameBytes(frame) > LARGE_BYTES;
  const text = frameText(frame);
  try {
    const message = isLarge && !text.includes(NUMBERS) ? JSON.parse(text) : parseExactly(text);
    const { result } = message as { result?: unknown };
    return isObject(result) ? result : undefined;
  } catch {
    return undefined;
  }
}
