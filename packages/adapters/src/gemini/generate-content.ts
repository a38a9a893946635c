/** Tools for the Gemini API's generateContent. */
import type { Host } from '@junctor/core';
import { type MediaPart, partsForModel } from '../result/for-model.ts';
import { withOwnSearch } from '../toolbox/deferral.ts';
import type { ToolboxOptions } from '../toolbox/options.ts';
import { asRequest, type PlainTools } from '../toolbox/plain-tools.ts';
import { openToolbox } from '../toolbox/toolbox.ts';

/** One entry of `tools`. */
export interface GeminiTool<Declaration = GeminiFunctionDeclaration> {
  /** All tools. */
  readonly functionDeclarations: Declaration[];
}

/** One tool. */
export interface GeminiFunctionDeclaration {
  /** What the model calls it by. */
  readonly name: string;
  /** What it does, and where it is from. */
  readonly description: string;
  /** The part of OpenAPI that every model of Gemini reads. */
  readonly parameters: Record<string, unknown>;
}

/** What stands under `functionCall` in a part of the model's. */
export interface GeminiFunctionCall {
  /** What the answer names, where the API gave one. */
  readonly id?: string | undefined;
  /** The name of the tool. */
  readonly name?: string | undefined;
  /** Its arguments. */
  readonly args?: Record<string, unknown> | undefined;
}

/** The part that answers it, for the next content of the user. */
export interface GeminiFunctionResponsePart {
  /** What the model reads: `output`, or `error` where it failed. */
  readonly functionResponse: {
    readonly id?: string;
    readonly name: string;
    readonly response: { readonly output: string } | { readonly error: string };
    readonly parts?: { readonly inlineData: { readonly mimeType: string; readonly data: string } }[];
  };
}

/** Which tools, for which model, and with which of your own. */
export interface GeminiToolsOptions<Native> extends ToolboxOptions {
  /** The program's own function declarations. They come first, and keep their names. */
  readonly native?: readonly Native[] | undefined;
  /** Such as `gemini-3-pro`. Models before Gemini 3 take no pictures in the answer of a tool. */
  readonly model?: string | undefined;
}

/** The tools of a host for generateContent. Spread `request` into the body, and answer calls with `run`. */
export async function geminiTools<Native extends { readonly name?: string } = never>(
  host: Host,
  options: GeminiToolsOptions<Native> = {},
): Promise<PlainTools<GeminiTool<Native | GeminiFunctionDeclaration>, GeminiFunctionCall, GeminiFunctionResponsePart>> {
  const { native = [], model } = options;
  const taken = native.flatMap(({ name }) => name ?? []);
  const box = await openToolbox(host, { profile: 'gemini', taken }, options);
  const { shown, beyond } = withOwnSearch(box, options, native.length);
  const functionDeclarations = [
    ...native,
    ...shown.map(
      ({ name, description, inputSchema }): GeminiFunctionDeclaration => ({
        name,
        description,
        parameters: inputSchema,
      }),
    ),
  ];
  const seesMedia = !BEFORE_GEMINI_3.test(model ?? '');
  return {
    // An empty list of declarations is refused.
    ...asRequest(functionDeclarations.length > 0 ? [{ functionDeclarations }] : []),
    failures: box.failures,
    pending: box.pending,
    serverInstructions: box.serverInstructions,
    beyond,
    has: ({ name = '' }) => box.find(name) !== undefined,
    async run({ id, name = '', args = {} }, run = {}) {
      const answered = await box.call(name, args, run);
      const parts = partsForModel(host, answered, part => seesMedia && isTaken(part));
      const text = parts.flatMap(part => (part.type === 'text' ? part.text : [])).join('\n');
      const media = parts.flatMap(part => (part.type === 'text' ? [] : inline(part)));
      const response = answered.result.success ? { output: text } : { error: text };
      const whole = { ...(id === undefined ? {} : { id }), name, response };
      return { functionResponse: media.length > 0 ? { ...whole, parts: media } : whole };
    },
  };
}

const BEFORE_GEMINI_3 = /gemini-(?:1|2|pro|flash)(?:\D|$)/;

/** What a model of Gemini 3 reads inside the answer of a tool. */
const TAKEN = new Set(['image/png', 'image/jpeg', 'image/webp', 'application/pdf']);

function isTaken({ mimeType }: MediaPart): boolean {
  return TAKEN.has(mimeType);
}

function inline({ mimeType, data }: MediaPart) {
  return { inlineData: { mimeType, data } };
}
