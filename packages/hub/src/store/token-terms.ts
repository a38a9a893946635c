/** What a token is made with, what is written down of it, and what people see of it. Pure but for the random bytes. */
import { randomBytes } from 'node:crypto';
import { endOf, type METRICS } from './bearer.ts';
import { shortId, tokenDigest } from './good-tokens.ts';
import type { TokenEntry } from './token-document.ts';
import { BY_COMMAND, byToken, makerDigest, type TokenMaker } from './token-maker.ts';

export interface TokenTerms {
  /** For one run of the agent: all connections with such a token are one session. */
  readonly session?: string | undefined;
  /** Where the agent runs. */
  readonly executor?: string | undefined;
  /** For a monitor. */
  readonly opens?: typeof METRICS | undefined;
  readonly name?: string | undefined;
  /** It ends by itself after so long; default 90 days. null: it is good until it is revoked. */
  readonly hours?: number | null | undefined;
  /** Default: a command on the hub's machine. */
  readonly maker?: TokenMaker | undefined;
}

/** `hours`: a longer time than ten years means a token that is good until it is revoked. `defaultHours`: 90 days. */
export const TOKEN_LIMITS = { nameChars: 64, hours: 10 * 365 * 24, defaultHours: 90 * 24 } as const;

const HOUR_MS = 60 * 60_000;

/** Which tokens are meant: those of an agent, of monitors, or else of people; with a name, those of that name. */
export interface WhichTokens {
  readonly agent?: string | undefined;
  readonly opens?: typeof METRICS | undefined;
  readonly name?: string | undefined;
}

/** A token as people see it once it was made: nothing here opens anything. */
export interface ListedToken extends Omit<TokenEntry, 'sha256'> {
  readonly id: string;
  /** When it was last used, as far as the hub has written that down. */
  readonly last_used?: string | undefined;
}

export const TOKEN_PREFIX = 'jct_';

export function newToken(): string {
  return `${TOKEN_PREFIX}${randomBytes(32).toString('base64url')}`;
}

export function newEntry(token: string, agent: string | undefined, given: TokenTerms): TokenEntry {
  const { hours, maker = BY_COMMAND, ...more } = given;
  const made = { made_by: maker.by, made_by_name: maker.name };
  const terms = Object.entries({ agent, ...more, expires: expiryOf(hours, maker), ...made });
  return {
    sha256: tokenDigest(token),
    ...Object.fromEntries(terms.filter(([, value]) => value)),
    created: new Date().toISOString(),
  };
}

/** `token` takes the place of `old`, for as long as that was made for. What the old one made belongs to the new one. */
export function rotated(
  entries: readonly TokenEntry[],
  old: TokenEntry,
  token: string,
  maker: TokenMaker,
): readonly TokenEntry[] {
  const sha256 = tokenDigest(token);
  const lasts = endOf(old) - Date.parse(old.created);
  const expires = expiryOf(Number.isFinite(lasts) ? lasts / HOUR_MS : null, maker);
  const { expires: _ended, ...terms } = old;
  const renewed = { ...terms, sha256, created: new Date().toISOString(), ...(expires && { expires }) };
  return entries.map(entry => {
    if (entry === old) return renewed;
    return makerDigest(entry.made_by) === old.sha256 ? { ...entry, made_by: byToken(sha256) } : entry;
  });
}

export function listed({ sha256, made_by, ...rest }: TokenEntry, used: number | undefined): ListedToken {
  const maker = makerDigest(made_by);
  return {
    id: shortId(sha256),
    ...rest,
    ...(made_by && { made_by: maker === undefined ? made_by : byToken(shortId(maker)) }),
    ...(used && { last_used: new Date(used).toISOString() }),
  };
}

/** When a token ends that is made now; undefined: when it is revoked. It never outlives what bounds its maker. */
function expiryOf(hours: number | null | undefined, { until }: TokenMaker): string | undefined {
  const wanted =
    hours === null ? Number.POSITIVE_INFINITY : Date.now() + (hours ?? TOKEN_LIMITS.defaultHours) * HOUR_MS;
  const end = Math.min(wanted, until ?? Number.POSITIVE_INFINITY);
  return Number.isFinite(end) ? new Date(end).toISOString() : undefined;
}
