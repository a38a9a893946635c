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
}

/** Out of reach for scripts, and not sent along by any page of another site. */
export function sessionCookie(name: string, value: string, { maxAgeSeconds, secure }: CookieOptions): string {
  const parts = [`${name}=${value}`, 'Path=/', 'HttpOnly', 'SameSite=Strict', `Max-Age=${maxAgeSeconds}`];
  return [...parts, ...(secure ? ['Secure'] : [])].join('; ');
}
