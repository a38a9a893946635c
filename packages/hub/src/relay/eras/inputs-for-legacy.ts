/**
 * A server of the 2026-07-28 era asks by answering with questions; a client of the older era knows only requests. Each
 * question is put to the client here; the rounds are counted and limited in core.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { JunctorError } from '@junctor/core';
import { type Frame, type InputRequired, InputRounds, isInputRequired, MethodNotFound } from '@junctor/core/internal';
import { canBeAsked, type Party } from '../../visit/party.ts';
import { type Reply, readAnswer } from '../../visit/reply.ts';

const MARK = 'input_required';

/** What an answer asks for; undefined for a complete one, found without reading it. */
export function inputsAskedIn(frame: Frame): InputRequired | undefined {
  const mentioned = frame.length === 1 ? frame[0]?.includes(MARK) : Buffer.concat(frame).includes(MARK);
  if (!mentioned) return undefined;
  const { result } = readAnswer(frame);
  return isInputRequired(result) ? result : undefined;
}

/** The rounds of one call, whose client is asked. */
export function roundsWith(party: Party, server: string, limits: { spentMs: number; totalMs: number }): InputRounds {
  const ask = async (method: string, params: unknown, signal: AbortSignal): Promise<unknown> => {
    const question = { server, method, params, signal };
    if (!canBeAsked(party, question)) throw new MethodNotFound(`The client does not serve ${method}.`);
    return party.ask(question);
  };
  return new InputRounds({ server, ask }, limits);
}

/** A client that lost its stream is back within moments, or gone for good. */
const BACK_WITHIN_MS = 30_000;
const LOOK_AGAIN_MS = 250;

/** Comes back when somebody reads the reply: a server must not work on for a client that left. */
export async function untilRead(reply: Reply, server: string, signal: AbortSignal): Promise<void> {
  for (let waitedMs = 0; !reply.attended; waitedMs += LOOK_AGAIN_MS) {
    if (waitedMs >= BACK_WITHIN_MS) throw new JunctorError('cancelled', 'The client is gone.', { server });
    await sleep(LOOK_AGAIN_MS, undefined, { signal });
  }
}
