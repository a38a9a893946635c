/** Whose a token is, and with that what it opens. */
import type { TokenEntry } from './token-document.ts';

/** What a token for monitors opens, and its kind. */
export const METRICS = 'metrics';

/** A person's token opens everything, an agent's only its own doors, a server's only that of the server, a monitor's only the metrics. */
export type Bearer =
  /** With a name where its owner gave it one, or an issuer did: for the audit. */
  | { readonly kind: 'person'; readonly name?: string }
  /** Another hub on the same database: it may read what this one knows. */
  | { readonly kind: 'hub' }
  /** With a session: its token was made for one run, and all its connections are that session. */
  | {
      readonly kind: 'agent';
      readonly agent: string;
      readonly session?: string;
      readonly executor?: string;
      /** The id of the one project that it opens. */
      readonly project?: string;
    }
  | { readonly kind: 'server'; readonly server: string; readonly project?: string }
  | { readonly kind: typeof METRICS };

/** Undefined for one that a later version made, and that opens less than we know of. */
export function bearerIn({ agent, session, executor, opens, name }: TokenEntry): Bearer | undefined {
  if (opens !== undefined) return opens === METRICS ? { kind: METRICS } : undefined;
  if (agent === undefined) return { kind: 'person', ...(name === undefined ? {} : { name }) };
  const run = session === undefined ? {} : { session };
  return { kind: 'agent', agent, ...run, ...(executor === undefined ? {} : { executor }) };
}

/** When it ends by itself; infinity where it is good until it is revoked. */
export function endOf({ expires }: TokenEntry): number {
  return expires === undefined ? Number.POSITIVE_INFINITY : Date.parse(expires);
}
