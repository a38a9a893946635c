/** A revoked token ends what was opened with it, and the logins to the page that it made. */

import type { Bearer } from '../store/bearer.ts';
import type { TokenBook } from '../store/token-book.ts';
import { principalsOf } from '../visit/principal.ts';
import type { PageSessions } from './page-sessions.ts';

const REASON = 'the token was revoked, or has ended';

/** `sendAway` ends what owners of tokens have open. The returned function stops. */
export function endRevoked(
  tokens: TokenBook,
  pages: PageSessions,
  sendAway: (principals: ReadonlySet<string>, reason: string) => void,
): () => void {
  return tokens.followRevoked((revoked, good) => {
    // One run may have several tokens: it is over with the last.
    const still = ownersOf(good);
    const gone = new Set([...ownersOf(revoked)].filter(principal => !still.has(principal)));
    sendAway(gone, REASON);
    // Where the database does not answer: a login whose maker is revoked opens nothing more, here or there.
    pages.endMadeBy(revoked.keys()).catch(() => {});
  });
}

function ownersOf(tokens: ReadonlyMap<string, Bearer>): ReadonlySet<string> {
  return new Set([...tokens].flatMap(([digest, bearer]) => principalsOf(bearer, digest)));
}
