/** Gives a server's answer back to its client: as it is, or in the words of the door. */
import type { JunctorError } from '@junctor/core';
import type { AnswerId, Frame } from '@junctor/core/inside';
import { AnswerError, type Job } from './job.ts';

type Way = Pick<Job, 'reply' | 'translate' | 'onFailure'>;

/** `stamp`: what a client of the newer era needs beside the answer of an older server. */
export function returnAnswer(way: Way, frame: Frame, at: AnswerId, stamp?: string): void {
  const translated = way.translate?.(frame, at);
  if (translated === undefined) way.reply.splice(frame, at, stamp);
  else if (translated instanceof Promise) returnLater(way, translated, stamp);
  else write(way, translated, stamp);
}

/** On its own, so that nothing holds on to the bytes of the answer, which may be many. */
function returnLater(way: Way, translating: Promise<object>, stamp: string | undefined): void {
  translating
    .then(translated => write(way, translated, stamp))
    .catch(error => way.onFailure(way.reply, error as JunctorError));
}

function write({ reply }: Way, translated: object, stamp: string | undefined): void {
  if (translated instanceof AnswerError) return reply.error(translated.code, translated.message, translated.data);
  reply.result(JSON.stringify(stamp === undefined ? translated : { ...JSON.parse(`{${stamp}}`), ...translated }));
}
