/** What came back from a tool, in one shape whatever the server sent. Pure. */
import type { ErrorCode } from '../base/error.ts';
import { type ContentPart, describePart, readParts, textOfPart } from './content.ts';
import { structuredText } from './structured-text.ts';

export type { ContentPart, ReferencePart } from './content.ts';

/** What came of a call. A tool that fails and a call that is denied are results too. */
export interface ToolResult {
  /** false where the tool reported an error, its output was refused, or the call was not allowed to run. */
  readonly success: boolean;
  /** All text, for people and models. */
  readonly output: string;
  /** Structured content, as the server gave it. Left out where it alone is above the limit: `artifact` has it then. */
  readonly data?: unknown;
  /** What went wrong, when `success` is false. */
  readonly error?: string;
  /** The call was not run: a rule or a person denied it. */
  readonly denied?: true;
  /**
   * Why, as a code that a program compares: with `denied`, and where the structured output does not fit the tool's schema.
   */
  readonly code?: ErrorCode;
  /** What a program should know of a result that is used all the same. Models do not get it. */
  readonly warnings?: readonly string[];
  /** Every content block, in order. Above the limit texts are cut, and media is resized or a `reference`. */
  readonly parts: readonly ContentPart[];
  /** What the server sent beside the result, in `_meta`: for programs, never for a model. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** Where the whole result is kept, when what is here is not all of it. */
  readonly artifact?: ArtifactReference;
  /** It was not asked for again: an earlier answer still counts. */
  readonly cached?: true;
}

/** A stored result, to be read on with `readResult`. */
export interface ArtifactReference {
  /** What `host.readResult` takes, and a model gives to `read_result`. */
  readonly id: string;
  /** Size of all its text. */
  readonly chars: number;
  /** The same in tokens: a quarter of the characters. */
  readonly tokens: number;
}

export function toToolResult(answer: unknown): ToolResult {
  const { content, structuredContent, toolResult, isError, _meta } = (answer ?? {}) as Answer;
  const parts = readParts(content);
  // The first revision of the protocol had one value in place of content.
  const structured = structuredContent === undefined && content === undefined ? toolResult : structuredContent;
  const output = outputOf(parts, structured);
  const meta = _meta === undefined ? undefined : metaOf(_meta);
  if (structured === undefined && meta === undefined && isError !== true) return { success: true, output, parts };
  return {
    success: isError !== true,
    output,
    ...(structured === undefined ? {} : { data: structured }),
    ...(isError === true ? { error: output || 'the tool failed without saying why' } : {}),
    parts,
    ...(meta === undefined ? {} : { meta }),
  };
}

interface Answer {
  readonly content?: unknown;
  readonly structuredContent?: unknown;
  readonly toolResult?: unknown;
  readonly isError?: unknown;
  readonly _meta?: unknown;
}

/** Which server answered stands in every answer of the 2026-07-28 era: it says nothing about this one. */
const SERVER_INFO = 'io.modelcontextprotocol/serverInfo';

function metaOf(meta: unknown): Record<string, unknown> | undefined {
  if (typeof meta !== 'object' || meta === null) return undefined;
  const { [SERVER_INFO]: _server, ...own } = meta as Record<string, unknown>;
  return Object.keys(own).length === 0 ? undefined : own;
}

/** A call that was not run, told so that a model can read it. */
export function refusal(sentence: string, code?: ErrorCode): ToolResult {
  return {
    success: false,
    denied: true,
    ...(code === undefined ? {} : { code }),
    output: sentence,
    error: sentence,
    parts: [{ type: 'text', text: sentence }],
  };
}

/** A call that ended in an error, in the shape of a result: listeners read one shape, however it ended. */
export function failedResult(sentence: string, code?: ErrorCode): ToolResult {
  return {
    success: false,
    ...(code === undefined ? {} : { code }),
    output: sentence,
    error: sentence,
    parts: [{ type: 'text', text: sentence }],
  };
}

/** Structured output that does not fit the schema of its tool. */
export interface OutputMisfit {
  /** What does not fit, and where. */
  readonly sentence: string;
  /** The call counts as failed; else the result has a warning. */
  readonly fails: boolean;
}

export function withMisfit(result: ToolResult, { sentence, fails }: OutputMisfit): ToolResult {
  return fails ? failedResult(sentence, 'malformed_response') : { ...result, warnings: [sentence] };
}

export function outputOf(parts: readonly ContentPart[], structured: unknown): string {
  const only = parts[0];
  if (parts.length === 1 && only?.type === 'text') return textOfPart(only) as string;
  if (parts.length === 0) return structured === undefined ? '' : structuredText(structured);
  return parts.map(describePart).join('\n');
}
