/** What was read of a stored result, as content of another: a text, or the picture, sound or file that was asked for. Pure. */
import type { ContentPart } from '../content.ts';
import type { ResultReading } from './read-artifact.ts';
import { readingText } from './reading-text.ts';

export function readingParts(reading: ResultReading, whose: { readonly trusted: boolean }): ContentPart[] {
  const { id, media } = reading;
  if (!media) return [{ type: 'text', text: readingText(reading, whose) }];
  const { mimeType, data } = media;
  if (mimeType.startsWith('image/')) return [{ type: 'image', mimeType, data }];
  return [{ type: 'resource', resource: { uri: `junctor:result/${id}`, mimeType, blob: data } }];
}
