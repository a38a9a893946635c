import { maskArguments } from '@junctor/core/inside';
import type { CallAbout } from './call-record.ts';

/** What is kept of the arguments of one call. Enough to recognise it by; a file that was passed in is not kept whole. */
const MAX_KEPT = 4000;

/** Larger arguments are not even looked at: masking them would hold up the hub. */
const MAX_LOOKED_AT_BYTES = 64 * 1024;

/** Arguments as they may be kept: secrets masked, cut where they are long. Null where there are none worth it. */
export function shownArguments({ args, bytes, mask }: CallAbout): string | null {
  if (args === undefined || args === null) return null;
  if (bytes > MAX_LOOKED_AT_BYTES) return `… (${bytes} bytes, not kept)`;
  const text = JSON.stringify(maskArguments(args, mask));
  return text.length > MAX_KEPT ? `${text.slice(0, MAX_KEPT)}… (${text.length} characters)` : text;
}
