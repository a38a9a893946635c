/** Which entries of the token file are good: not past their end, and made with a credential that is good itself. Pure. */
import { hash } from 'node:crypto';
import { endOf } from './bearer.ts';
import type { TokenEntry } from './token-document.ts';
import { makerDigest } from './token-maker.ts';

export function goodTokens(entries: readonly TokenEntry[], now: number = Date.now()): TokenEntry[] {
  const lasting = entries.filter(entry => endOf(entry) > now);
  const made = new Map<string | undefined, TokenEntry[]>();
  for (const entry of lasting) {
    const maker = makerDigest(entry.made_by);
    made.set(maker, [...(made.get(maker) ?? []), entry]);
  }
  // From those that no stored token made, on to what each of them made: a lost or revoked maker is never reached.
  const good = new Set(made.get(undefined));
  for (const { sha256 } of good) for (const entry of made.get(sha256) ?? []) good.add(entry);
  return lasting.filter(entry => good.has(entry));
}

/** What is kept of a token: enough to know it again. */
export function tokenDigest(token: string): string {
  return hash('sha256', token, 'hex');
}

/** The id under which a token is listed. */
export function tokenId(token: string): string {
  return shortId(tokenDigest(token));
}

export function shortId(digest: string): string {
  return digest.slice(0, 12);
}
