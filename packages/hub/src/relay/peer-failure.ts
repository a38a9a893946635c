/**
 * A request of another hub that failed here on its way to the server. The hub of the client is told what happened and
 * whether it can have run: to it that is a failure on the way too, and no answer of the server.
 */
import { ERROR_CODES, type Host, isJunctorError, JunctorError } from '@junctor/core';
import { type AnswerMessage, type Frame, RPC_CODE, shortFrame } from '@junctor/core/internal';
import { errorFrom, type Told, toldOf } from '@junctor/core/light';
import { type Reply, readAnswer } from '../visit/reply.ts';

const MARK = 'junctor_failure';

type Marked = Omit<Told, 'message'> & Partial<Pick<JunctorError, 'outcome'>>;

export function tellPeer(host: Host, reply: Reply, error: unknown): void {
  const known = isJunctorError(error) ? error : new JunctorError('internal', 'The request failed inside Junctor.');
  const { message, ...told } = toldOf(known, text => host.mask(text));
  const marked: Marked = { ...told, outcome: known.outcome };
  reply.error(RPC_CODE.serverFailed, message, { [MARK]: marked });
}

/** Undefined where it is an answer of the server itself. */
export function failureIn(frame: Frame): JunctorError | undefined {
  if (!shortFrame(frame)?.includes(MARK)) return undefined;
  const { error } = readAnswer(frame) as Pick<AnswerMessage, 'error'>;
  const told = (error?.data as { readonly [MARK]?: Marked } | null | undefined)?.[MARK];
  if (!error || !told || !Object.hasOwn(ERROR_CODES, told.code)) return undefined;
  const failure = errorFrom({ ...told, message: error.message });
  failure.outcome = told.outcome;
  return failure;
}

/** The line to the hub that runs the server broke: what people know by name is the server. */
export function lineFailure(server: string, error: JunctorError): JunctorError {
  if (error.code !== 'connection_lost') return error;
  return new JunctorError('connection_lost', `The hub that ran server '${server}' is gone.`, {
    server,
    why: error.message,
    hint: 'try again: another hub starts it',
    cause: error,
    unsent: error.unsent,
  });
}
