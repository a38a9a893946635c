/**
 * Results that are not complete: a server of the 2026-07-28 era asks for inputs by answering with questions, and the same
 * request is sent again with the answers. The state it gives along is its own, and goes back unread. Here, and not beside
 * the calls: resources, prompts and tasks are asked about in the same way.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { isJunctorError, JunctorError, retold, sentenceOf } from '../../base/error.ts';
import { isObject } from '../../base/json/is-object.ts';
import { withDeadline } from '../../base/time/deadline.ts';
import { monotonicMs } from '../../base/time/monotonic.ts';
import { cancelled, roundsTookTooLong } from '../rpc/failures.ts';
import { MethodNotFound, Refusal } from './answers.ts';

/** A server that never has enough must not keep us for ever. */
const MAX_ROUNDS = 20;
/** Before a request is sent again to a server that asked nothing, and only wants it once more. Shorter, and it is flooded. */
const PAUSE_MS = 250;
/** What a timer can wait. */
const LONGEST_MS = 2 ** 31 - 1;

export interface InputRequired {
  readonly resultType: 'input_required';
  readonly inputRequests?: InputRequests | null | undefined;
  readonly requestState?: string | undefined;
}

/** What a server wants to know, each under a key of its own. */
export type InputRequests = Readonly<Record<string, { readonly method: string; readonly params?: unknown }>>;

/** What the next request carries beside its params. */
export interface Inputs {
  readonly inputResponses: Readonly<Record<string, unknown>>;
  readonly requestState?: string;
}

export interface InputsAsked {
  readonly server: string;
  /** Puts one question. Throws `MethodNotFound` where nobody can be asked, `Refusal` for a no. */
  readonly ask: (method: string, params: unknown, signal: AbortSignal) => Promise<unknown>;
  /** All questions of a round are put at once: to a client that is asked by an answer, say. Default: one after the other. */
  readonly together?: boolean | undefined;
}

export function isInputRequired(result: unknown): result is InputRequired {
  return (result as { resultType?: unknown } | null | undefined)?.resultType === 'input_required';
}

/** All rounds of one request: so many at most, and no longer than the request may take in all. */
export class InputRounds {
  readonly #asked: InputsAsked;
  readonly #endsAt: number;
  readonly #totalMs: number;
  readonly #pauseMs: number;
  #rounds = 0;

  /** `spentMs`: what the request took until it was first answered. */
  constructor(
    asked: InputsAsked,
    { spentMs, totalMs, pauseMs = PAUSE_MS }: { spentMs: number; totalMs: number; pauseMs?: number },
  ) {
    this.#asked = asked;
    this.#totalMs = totalMs;
    this.#endsAt = monotonicMs() + totalMs - spentMs;
    this.#pauseMs = pauseMs;
  }

  /** What is left of the time for all rounds. */
  get remainingMs(): number {
    return Math.max(this.#endsAt - monotonicMs(), 0);
  }

  /** The answers to one round. Only its own state goes back: that of an earlier round is over. */
  async next({ inputRequests, requestState }: InputRequired, signal: AbortSignal): Promise<Inputs> {
    const { server } = this.#asked;
    const questions = new AbortController();
    try {
      if (++this.#rounds > MAX_ROUNDS) throw neverContent(server);
      const inputResponses = await withDeadline(this.#answer(inputRequests ?? {}, questions.signal), {
        ms: Math.min(this.remainingMs, LONGEST_MS),
        error: () => roundsTookTooLong(server, this.#totalMs),
        signal,
      });
      return { inputResponses, ...(requestState === undefined ? {} : { requestState }) };
    } catch (error) {
      questions.abort(error);
      if (signal.aborted && !isJunctorError(error)) throw afterAnAnswer(cancelled(server, 'The request', error));
      throw afterAnAnswer(error);
    }
  }

  async #answer(requests: unknown, signal: AbortSignal): Promise<Record<string, unknown>> {
    if (!isObject(requests)) throw senseless(this.#asked.server, 'its inputRequests are no object');
    if (Object.keys(requests).length === 0) await sleep(this.#pauseMs, undefined, { signal });
    return answerInputs(requests as InputRequests, this.#asked, signal);
  }
}

/** Answers what the server asks, and sends the request again, until the result is complete. */
export async function withInputs(
  first: InputRequired,
  params: object,
  { rounds, signal, send }: { rounds: InputRounds; signal: AbortSignal; send: (params: object) => Promise<unknown> },
): Promise<unknown> {
  let result: unknown = first;
  while (isInputRequired(result)) {
    const inputs = await rounds.next(result, signal);
    result = await send({ ...params, ...inputs }).catch(error => {
      throw afterAnAnswer(error);
    });
  }
  return result;
}

/** One after the other, unless they are put together: a person answers one question at a time. */
export async function answerInputs(
  inputRequests: InputRequests,
  { server, ask, together = false }: InputsAsked,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  const answer = async (request: unknown): Promise<unknown> => {
    const { method, params } = (request ?? {}) as Partial<InputRequests[string]>;
    if (typeof method !== 'string') throw senseless(server, 'one of its inputRequests names no method');
    try {
      return await ask(method, params, signal);
    } catch (error) {
      throw unanswered(server, method, error);
    }
  };
  const asked = Object.entries(inputRequests);
  if (together)
    return Object.fromEntries(await Promise.all(asked.map(async ([key, request]) => [key, await answer(request)])));
  const responses: Record<string, unknown> = {};
  for (const [key, request] of asked) responses[key] = await answer(request);
  return responses;
}

const ANSWERED = new Set(['server_error', 'malformed_response', 'message_too_large']);

/** The server has answered the request once: what fails afterwards must not look as if nothing had been sent. */
function afterAnAnswer(error: unknown): unknown {
  if (!isJunctorError(error) || ANSWERED.has(error.code)) return error;
  const reached = retold(error, { unsent: false });
  reached.outcome = 'unknown';
  return reached;
}

function unanswered(server: string, method: string, error: unknown): JunctorError {
  if (isJunctorError(error)) return error;
  const nobody = error instanceof MethodNotFound;
  const code = nobody ? 'input_required' : error instanceof Refusal ? 'permission_denied' : 'internal';
  return new JunctorError(code, `The call cannot go on: server '${server}' asked for ${method}, and got no answer.`, {
    server,
    why: sentenceOf(error),
    ...(nobody ? { hint: 'call it from a program or a terminal that can answer such questions' } : {}),
    cause: error,
  });
}

function senseless(server: string, why: string): JunctorError {
  return new JunctorError('malformed_response', `Server '${server}' asked for inputs without saying which.`, {
    server,
    why,
    hint: 'report it to the author of the server',
  });
}

function neverContent(server: string): JunctorError {
  const times = `Server '${server}' asked for inputs ${MAX_ROUNDS} times in one call.`;
  return new JunctorError('malformed_response', times, { server, hint: 'report it to the author of the server' });
}
