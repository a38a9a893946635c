/** The content blocks of a result: what each kind holds, and how it reads where only words can stand. Pure. */
import { isObject } from '../base/json/is-object.ts';
import { cutText } from './budget/cut-text.ts';
import { base64Bytes } from './media/base64.ts';

/** One block. Kinds that nobody here knows are blocks like any other: they are kept, and named. */
export interface ContentPart {
  /** `text`, `image`, `audio`, `resource`, `resource_link`, `reference`, or a kind that nobody knows yet. */
  readonly type: string;
  readonly [field: string]: unknown;
}

/** Stands where media was left out: what it was, and where it is kept. */
export interface ReferencePart extends ContentPart {
  /** It stands in the place of what was kept. */
  readonly type: 'reference';
  /** The kind of block it stands for. */
  readonly of: string;
  /** What it is. */
  readonly mimeType?: string;
  /** How large it is. */
  readonly bytes: number;
  /** What the server calls it. */
  readonly uri?: string;
  /** The stored result, and the place of the media in it. Absent where it could not be kept. */
  readonly id?: string;
  /** Its number, for `host.readResult(id, { media })`. */
  readonly media?: number;
}

/** The media of a block, as base64. */
export interface MediaBlock {
  readonly kind: 'image' | 'audio' | 'resource';
  readonly data: string;
  readonly mimeType: string | undefined;
  readonly uri: string | undefined;
}

/** A server may send anything in the place of a block. Nothing of it is lost. */
export function readParts(content: unknown): ContentPart[] {
  const blocks = Array.isArray(content) ? content : isObject(content) ? [content] : [];
  return blocks.map(block => {
    if (!isObject(block)) return { type: 'unknown', value: block };
    return typeof block.type === 'string' ? (block as ContentPart) : { ...block, type: 'unknown' };
  });
}

/** The words of a block, undefined where it has none. */
export function textOfPart(part: ContentPart): string | undefined {
  if (part.type === 'text') return wordsOf(part.text);
  if (part.type !== 'resource') return undefined;
  const text = resourceOf(part).text;
  return typeof text === 'string' ? text : undefined;
}

export function withText(part: ContentPart, text: string): ContentPart {
  return part.type === 'resource' ? { ...part, resource: { ...resourceOf(part), text } } : { ...part, text };
}

export function mediaOfPart(part: ContentPart): MediaBlock | undefined {
  if (part.type === 'resource') {
    const { blob, mimeType, uri } = resourceOf(part);
    return typeof blob === 'string'
      ? { kind: 'resource', data: blob, mimeType: textOrNone(mimeType), uri: textOrNone(uri) }
      : undefined;
  }
  if ((part.type !== 'image' && part.type !== 'audio') || typeof part.data !== 'string') return undefined;
  return { kind: part.type, data: part.data, mimeType: textOrNone(part.mimeType), uri: undefined };
}

/** A block as one text: its own words, or what it is. Media is never spelled out. */
export function describePart(part: ContentPart): string {
  const text = textOfPart(part);
  if (text !== undefined) return text;
  switch (part.type) {
    case 'image':
    case 'audio':
      return bracketed([`${part.type} ${wordsOf(part.mimeType)}`, bytesOf(base64Bytes(part.data)), resizedFrom(part)]);
    case 'resource_link':
      return bracketed([`link ${wordsOf(part.uri)}`, ...factsOf(part)]);
    case 'resource': {
      const resource = resourceOf(part);
      const size = typeof resource.blob === 'string' ? bytesOf(base64Bytes(resource.blob)) : undefined;
      return bracketed([`resource ${wordsOf(resource.uri)}`, textOrNone(resource.mimeType), size]);
    }
    case 'reference':
      return describeReference(part as ReferencePart);
    default:
      return describeUnknown(part);
  }
}

function describeReference({ of, mimeType, bytes, uri, id, media }: ReferencePart): string {
  const kept = id === undefined ? 'not kept' : `kept as ${id}, media ${media}`;
  return bracketed([`${of}${uri === undefined ? '' : ` ${uri}`}`, mimeType, bytesOf(bytes), kept]);
}

const MAX_UNKNOWN_CHARS = 500;

function describeUnknown({ type, ...rest }: ContentPart): string {
  const { _meta, ...fields } = rest;
  if (Object.keys(fields).length === 0) return `[${type}]`;
  const json = JSON.stringify(fields);
  return `[${type} ${cutText(json, { maxChars: MAX_UNKNOWN_CHARS })}]`;
}

/** What a link says about the resource it leads to. */
function factsOf({ title, name, mimeType, size, description }: ContentPart): (string | undefined)[] {
  const named = textOrNone(title) ?? textOrNone(name);
  return [
    named === undefined ? undefined : `"${named}"`,
    textOrNone(mimeType),
    typeof size === 'number' ? bytesOf(size) : undefined,
    textOrNone(description),
  ];
}

function resizedFrom({ resized }: ContentPart): string | undefined {
  const { width, height, original } = (resized ?? {}) as {
    width?: number;
    height?: number;
    original?: { width: number; height: number };
  };
  return original && `${width} × ${height}, resized from ${original.width} × ${original.height}`;
}

function bracketed(facts: readonly (string | undefined)[]): string {
  return `[${facts.filter(Boolean).join(', ')}]`;
}

function bytesOf(bytes: number): string {
  return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`;
}

function resourceOf(part: ContentPart): Record<string, unknown> {
  return isObject(part.resource) ? part.resource : {};
}

function wordsOf(value: unknown): string {
  return typeof value === 'string' ? value : value === undefined ? '' : String(value);
}

function textOrNone(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
