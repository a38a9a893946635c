/** Results of calls: looked up in the cache, cut to their limits, and the rest kept to be read on. */

import { sentenceOf } from '../base/error.ts';
import type { Log } from '../base/log/log.ts';
import { charsFor, tokensOf } from '../base/text/tokens.ts';
import { compileRule, covers, type Rule } from '../permissions/rule.ts';
import { newArtifactId } from '../results/artifacts/artifact-id.ts';
import type { ArtifactStore } from '../results/artifacts/artifact-store.ts';
import { fit, needsNoCut } from '../results/budget/fit.ts';
import { isWithin, type ResultLimits } from '../results/budget/limits.ts';
import { mediaOfPart } from '../results/content.ts';
import { base64Bytes } from '../results/media/base64.ts';
import { lighten } from '../results/media/lighten.ts';
import { type ResizeImage, resizeImage } from '../results/media/resize.ts';
import { resizeAll } from '../results/media/resize-all.ts';
import type { ResultQuery, ResultReading } from '../results/reading/read-artifact.ts';
import { structuredText } from '../results/structured-text.ts';
import { type OutputMisfit, outputOf, type ToolResult, toToolResult, withMisfit } from '../results/tool-result.ts';
import type { CachePlace, ResultCache } from './result-cache.ts';

interface Ref {
  readonly server: string;
  readonly tool: string;
}

export interface ResultOptions {
  /** Whose session it is: nobody else reads what is kept of the result. */
  readonly session?: string | undefined;
  /** As the server sent it, however large. */
  readonly whole?: boolean | undefined;
}

export interface CutOptions extends Pick<ResultOptions, 'session'> {
  /** In place of the general limit; one of the tool's own counts all the same. */
  readonly maxOutputTokens?: number | undefined;
}

export interface ResultRules {
  readonly limits: ResultLimits;
  /** Limits of single tools, by patterns as permissions have them; the first that covers a tool counts. */
  readonly perTool: Readonly<Record<string, number>>;
  readonly servers: readonly string[];
}

export interface ResultsParts {
  readonly store: ArtifactStore;
  readonly cache: ResultCache;
  readonly log: Log;
  /** Whose results these are where a call names no session. */
  readonly owner: string;
  /** Whether a tool may be answered from the cache, and for whom its answer counts. Undefined: it may not. */
  readonly cacheKey: (ref: Ref) => Promise<{ definition: string; credentials: string | undefined } | undefined>;
}

/** An answer in our shape. */
export interface ArrivedResult {
  /** What the caller gets. A promise where something has to be cut and kept. */
  readonly result: ToolResult | Promise<ToolResult>;
  /** The tool itself reported an error, or its output was refused. */
  readonly failed: boolean;
  /** With `failed`: why. */
  readonly code: string | undefined;
  /** What the server sent: its words, and its media. */
  readonly bytes: number;
}

export class Results {
  readonly #parts: ResultsParts;
  #rules: ResultRules;
  #resizing: Promise<unknown> = Promise.resolve();
  #perTool: readonly { readonly rule: Rule; readonly tokens: number }[] = [];

  constructor(parts: ResultsParts, rules: ResultRules) {
    this.#parts = parts;
    this.#rules = rules;
    this.configure(rules);
  }

