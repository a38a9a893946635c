/** With a login to the page ends what the browser has open, at this hub and at every other on its database. */

import type { Notices } from '../replicas/notices.ts';
import { principalsOf } from '../visit/principal.ts';
import type { PageSessions } from './page-sessions.ts';

const REASON = 'the browser was logged out';

/** `sendAway` ends what owners of logins have open. The returned function stops. */
export function endLoggedOut(
  pages: PageSessions,
  notices: Notices,
  sendAway: (principals: ReadonlySet<string>, reason: string) => void,
): () => void {
  const end = (login: string): void => {
    pages.forget(login);
    sendAway(new Set(principalsOf({ kind: 'person' }, login)), REASON);
  };
  const deaf = notices.on('page-logins', login => {
    // Which one it was cannot be heard any more: its cookie opens nothing, and its browser has closed what it had.
    if (login !== undefined) end(login);
  });
  const stop = pages.onLogout(login => {
    end(login);
    void notices.tell('page-logins', login).catch(() => {});
  });
  return () => {
    deaf();
    stop();
  };
}
