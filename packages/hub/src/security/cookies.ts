import type { IncomingMessage } from 'node:http';

/** The value of one cookie of a request. */
export function cookieOf(
  { headers: { cookie = '' } }: Pick<IncomingMessage, 'headers'>,
  name: string,
): string | undefined {
  for (const part of cookie.split(';')) {
    const at = part.indexOf('=');
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return undefined;
}

export interface CookieOptions {
  readonly maxAgeSeconds: number;
  /** The page is reached over https. */
  readonly secure: boolean;
  /** Below which the page lies; neighbours on the same host do not get it. */
  readonly path: string;
}

/** Out of reach for scripts, and not sent along by any page of another site. */
export function sessionCookie(name: string, value: string, { maxAgeSeconds, secure, path }: CookieOptions): string {
  const parts = [`${name}=${value}`, `Path=${path}`, 'HttpOnly', 'SameSite=Strict', `Max-Age=${maxAgeSeconds}`];
  return [...parts, ...(secure ? ['Secure'] : [])].join('; ');
}