  configure(rules: ResultRules): void {
    this.#rules = rules;
    this.#perTool = Object.entries(rules.perTool).map(([pattern, tokens]) => ({
      rule: compileRule('ask', pattern, rules.servers),
      tokens,
    }));
  }

  /** An answer from before that still counts, or the place to keep the next one. Undefined at once where none are kept. */
  lookUp(ref: Ref, args: unknown, options: ResultOptions): Promise<CachePlace | undefined> | undefined {
    return this.#parts.cache.ttlMs > 0 && !options.whole ? this.#placeOf(ref, args, options) : undefined;
  }

  /** What the server answered: in our shape, and cut where it is too long. */
  arrived(ref: Ref, answer: unknown, options: ResultOptions, misfit?: OutputMisfit): ArrivedResult {
    const sent = toToolResult(answer);
    const whole = misfit ? withMisfit(sent, misfit) : sent;
    const result = options.whole ? whole : this.cut(ref, whole, options);
    const failed = !whole.success;
    return { result, failed, code: failed ? (whole.code ?? 'tool_failed') : undefined, bytes: bytesOf(sent) };
  }

  /** As much of a result as its limits allow; the rest is kept. The same one, at once, where all of it may be handed on. */
  cut(ref: Ref, whole: ToolResult, options: CutOptions): ToolResult | Promise<ToolResult> {
    const own = this.#limitsOf(ref);
    const { maxOutputTokens = own.maxOutputTokens } = options;
    const limits = own === this.#rules.limits ? { ...own, maxOutputTokens } : own;
    return isWithin(whole, limits) ? whole : this.#shrink(ref, whole, limits, options);
  }

  /** Reads on in a result that was kept. */
  async read(id: string, query: ResultQuery, session?: string): Promise<ResultReading> {
    await using artifact = await this.#parts.store.open(id, session ?? this.#parts.owner);
    const most = charsFor(this.#rules.limits.maxOutputTokens);
    const limit = query.limit === undefined ? {} : { limit: Math.min(query.limit, most) };
    // Few results are read on, and every start would pay for it.
    const { readArtifact } = await import('../results/reading/read-artifact.ts');
    return await readArtifact(id, artifact, { ...query, ...limit });
  }

  /** One picture at a time: each takes a thread, and memory for all of its pixels. */
  readonly #resize: ResizeImage = (...picture) => {
    const resized = this.#resizing.then(() => resizeImage(...picture)).catch(() => undefined);
    this.#resizing = resized;
    return resized;
  };

  #limitsOf({ server, tool }: Ref): ResultLimits {
    const { limits } = this.#rules;
    if (this.#perTool.length === 0) return limits;
    const own = this.#perTool.find(({ rule }) => covers(rule, server, tool));
    return own ? { ...limits, maxOutputTokens: own.tokens } : limits;
  }

  async #placeOf(ref: Ref, args: unknown, { session }: ResultOptions): Promise<CachePlace | undefined> {
    const key = await this.#parts.cacheKey(ref);
    return key && this.#parts.cache.place({ ...ref, args, session, ...key });
  }

  async #shrink(ref: Ref, whole: ToolResult, limits: ResultLimits, { session }: ResultOptions): Promise<ToolResult> {
    const resized = await resizeAll(whole.parts, limits, this.#resize);
    const id = newArtifactId();
    const lighter = lightened(whole, { limits, resized, id });
    const { result, removed } = lighter;
    const maxChars = charsFor(limits.maxOutputTokens);
    if (removed.length === 0 && needsNoCut(result, maxChars)) return result;
    const text = result.output;
    const json = result.parts.length > 0 && result.data !== undefined ? structuredText(result.data) : undefined;
    try {
      await this.#parts.store.put(id, { ...ref, owner: session ?? this.#parts.owner, text, json, media: removed });
      return fit(result, { maxChars, kept: { id, chars: text.length, tokens: tokensOf(text.length) } });
    } catch (error) {
      const why = sentenceOf(error).replace(/\.$/, '');
      this.#parts.log.warn('a large result could not be kept', { ...ref, why });
      return fit(lightened(whole, { limits, resized, id: undefined }).result, { maxChars, kept: { why } });
    }
  }
}

function lightened(whole: ToolResult, options: Parameters<typeof lighten>[1]) {
  const { parts, data, removed } = lighten(whole, options);
  const output = outputOf(parts, data);
  const error = whole.error === undefined ? {} : { error: output || whole.error };
  return { result: { ...whole, ...(data === undefined ? {} : { data }), output, ...error, parts }, removed };
}

function bytesOf({ output, parts }: ToolResult): number {
  const bytes = Buffer.byteLength(output);
  // Most results are one text.
  if (parts.length === 1 && parts[0]?.type === 'text') return bytes;
  return parts.reduce((sum, part) => sum + base64Bytes(mediaOfPart(part)?.data), bytes);
}
