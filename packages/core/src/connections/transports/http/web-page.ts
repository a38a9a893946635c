/** Recognises a page made for people where an answer for programs was expected: a login wall, a proxy's excuse. */
import { JunctorError } from '../../../base/error.ts';
import { plainText } from '../../../base/text/plain-text.ts';

/** Enough of an error to recognise it by. */
const SHOWN_CHARACTERS = 2000;
const TITLE_CHARACTERS = 120;

/** What a body says, in as many words as a person reads: of a web page its title. */
export function describeBody(body: string): string {
  if (!/^\s*(?:<!doctype html|<html)/i.test(body)) return plainText(body, { maxChars: SHOWN_CHARACTERS, lines: true });
  const title = /<title[^<>]*>([^<]*)/i.exec(body)?.[1]?.trim();
  return title
    ? `a web page titled "${plainText(title, { maxChars: TITLE_CHARACTERS })}"`
    : 'a web page without a title';
}

export function answeredWithPage(server: string, url: URL, body: string): JunctorError {
  return new JunctorError('malformed_response', `Server '${server}' answered with a web page.`, {
    server,
    why: `${url.origin}${url.pathname} gave ${describeBody(body)}`,
    hint: 'check its url: what answers there is made for people, perhaps a login page or a wrong path',
  });
}
