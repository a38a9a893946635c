import { type Frame, frameText, parseExactly } from '@junctor/core/inside';
import { isObject } from '../endpoint/message.ts';

/** The result of an answer, to be written anew: its numbers stay as they are. Undefined where there is none. */
export function exactResult(frame: Frame): Record<string, unknown> | undefined {
  try {
    const { result } = parseExactly(frameText(frame)) as { result?: unknown };
    return isObject(result) ? result : undefined;
  } catch {
    return undefined;
  }
}
