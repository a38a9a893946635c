/** Whether an answer holds nothing that would have to be changed on its way, told from its bytes. */
import type { Frame } from '@junctor/core/inside';

/** Anything but visible ASCII and white space, an escape that may stand for such a thing, or the address of a resource. */
const WORTH_A_LOOK = /[^\t\n\r -~]|\\[bfu]|"resource/;

/** Nearly every answer is plain: one search through it, and it passes as it is. */
export function isPlainFrame(frame: Frame): boolean {
  const [only] = frame;
  const bytes = frame.length === 1 && only ? only : Buffer.concat(frame);
  return !WORTH_A_LOOK.test(bytes.toString('latin1'));
}
