/** A response that is no answer for programs like us, told by its headers: a page for people, or something that is packed. */
import type { IncomingMessage } from 'node:http';
import { JunctorError } from '../../../base/error.ts';
import { plainText } from '../../../base/text/plain-text.ts';
import { isOfType } from './content-type.ts';
import { readExcerpt } from './http-target.ts';
import { answeredWithPage } from './web-page.ts';

const LONGEST_NAME = 40;

export function isUnreadable(response: IncomingMessage): boolean {
  return packedAs(response) !== 'identity' || isOfType(response, 'text/html');
}

/** Tells why, with as much of it as says something to a person. */
export function explainUnreadable(
  response: IncomingMessage,
  { server, url }: { readonly server: string; readonly url: URL },
  refuse: (error: JunctorError) => void,
): void {
  const packed = packedAs(response);
  const why = (body: string): JunctorError =>
    packed === 'identity' ? answeredWithPage(server, url, body) : isPacked(server, url, packed);
  readExcerpt(response, body => refuse(why(body)));
}

function packedAs({ headers }: IncomingMessage): string {
  return headers['content-encoding'] ?? 'identity';
}

function isPacked(server: string, url: URL, encoding: string): JunctorError {
  return new JunctorError('malformed_response', `Server '${server}' packs its answers, and was not asked to.`, {
    server,
    why: `what came from ${url.origin} is encoded as ${plainText(encoding, { maxChars: LONGEST_NAME })}`,
    hint: 'switch compression off for it, often in a proxy that stands before it',
  });
}
