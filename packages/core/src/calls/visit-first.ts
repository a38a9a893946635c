/** A server wants pages visited before it runs a call: the person is sent there, and the call is made again once. */
import { JunctorError } from '../base/error.ts';
import { plainText } from '../base/text/plain-text.ts';
import type { Answers } from '../connections/client-features/answers.ts';
import { pagesToVisit } from '../connections/client-features/pages-to-visit.ts';
import type { ToolRef } from './call.ts';

/** Comes back when the person has been there; throws where they have not. Undefined where the error is another one. */
export function visitFirst(
  error: unknown,
  ref: ToolRef,
  { answers, signal = NEVER, again }: { answers: Answers | undefined; signal: AbortSignal | undefined; again: boolean },
): Promise<void> | undefined {
  const pages = pagesToVisit(error);
  if (!pages) return undefined;
  return (async () => {
    // A server that asks a second time was not content with the first visit: the person has to look what is missing.
    const went = !again && (await answers?.visit?.(error, { server: ref.server, signal }));
    if (!went)
      throw notVisited(
        ref,
        pages.map(({ url }) => url),
        error,
      );
  })();
}

const NEVER = new AbortController().signal;
const MAX_URL_CHARS = 2000;

function notVisited({ server, tool }: ToolRef, urls: readonly string[], cause: unknown): JunctorError {
  return new JunctorError('input_required', `'${tool}' on server '${server}' needs a page visited first.`, {
    server,
    why: `the server named: ${urls.map(url => plainText(url, { maxChars: MAX_URL_CHARS })).join(' ')}`,
    hint: 'if you trust the server and the address, open it, do what it asks, and call again',
    cause,
  });
}
