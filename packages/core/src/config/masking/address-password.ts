/** Passwords inside addresses, as in `postgres://me:hunter2@db/app`: arguments and variables of many servers hold one. Pure. */

/**
 * Up to the last @ before the path: not everybody writes one in a password as %40. The name of a scheme is bounded, since a long
 * token without an address in it would be searched anew from each of its letters.
 */
const PASSWORD = /([a-z][a-z0-9+.-]{0,30}:\/\/[^\s/@:?#${}]*:)([^\s/?#]+)(?=@)/gi;

export function replacePassword(text: string, replace: (password: string) => string): string {
  return text.replace(PASSWORD, (_all, before: string, password: string) => `${before}${replace(password)}`);
}

export function passwordsIn(text: string): string[] {
  return [...text.matchAll(PASSWORD)].flatMap(([, , password]) => password ?? []);
}
