/** Cuts a result to its limit, and says in it how to read on. Pure. */

import { tokensOf } from '../../base/text/tokens.ts';
import { type ContentPart, describePart, textOfPart, withText } from '../content.ts';
import { repeatsStructured } from '../structured.ts';
import { structuredText } from '../structured-text.ts';
import { type ArtifactReference, outputOf, type ToolResult } from '../tool-result.ts';
import { looksLikeJson } from './cut-json.ts';
import { cutText } from './cut-text.ts';
import { shares } from './shares.ts';

export interface FitOptions {
  readonly maxChars: number;
  /** Where the whole is kept; or why it is not. */
  readonly kept: ArtifactReference | { readonly why: string };
}

/** A text that may have to give up some of its length. */
interface Piece {
  readonly text: string;
  /** Its block; undefined for structured content that no block shows. */
  readonly part: number | undefined;
  /** Where it stands in the whole. */
  readonly offset: number;
}

/** Whether all of it may be handed on, structured content included where no block shows it. */
export function needsNoCut(whole: ToolResult, maxChars: number): boolean {
  const pieces = piecesOf(whole, repeatsStructured(whole.parts, whole.data));
  return charsOf(pieces) + describedChars(whole.parts) <= maxChars;
}

export function fit(whole: ToolResult, { maxChars, kept }: FitOptions): ToolResult {
  const artifact = 'id' in kept ? { artifact: kept } : {};
  if (needsNoCut(whole, maxChars)) return { ...whole, ...artifact };
  const repeated = repeatsStructured(whole.parts, whole.data);
  const pieces = piecesOf(whole, repeated);
  const needed = charsOf(pieces);
  const around = describedChars(whole.parts);
  // Room for the longest notice: where the text was cut is known only afterwards.
  const longest = noticeOf(whole, needed, kept, 'id' in kept ? kept.chars : 0);
  const room = Math.max(0, maxChars - around - longest.length - pieces.length);
  const given = shares(
    pieces.map(({ text }) => text.length),
    room,
  );
  const parts: ContentPart[] = [...whole.parts];
  let dataIsWhole = true;
  let leftOutFrom: number | undefined;
  for (const [index, { text, part, offset }] of pieces.entries()) {
    const cut = cutText(text, { maxChars: given[index] as number, offset });
    if (cut !== text && (part === undefined || repeated)) dataIsWhole = false;
    // Structured content beside the texts has no place among their characters.
    if (cut !== text && (part !== undefined || parts.length === 0)) leftOutFrom ??= offset + sameStart(cut, text);
    if (part !== undefined) parts[part] = withText(parts[part] as ContentPart, cut);
    else if (cut !== text) parts.push({ type: 'text', text: cut });
  }
  parts.push({ type: 'text', text: noticeOf(whole, needed, kept, leftOutFrom ?? 0) });
  const { data, ...rest } = whole;
  const output = outputOf(parts, undefined);
  return {
    ...rest,
    ...(dataIsWhole && data !== undefined ? { data } : {}),
    output,
    ...(whole.error === undefined ? {} : { error: output }),
    parts,
    ...artifact,
  };
}

function piecesOf({ parts, data, output }: ToolResult, repeated: boolean): Piece[] {
  let offset = 0;
  const pieces = parts.flatMap((part, index): Piece[] => {
    const text = textOfPart(part);
    const at = offset;
    offset += (text ?? describePart(part)).length + 1;
    return text === undefined ? [] : [{ text, part: index, offset: at }];
  });
  if (data === undefined || (repeated && parts.length > 0)) return pieces;
  return [...pieces, { text: parts.length === 0 ? output : structuredText(data), part: undefined, offset: 0 }];
}

function charsOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { text }) => sum + text.length, 0);
}

/** Blocks without words take room too. */
function describedChars(parts: readonly ContentPart[]): number {
  return parts.reduce((sum, part) => sum + (textOfPart(part) === undefined ? describePart(part).length : 0) + 1, 0);
}

/** What a model is offered to read next. */
const READ_ON_CHARS = 10_000;

/** How many characters two texts begin with alike. */
function sameStart(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at;
}

/** How what is said about a cut begins. */
export const CUT_NOTICE = '[This result was cut:';

/** `from`: the first character that was left out, for the model to read on there. */
function noticeOf({ data, output }: ToolResult, chars: number, kept: FitOptions['kept'], from: number): string {
  const size = `${CUT_NOTICE} it has ${chars} characters, about ${tokensOf(chars)} tokens.`;
  if (!('id' in kept)) return `${size} The rest is lost: ${kept.why}.]`;
  const id = JSON.stringify(kept.id);
  const ways = [
    `{"id":${id},"range":[${from},${from + READ_ON_CHARS}]} for characters`,
    `{"id":${id},"search":"words"} to find words`,
    ...(data === undefined && !looksLikeJson(output) ? [] : [`{"id":${id},"path":"$.key[0]"} for a value`]),
  ];
  return `${size} All of it is kept as ${kept.id}. Read on with read_result: ${ways.join(', ')}.]`;
}
