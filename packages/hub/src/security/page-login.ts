/** What a browser gets that comes with a code. */
import type { ServerResponse } from 'node:http';
import type { HubCommands } from '../commands.ts';
import { sessionCookie } from './cookies.ts';
import type { PageSessions } from './page-sessions.ts';

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'",
};

/**
 * A page of ours that leads on, in place of a redirect: a browser that followed a link from elsewhere would not send the new
 * cookie with a redirect, and the code would stay in its address.
 */
export async function answerLogin(
  code: string,
  { pages, commands }: { readonly pages: PageSessions; readonly commands: HubCommands },
  response: ServerResponse,
): Promise<void> {
  const login = await pages.login(code);
  if (!login) {
    const text = `This address was opened before, or is too old. A new one: ${asHtml(commands.line('hub page'))}`;
    response.writeHead(403, HEADERS).end(`<!doctype html><title>Junctor</title><p>${text}</p>\n`);
    return;
  }
  const { secure, path } = pages;
  const cookie = sessionCookie(pages.cookieName, login.cookie, { maxAgeSeconds: login.maxAgeSeconds, secure, path });
  response.writeHead(200, { ...HEADERS, 'set-cookie': cookie });
  response.end(
    '<!doctype html><title>Junctor</title><meta http-equiv="refresh" content="0;url=./"><p>You are logged in.</p>\n',
  );
}

function asHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
