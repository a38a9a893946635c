import { maskArguments } from '@junctor/core/inside';
import type { CallAbout } from './call-record.ts';

/** What is kept of the arguments of one call. Enough to recognise it by; a file that was passed in is not kept whole. */
const MAX_KEPT = 4000;

/** Larger arguments are not even looked at: masking them would hold up the hub. */
const MAX_LOOKED_AT_BYTES = 64 * 1024;

/** Wider than the names that are masked: what does not have these words in it has no such name. */
const MAY_NAME_SECRET = /auth|cookie|secret|pass|credential|key|token/i;

/** Arguments as they may be kept: secrets masked, cut where they are long; and how large they are. */
export function shownArguments({ args, mask }: Pick<CallAbout, 'args' | 'mask'>): {
  text: string | null;
  bytes: number;
} {
  if (args === undefined || args === null) return { text: null, bytes: 0 };
  const whole = JSON.stringify(args);
  const bytes = Buffer.byteLength(whole);
  if (bytes > MAX_LOOKED_AT_BYTES) return { text: `… (${bytes} bytes, not kept)`, bytes };
  // Nearly all arguments hold no secret: one look at the whole tells.
  const harmless = !MAY_NAME_SECRET.test(whole) && mask(whole) === whole;
  const text = harmless ? whole : JSON.stringify(maskArguments(args, mask));
  return { text: text.length > MAX_KEPT ? `${text.slice(0, MAX_KEPT)}… (${text.length} characters)` : text, bytes };
}
