/** Whether an answer holds nothing that would have to be changed on its way, told from its bytes. */
import { isAscii } from 'node:buffer';
import type { Frame } from '@junctor/core/internal';

/** Anything but visible ASCII and white space, an escape that may stand for such a thing, or the address of a resource. */
const WORTH_A_LOOK = /[^\t\n\r -~]|\\[bfu]|"resource/;

/** The same, to be found one by one. Other control characters may not stand in JSON but as escapes. */
const WORDS_WORTH_A_LOOK = [
  Buffer.from([0x7f]),
  Buffer.from('"resource'),
  ...['\\u', '\\b', '\\f'].map(text => Buffer.from(text)),
];

/** Up to here one expression is quicker than five searches, each of which is twenty times as quick by the byte. */
const SHORT_BYTES = 2048;

/** Nearly every answer is plain, and passes as it is. */
export function isPlainFrame(frame: Frame): boolean {
  const [only] = frame;
  const bytes = frame.length === 1 && only ? only : Buffer.concat(frame);
  if (bytes.length <= SHORT_BYTES) return !WORTH_A_LOOK.test(bytes.toString('latin1'));
  return isAscii(bytes) && !WORDS_WORTH_A_LOOK.some(word => bytes.includes(word));
}
