/** Gives a server's answer back to its client: as it is, or in the words of the door. */
import { isJunctorError } from '@junctor/core';
import { type AnswerId, type Frame, unreadableAnswer } from '@junctor/core/internal';
import { AnswerError, type Job } from './job.ts';

/** `server`: who answered. */
type Way = Pick<Job, 'reply' | 'translate' | 'onFailure'> & { readonly server: string };

/**
 * Never throws: an answer that cannot be translated or written fails its own request, and is not asked for again.
 * `stamp`: what a client of the newer era needs beside the answer of an older server.
 */
export function returnAnswer(way: Way, frame: Frame, at: AnswerId, stamp?: string): void {
  try {
    const translated = way.translate?.(frame, at);
    if (translated === undefined) way.reply.splice(frame, at, stamp);
    else if (translated instanceof Promise) returnLater(way, translated, stamp);
    else write(way, translated, stamp);
  } catch (error) {
    failed(way, error, frame);
  }
}

/** On its own, so that nothing holds on to the bytes of the answer, which may be many. */
function returnLater(way: Way, translating: Promise<object>, stamp: string | undefined): void {
  translating.then(translated => write(way, translated, stamp)).catch(error => failed(way, error, []));
}

function failed({ reply, server, onFailure }: Way, error: unknown, frame: Frame): void {
  const known = isJunctorError(error) ? error : unreadableAnswer(server, frame, error);
  known.outcome ??= 'done';
  onFailure(reply, known);
}

function write({ reply }: Way, translated: object, stamp: string | undefined): void {
  if (translated instanceof AnswerError) return reply.error(translated.code, translated.message, translated.data);
  reply.result(JSON.stringify(stamp === undefined ? translated : { ...JSON.parse(`{${stamp}}`), ...translated }));
}
