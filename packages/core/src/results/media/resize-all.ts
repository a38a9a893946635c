/** Brings the pictures of a result down to the limit, where that is possible. */

import { isTooWide, type ResultLimits } from '../budget/limits.ts';
import { type ContentPart, mediaOfPart } from '../content.ts';
import { base64Bytes } from './base64.ts';
import { type ImageSize, imageSize } from './image-size.ts';
import { MAX_DECODED_PIXELS, type ResizeImage } from './resize.ts';

/** The blocks that take the place of others. A picture that stays too large is not among them. */
export async function resizeAll(
  parts: readonly ContentPart[],
  limits: ResultLimits,
  resize: ResizeImage,
): Promise<Map<ContentPart, ContentPart>> {
  const resized = new Map<ContentPart, ContentPart>();
  // One after the other: a hundred pictures at once would take all the memory there is.
  for (const part of parts) {
    const smaller = await resizeOne(part, limits, resize);
    if (smaller) resized.set(part, smaller);
  }
  return resized;
}

async function resizeOne(
  part: ContentPart,
  limits: ResultLimits,
  resize: ResizeImage,
): Promise<ContentPart | undefined> {
  const media = mediaOfPart(part);
  if (!media || !isTooWide(media, limits)) return undefined;
  const size = imageSize(media.data) as ImageSize;
  if (size.width * size.height > MAX_DECODED_PIXELS) return undefined;
  const smaller = await resize(media.data, scaled(size, limits.maxImagePx));
  if (!smaller) return undefined;
  const { data, mimeType, width, height } = smaller;
  const original = { ...size, bytes: base64Bytes(media.data), mimeType: media.mimeType };
  const about = { mimeType, resized: { width, height, original } };
  if (part.type !== 'resource') return { ...part, data, ...about };
  return { ...part, resource: { ...(part.resource as object), blob: data, ...about } };
}

function scaled({ width, height }: ImageSize, longest: number): ImageSize {
  const factor = longest / Math.max(width, height);
  return { width: Math.max(1, Math.round(width * factor)), height: Math.max(1, Math.round(height * factor)) };
}
