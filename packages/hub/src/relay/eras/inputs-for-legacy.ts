/**
 * A server of the 2026-07-28 era asks by answering with questions; a client of the older era knows only requests. Here the
 * one becomes the other: each question is put to the client, and the request goes out again with the answers.
 */
import { JunctorError } from '@junctor/core';
import { type Frame, type InputRequests, isInputRequired, MethodNotFound, Refusal } from '@junctor/core/inside';
import { canBeAsked, type Party } from '../../visit/party.ts';
import { readAnswer } from '../../visit/reply.ts';

export interface InputsAsked {
  readonly inputRequests?: InputRequests;
  readonly requestState?: string;
}

const MARK = 'input_required';

/** What an answer asks for; undefined for a complete one, found without reading it. */
export function inputsAskedIn(frame: Frame): InputsAsked | undefined {
  const mentioned = frame.length === 1 ? frame[0]?.includes(MARK) : Buffer.concat(frame).includes(MARK);
  if (!mentioned) return undefined;
  const { result } = readAnswer(frame);
  return isInputRequired(result) ? result : undefined;
}

/** The answers of the client, and the state that goes back unread. One after the other: a person answers one at a time. */
export async function inputsFor(
  { inputRequests = {}, requestState }: InputsAsked,
  { server, party, signal }: { readonly server: string; readonly party: Party; readonly signal: AbortSignal },
): Promise<Record<string, unknown>> {
  const inputResponses: Record<string, unknown> = {};
  for (const [key, { method, params }] of Object.entries(inputRequests)) {
    const question = { server, method, params, signal };
    try {
      if (!canBeAsked(party, question)) throw new MethodNotFound(`The client does not serve ${method}.`);
      inputResponses[key] = await party.ask(question);
    } catch (error) {
      throw unanswered(server, method, error);
    }
  }
  return { inputResponses, ...(requestState === undefined ? {} : { requestState }) };
}

function unanswered(server: string, method: string, error: unknown): JunctorError {
  if (error instanceof JunctorError) return error;
  const code = error instanceof MethodNotFound ? 'input_required' : 'permission_denied';
  return new JunctorError(code, `The call cannot go on: server '${server}' asked for ${method}, and got no answer.`, {
    server,
    why: error instanceof Refusal || error instanceof MethodNotFound ? error.message : 'the client failed to answer',
    cause: error,
  });
}
