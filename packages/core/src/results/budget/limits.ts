/** How much of a result is handed on. What is above is kept, and can be read on. Pure. */

import { charsFor } from '../../base/text/tokens.ts';
import { mediaOfPart, textOfPart } from '../content.ts';
import { base64Bytes } from '../media/base64.ts';
import { imageSize } from '../media/image-size.ts';
import { mayHoldMedia } from '../media/inline-media.ts';
import type { ToolResult } from '../tool-result.ts';

export interface ResultLimits {
  readonly maxOutputTokens: number;
  /** The longer edge of a picture. */
  readonly maxImagePx: number;
  /** All pictures, sounds and files of one result together. */
  readonly maxMediaBytes: number;
}

export const DEFAULT_LIMITS: ResultLimits = {
  maxOutputTokens: 25_000,
  // Models scale larger pictures down to about this themselves, and bill for what they were sent.
  maxImagePx: 1568,
  maxMediaBytes: 5_000_000,
};

/** Whether a result may be handed on as it is. The way of nearly every call: it must cost next to nothing. */
export function isWithin({ output, data, parts }: ToolResult, limits: ResultLimits): boolean {
  const room = charsFor(limits.maxOutputTokens);
  if (output.length > room) return false;
  let mediaBytes = 0;
  for (const part of parts) {
    const text = textOfPart(part);
    if (text !== undefined) {
      if (mayHoldMedia(text)) return false;
      continue;
    }
    const media = mediaOfPart(part);
    if (!media) continue;
    mediaBytes += base64Bytes(media.data);
    if (isTooWide(media, limits)) return false;
  }
  if (mediaBytes > limits.maxMediaBytes) return false;
  if (data === undefined) return true;
  // Beside pictures, structured content often repeats them.
  if (mediaBytes > 0) return false;
  const json = parts.length === 0 ? output : JSON.stringify(data);
  return (parts.length === 0 ? 0 : output.length) + json.length <= room && !mayHoldMedia(json);
}

export function isTooWide(
  { kind, mimeType, data }: { kind: string; mimeType: string | undefined; data: string },
  { maxImagePx }: ResultLimits,
): boolean {
  if (kind !== 'image' && !mimeType?.startsWith('image/')) return false;
  const size = imageSize(data);
  return size !== undefined && Math.max(size.width, size.height) > maxImagePx;
}
