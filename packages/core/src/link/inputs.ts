/**
 * Results that are not complete: a server of the 2026-07-28 era asks for inputs by answering with questions, and the same
 * request is sent again with the answers. The state it gives along is its own, and goes back unread.
 */
import { isJunctorError, JunctorError, sentenceOf } from '../base/error.ts';
import { type Answers, type Asker, MethodNotFound, Refusal } from './inbound/answers.ts';

/** A server that never has enough must not keep us for ever. */
const MAX_ROUNDS = 20;

interface InputRequired {
  readonly resultType: 'input_required';
  readonly inputRequests?: InputRequests;
  readonly requestState?: string;
}

/** What a server wants to know, each under a key of its own. */
export type InputRequests = Readonly<Record<string, { readonly method: string; readonly params?: unknown }>>;

export function isInputRequired(result: unknown): result is InputRequired {
  return (result as { resultType?: unknown } | null | undefined)?.resultType === 'input_required';
}

/** Answers what the server asks, and sends the request again, until the result is complete. */
export async function withInputs(
  first: InputRequired,
  params: object,
  { send, answers, asker }: { send: (params: object) => Promise<unknown>; answers: Answers; asker: Asker },
): Promise<unknown> {
  let result: unknown = first;
  for (let round = 0; isInputRequired(result); round++) {
    if (round >= MAX_ROUNDS) throw neverContent(asker.server);
    const inputResponses = await answerInputs(result.inputRequests ?? {}, answers, asker);
    const { requestState } = result;
    result = await send({ ...params, inputResponses, ...(requestState === undefined ? {} : { requestState }) });
  }
  return result;
}

/** One after the other: a person answers one question at a time. */
export async function answerInputs(
  inputRequests: InputRequests,
  answers: Answers,
  asker: Asker,
): Promise<Record<string, unknown>> {
  const responses: Record<string, unknown> = {};
  for (const [key, request] of Object.entries(inputRequests)) {
    const { method, params } = (request ?? {}) as Partial<InputRequests[string]>;
    if (typeof method !== 'string') throw senseless(asker.server);
    try {
      responses[key] = await answers.answer(method, params, asker);
    } catch (error) {
      throw unanswered(asker.server, method, error);
    }
  }
  return responses;
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

function senseless(server: string): JunctorError {
  return new JunctorError('malformed_response', `Server '${server}' asked for inputs without saying which.`, {
    server,
    why: 'one of its inputRequests names no method',
    hint: 'report it to the author of the server',
  });
}

function neverContent(server: string): JunctorError {
  return new JunctorError(
    'malformed_response',
    `Server '${server}' asked for inputs ${MAX_ROUNDS} times in one call.`,
    {
      server,
      hint: 'report it to the author of the server',
    },
  );
}
