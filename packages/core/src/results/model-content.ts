/**
 * A result as a model gets it: texts, and the media it takes. Structured content stands there once, `_meta` never, base64
 * never as text. What an untrusted server said is cleaned of what nobody sees, and marked as data. Pure.
 */
import { cleanContent, cleanStructured } from '../catalogue/untrusted/clean-content.ts';
import { CUT_NOTICE } from './budget/fit.ts';
import { type ContentPart, describePart, mediaOfPart, textOfPart } from './content.ts';
import { markedAsData } from './marked-as-data.ts';
import { repeatsStructured } from './structured.ts';
import { structuredText } from './structured-text.ts';
import type { ToolResult } from './tool-result.ts';

/** One part of what a model is told: `type` tells which. Media is base64. */
export type ModelPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'audio'; readonly mimeType: string; readonly data: string }
  | { readonly type: 'file'; readonly mimeType: string; readonly data: string; readonly uri?: string };

/** What the model can read, and whose words it gets. */
export interface ModelContentOptions {
  /** What the model can read beside text. What it cannot becomes a reference. Default: pictures only. */
  readonly takes?: { readonly image?: boolean; readonly audio?: boolean; readonly file?: boolean };
  /** Where it came from. With `trusted: false` its text is marked as data. */
  readonly from?: { readonly server: string; readonly tool: string; readonly trusted: boolean };
}

/** A result as a model is given it: texts, and the media it takes. Structured content stands there once. */
export function modelContent(result: ToolResult, options: ModelContentOptions = {}): ModelPart[] {
  const { takes = {}, from } = options;
  // What Junctor itself says, as that a call was denied, is nobody's data.
  const isOwn = !from || from.trusted || result.denied;
  const notice = ownNotice(result);
  const said = notice ? result.parts.slice(0, -1) : result.parts;
  const parts = said.map(part => modelPart(isOwn ? part : cleanContent(part), { image: true, ...takes }));
  const shown = result.data === undefined || repeatsStructured(said, result.data);
  if (!shown || result.parts.length === 0) {
    const { data, output } = result;
    const text =
      data === undefined ? output : structuredText(data, isOwn ? undefined : value => cleanStructured(value));
    if (text !== '') parts.push({ type: 'text', text });
  }
  const marked = joinTexts(parts).map(part =>
    isOwn || part.type !== 'text' ? part : { ...part, text: markedAsData(part.text, from) },
  );
  return notice ? joinTexts([...marked, notice]) : marked;
}

/** What Junctor says about a result that it cut. Nobody else knows the id when the result is written. */
function ownNotice({ artifact, parts }: ToolResult): ModelPart | undefined {
  const last = artifact && parts.at(-1);
  const text = last?.type === 'text' ? String(last.text) : '';
  return artifact && text.startsWith(CUT_NOTICE) && text.includes(artifact.id) ? { type: 'text', text } : undefined;
}

/** The same as one text, for where there is room for no other. */
export function modelText(result: ToolResult, options: Pick<ModelContentOptions, 'from'> = {}): string {
  const takesNothing = { image: false, audio: false, file: false };
  const [only] = modelContent(result, { ...options, takes: takesNothing });
  return only?.type === 'text' ? only.text : '';
}

/** The kinds of pictures that every model with eyes can read. */
const PICTURES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

function modelPart(part: ContentPart, takes: NonNullable<ModelContentOptions['takes']>): ModelPart {
  const media = mediaOfPart(part);
  if (media) {
    const mimeType = media.mimeType?.toLowerCase() ?? '';
    const { data, uri } = media;
    if (takes.image && PICTURES.has(mimeType)) return { type: 'image', mimeType, data };
    if (takes.audio && mimeType.startsWith('audio/')) return { type: 'audio', mimeType, data };
    if (takes.file && media.kind === 'resource' && mimeType !== '') {
      return { type: 'file', mimeType, data, ...(uri === undefined ? {} : { uri }) };
    }
  }
  const text = describePart(part);
  if (part.type !== 'resource' || textOfPart(part) === undefined) return { type: 'text', text };
  return { type: 'text', text: `${resourceLine(part)}\n${text}` };
}

/** What an embedded text is, above the text itself. */
function resourceLine({ resource }: ContentPart): string {
  const { uri, mimeType } = resource as { uri?: unknown; mimeType?: unknown };
  return `[resource ${String(uri ?? '')}${typeof mimeType === 'string' ? `, ${mimeType}` : ''}]`;
}

/** Texts that follow one another are one. */
function joinTexts(parts: readonly ModelPart[]): ModelPart[] {
  const joined: ModelPart[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (part.type === 'text' && last?.type === 'text') {
      joined[joined.length - 1] = { type: 'text', text: `${last.text}\n${part.text}` };
    } else joined.push(part);
  }
  return joined;
}
