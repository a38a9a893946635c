/**
 * A server wants the agent's model to write something. It costs money and shows the server's words to the model, so it
 * runs with permission only, a few at a time, and never for more than a bounded text.
 */
import { JunctorError } from '../../base/error.ts';
import { type AnswerKind, type Asker, REFUSED, Refusal } from './answers.ts';
import { Turnstile } from './turnstile.ts';

/** As the server sent it. See `CreateMessageRequest` in the MCP specification for what each key means. */
export interface SamplingRequest {
  /** What was said so far, as the server tells it. */
  readonly messages: readonly SamplingMessage[];
  /** The longest answer it wants. */
  readonly maxTokens: number;
  /** What the server would tell the model first. The program decides. */
  readonly systemPrompt?: string;
  /** What the server would choose. */
  readonly temperature?: number;
  /** Texts at which the answer ends. */
  readonly stopSequences?: readonly string[];
  /** Which models the server would choose, and what matters to it: cost, speed, intelligence. */
  readonly modelPreferences?: object;
  /** For the provider of the model. */
  readonly metadata?: object;
  /** Only where `sampling.context` says that the model can be given it. */
  readonly includeContext?: 'none' | 'thisServer' | 'allServers';
  /** Only where `sampling.tools` says that the model can use them. */
  readonly tools?: readonly object[];
  /** Whether the model may, must or must not use tools. */
  readonly toolChoice?: object;
}

/** One message of the conversation that the model is to continue. */
export interface SamplingMessage {
  /** Who says it. */
  readonly role: 'user' | 'assistant';
  /** One block, or several. */
  readonly content: SamplingContent | readonly SamplingContent[];
}

/** One block of a message. What keys it has depends on its type. */
export interface SamplingContent {
  /** `text`, `image`, `audio`; with `sampling.tools` also `tool_use` and `tool_result`. */
  readonly type: string;
  /** Of a text. */
  readonly text?: string;
  /** Of a picture or sound, as base64. */
  readonly data?: string;
  /** Of a picture or sound. */
  readonly mimeType?: string;
  readonly [field: string]: unknown;
}

/** What the model wrote. */
export interface SamplingResult {
  /** Default: assistant. */
  readonly role?: 'user' | 'assistant';
  /** One block, or several. */
  readonly content: SamplingContent | readonly SamplingContent[];
  /** Which model wrote it. */
  readonly model: string;
  /** `endTurn`, `maxTokens`, `stopSequence`, `toolUse`, or a word of the provider. */
  readonly stopReason?: string;
}

/** Runs the agent's model. */
export type Sample = (request: SamplingRequest, asker: Asker) => SamplingResult | Promise<SamplingResult>;

/** What `sample` can do beyond plain messages. */
export interface SamplingExtras {
  /** It can be given tools, and may answer with calls of them. */
  readonly tools?: boolean;
  /** It can be given what servers know. */
  readonly context?: boolean;
}

export interface SamplingOptions {
  readonly sample: Sample;
  readonly extras?: SamplingExtras | undefined;
  /** Whether the model may run for this server now. */
  readonly may: (request: SamplingRequest, asker: Asker) => Promise<boolean>;
}

/** One server may have so many answers written at the same time; more are refused, not kept waiting. */
const MOST_AT_ONCE = 4;
/** A text and a few pictures fit; a whole archive does not. */
const MAX_REQUEST_CHARS = 8 * 1024 * 1024;

export function samplingKind({ sample, extras = {}, may }: SamplingOptions): AnswerKind {
  const turnstile = new Turnstile(MOST_AT_ONCE);
  return {
    method: 'sampling/createMessage',
    capabilities: {
      sampling: { ...(extras.tools ? { tools: {} } : {}), ...(extras.context ? { context: {} } : {}) },
    },
    async answer(params, asker) {
      const request = readRequest(params, extras);
      const tooMany = (): never => {
        throw new Refusal(REFUSED.byPerson, `At most ${MOST_AT_ONCE} sampling requests may run at the same time.`);
      };
      return turnstile.pass(asker.server, tooMany, async () => {
        if (!(await may(request, asker))) throw new Refusal(REFUSED.byPerson, 'The user refused the sampling request.');
        return readResult(await sample(request, asker), asker.server);
      });
    },
  };
}

function readRequest(params: unknown, extras: SamplingExtras): SamplingRequest {
  const { task: _task, _meta, includeContext, ...request } = (params ?? {}) as Record<string, unknown>;
  if (!Array.isArray(request.messages) || !request.messages.every(isMessage)) {
    throw new Refusal(REFUSED.badParams, 'messages must be a list of {role, content}.');
  }
  if (typeof request.maxTokens !== 'number') throw new Refusal(REFUSED.badParams, 'maxTokens must be a number.');
  if (!extras.tools && (request.tools !== undefined || request.toolChoice !== undefined)) {
    throw new Refusal(REFUSED.badParams, 'This client did not declare sampling.tools.');
  }
  if (JSON.stringify(request).length > MAX_REQUEST_CHARS) {
    throw new Refusal(REFUSED.badParams, `A sampling request may have at most ${MAX_REQUEST_CHARS} characters.`);
  }
  // A server that asks for context nobody promised gets an answer without it.
  const context = extras.context && includeContext !== undefined ? { includeContext } : {};
  return { ...request, ...context } as unknown as SamplingRequest;
}

function isMessage(message: unknown): boolean {
  const { role, content } = (message ?? {}) as { role?: unknown; content?: unknown };
  return (role === 'user' || role === 'assistant') && typeof content === 'object' && content !== null;
}

/** What a program's own function returned may be anything. */
function readResult(result: SamplingResult, server: string): object {
  const { role = 'assistant', content, model, stopReason } = (result ?? {}) as Partial<SamplingResult>;
  if (typeof content !== 'object' || content === null || typeof model !== 'string') {
    throw new JunctorError('usage', `The answer of 'sample' for server '${server}' cannot be sent.`, {
      server,
      why: 'it needs content (such as {type: "text", text}) and the name of the model',
    });
  }
  return { role, content, model, ...(stopReason === undefined ? {} : { stopReason }) };
}
