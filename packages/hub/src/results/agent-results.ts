/**
 * What becomes of the results of an agent's calls. Those of untrusted servers are sanitised at any size, those of trusted ones up
 * to 64 KiB: one with nothing to change passes byte for byte. With a budget, what is above it is kept and read on by the model.
 */
import type { Host, ToolRef, ToolResult } from '@junctor/core';
import {
  agentNamed,
  type ContentPart,
  CUT_NOTICE,
  describePart,
  type Frame,
  frameBytes,
  nestsTooDeeply,
  toToolResult,
  withoutResult,
} from '@junctor/core/internal';
import type { AnswerError } from '../relay/job.ts';
import { cleanError, exactAnswer, exactResult } from './exact-answer.ts';
import { isPlainFrame } from './plain-frame.ts';
import { withPublicUris } from './public-uri.ts';
import { type AnswerBody, LOOK_INTO_BYTES, type Origin, sanitised } from './sanitise.ts';

/** Junctor's tokens are of four characters, and a character takes a byte at least. */
const LEAST_BYTES_PER_TOKEN = 4;

export class AgentResults {
  readonly #host: Host;
  readonly #agent: string;
  /** Looked up once for each config. */
  #known: { readonly frame: object; readonly budget: number | undefined } | undefined;

  constructor(host: Host, agent: string) {
    this.#host = host;
    this.#agent = agent;
  }

  /** How many tokens of a result this agent is given; undefined: all. */
  get budget(): number | undefined {
    const { frame } = this.#host.loaded;
    if (this.#known?.frame !== frame) {
      const own = agentNamed(frame, this.#agent)?.results?.max_output_tokens;
      this.#known = { frame, budget: own ?? frame.results?.max_output_tokens };
    }
    return this.#known.budget;
  }

  /** An answer in other words; undefined where it passes as it is. */
  returned(frame: Frame, ref: ToolRef, session: string): AnswerBody | AnswerError | Promise<AnswerBody> | undefined {
    const bytes = frameBytes(frame);
    const { budget } = this;
    const mayBeCut = budget !== undefined && bytes > budget * LEAST_BYTES_PER_TOKEN;
    const trusted = this.#host.server(ref.server)?.trusted ?? false;
    // An untrusted server must not get past this by saying more.
    if (trusted && !mayBeCut && (bytes > LOOK_INTO_BYTES || isPlainFrame(frame))) return undefined;
    const answer = exactAnswer(frame);
    if (answer.error) return cleanError(answer.error);
    const read = exactResult(answer);
    if (!read) throw withoutResult(ref.server, `the call of '${ref.tool}'`);
    const from = { server: ref.server, tool: ref.tool, trusted };
    const result = showsResources(read) ? withPublicUris(ref.server, read) : read;
    // What is nested without end is made shallow, and is short then.
    if (mayBeCut && !nestsTooDeeply(read)) return this.#cut(result, from, { maxOutputTokens: budget, session });
    const clean = sanitised(result, from);
    return clean === read ? undefined : clean;
  }

  async #cut(
    result: AnswerBody,
    from: Origin,
    options: { readonly maxOutputTokens: number; readonly session: string },
  ): Promise<AnswerBody> {
    const whole = toToolResult(result);
    const cut = await this.#host.cutResult(from, whole, options);
    return cut === whole
      ? sanitised(result, from)
      : sanitised(answerWith(result, cut), from, part => isNotice(part, cut));
  }
}

function showsResources({ content }: AnswerBody): boolean {
  return Array.isArray(content) && content.some(part => RESOURCES.has((part as { type?: unknown } | null)?.type));
}

const RESOURCES: ReadonlySet<unknown> = new Set(['resource', 'resource_link']);

/** The answer with what is left of it: media that was taken out is told of in words. */
function answerWith(answer: AnswerBody, { parts, data }: ToolResult): AnswerBody {
  const { content: _content, structuredContent: _data, ...rest } = answer;
  const content = parts.map(part => (part.type === 'reference' ? { type: 'text', text: describePart(part) } : part));
  return { ...rest, content, ...(data === undefined ? {} : { structuredContent: data }) };
}

/** How to read on is said by Junctor. Nobody else knows the id when the result is written. */
function isNotice({ text }: ContentPart, { artifact }: ToolResult): boolean {
  return (
    typeof text === 'string' && text.startsWith(CUT_NOTICE) && artifact !== undefined && text.includes(artifact.id)
  );
}
