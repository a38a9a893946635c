/**
 * Takes out of a result what is too heavy for a model: pictures that were resized or could not be, media above the limit,
 * base64 inside texts, and media that structured content repeats. What is taken out goes to the store. Pure.
 */
import { isRawNumber } from '../../base/json/exact-json.ts';
import { isTooWide, type ResultLimits } from '../budget/limits.ts';
import {
  type ContentPart,
  type MediaBlock,
  mediaOfPart,
  type ReferencePart,
  textOfPart,
  withText,
} from '../content.ts';
import type { ToolResult } from '../tool-result.ts';
import { base64Bytes } from './base64.ts';
import { type InlineMedia, withoutInlineMedia } from './inline-media.ts';

export interface LightenOptions {
  readonly limits: ResultLimits;
  /** Pictures that fit now, by the block they stand for. */
  readonly resized: ReadonlyMap<ContentPart, ContentPart>;
  /** Under which the result will be kept. Undefined: nowhere. */
  readonly id: string | undefined;
}

export interface Lightened {
  readonly parts: readonly ContentPart[];
  readonly data: unknown;
  /** What is not in it any more, in the order references count. */
  readonly removed: readonly InlineMedia[];
}

/** A shorter text may be the same by chance. */
const MIN_REPEATED_CHARS = 40;

export function lighten({ parts, data }: ToolResult, options: LightenOptions): Lightened {
  const work = new Lightening(options);
  const lighter = parts.map(part => work.lighten(part));
  return { parts: lighter, data: work.lightenData(data), removed: work.removed };
}

class Lightening {
  readonly removed: InlineMedia[] = [];
  readonly #options: LightenOptions;
  /** What stands in structured content for media that has a block of its own. */
  readonly #named = new Map<string, string>();
  #mediaBytes = 0;

  constructor(options: LightenOptions) {
    this.#options = options;
  }

  lighten(part: ContentPart): ContentPart {
    const text = textOfPart(part);
    if (text !== undefined) {
      const shorter = withoutInlineMedia(text, this.#take);
      return shorter === text ? part : withText(part, shorter);
    }
    const media = mediaOfPart(part);
    if (!media) return part;
    if (media.data.length >= MIN_REPEATED_CHARS) this.#named.set(media.data, `[the ${media.kind} of this result]`);
    const smaller = this.#options.resized.get(part);
    if (smaller) this.#remove(media);
    const now = smaller ? (mediaOfPart(smaller) as MediaBlock) : media;
    const bytes = base64Bytes(now.data);
    const fits = this.#mediaBytes + bytes <= this.#options.limits.maxMediaBytes;
    if (fits && (smaller || !isTooWide(media, this.#options.limits))) {
      this.#mediaBytes += bytes;
      return smaller ?? part;
    }
    return this.#reference(media, smaller ? this.removed.length - 1 : this.#remove(media));
  }

  lightenData(value: unknown): unknown {
    if (typeof value === 'string') return this.#named.get(value) ?? withoutInlineMedia(value, this.#take);
    if (typeof value !== 'object' || value === null || isRawNumber(value)) return value;
    if (Array.isArray(value)) {
      const items = value.map(item => this.lightenData(item));
      return items.every((item, index) => item === value[index]) ? value : items;
    }
    const entries = Object.entries(value);
    const lighter = entries.map(([key, inner]) => [key, this.lightenData(inner)] as const);
    // The same value where nothing was taken out: its digits are remembered by it.
    return lighter.every(([, inner], index) => inner === entries[index]?.[1]) ? value : Object.fromEntries(lighter);
  }

  #remove({ mimeType, data }: { readonly mimeType: string | undefined; readonly data: string }): number {
    return this.removed.push({ mimeType: mimeType ?? 'application/octet-stream', data }) - 1;
  }

  #reference({ kind, mimeType, uri, data }: MediaBlock, media: number): ReferencePart {
    const { id } = this.#options;
    return {
      type: 'reference',
      of: kind,
      ...(mimeType === undefined ? {} : { mimeType }),
      bytes: base64Bytes(data),
      ...(uri === undefined ? {} : { uri }),
      ...(id === undefined ? {} : { id, media }),
    };
  }

  readonly #take = (media: InlineMedia): string => {
    const index = this.#remove(media);
    const { id } = this.#options;
    const kept = id === undefined ? 'not kept' : `kept as ${id}, media ${index}`;
    return `[${media.mimeType}, ${base64Bytes(media.data)} bytes, ${kept}]`;
  };
}
