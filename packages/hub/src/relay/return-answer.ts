/** Gives a server's answer back to its client: as it is, or in the words of the door. */
import type { JunctorError } from '@junctor/core';
import type { AnswerId, Frame } from '@junctor/core/inside';
import type { Job } from './job.ts';

/** `stamp`: what a client of the newer era needs beside the answer of an older server. */
export function returnAnswer(
  { reply, translate, onFailure }: Pick<Job, 'reply' | 'translate' | 'onFailure'>,
  frame: Frame,
  at: AnswerId,
  stamp?: string,
): void {
  const give = (translated: object | undefined): void => {
    if (!translated) return reply.splice(frame, at, stamp);
    const stamped = stamp === undefined ? translated : { ...JSON.parse(`{${stamp}}`), ...translated };
    reply.result(JSON.stringify(stamped));
  };
  const translated = translate?.(frame, at);
  if (!(translated instanceof Promise)) return give(translated);
  translated.then(give).catch(error => onFailure(reply, error as JunctorError));
}
