/** What the access token of an issuer opens: decided by the address it was made for, and by its scopes. Pure. */
import { agentId, plainText } from '@junctor/core/light';
import type { Bearer } from '../store/bearer.ts';

/** Opens the doors of the agent, or of the server, that the token was made for. */
export const TOOLS_SCOPE = 'junctor:tools';
/** With a token made for the hub itself: opens everything, as a person token does. */
export const PERSON_SCOPE = 'junctor:person';

export interface Claims {
  readonly aud?: string | string[] | undefined;
  readonly scope?: unknown;
  /** How some issuers say it: a text, or a list. */
  readonly scp?: unknown;
  readonly sub?: string | undefined;
  readonly preferred_username?: unknown;
  readonly email?: unknown;
}

export type Opened =
  | { readonly bearer: Bearer }
  /** It was made for this hub, and is not allowed enough. */
  | { readonly lacks: string }
  /** It was made for somebody else. */
  | { readonly madeFor: readonly string[] };

/** `base` is the address of the hub, without a slash at its end. */
export function openedBy(claims: Claims, base: string): Opened {
  const madeFor = [claims.aud ?? []].flat();
  const scopes = scopesOf(claims);
  const ours = madeFor.map(one => withoutSlash(one)).filter(one => one === base || one.startsWith(`${base}/`));
  if (ours.includes(base))
    return scopes.has(PERSON_SCOPE) ? { bearer: { kind: 'person', ...nameIn(claims) } } : { lacks: PERSON_SCOPE };
  const [bearer] = ours.flatMap(one => bearerAt(one.slice(base.length)) ?? []);
  if (!bearer) return { madeFor };
  return scopes.has(TOOLS_SCOPE) ? { bearer } : { lacks: TOOLS_SCOPE };
}

/** Whose endpoint is at this path; undefined where there is none. */
export function bearerAt(path: string): Bearer | undefined {
  const [, agent, server, id] =
    /^\/(?:(?:mcp|sse|ws)\/([^/]+)|servers\/([^/]+)\/mcp)(?:\/w\/([^/]+))?$/.exec(path) ?? [];
  const project = id === undefined ? {} : { project: id };
  if (agent !== undefined) return { kind: 'agent', agent: agentId(agent), ...project };
  return server === undefined ? undefined : { kind: 'server', server, ...project };
}

function scopesOf({ scope, scp }: Claims): Set<string> {
  const said = [scope, scp].flat().filter(one => typeof one === 'string');
  return new Set(said.flatMap(text => text.split(' ')));
}

/** People know each other by the first, which its owner may choose; the issuer knows them by the second. */
function nameIn({ sub, preferred_username, email }: Claims): { readonly name?: string } {
  const shown = [preferred_username, email].find(one => typeof one === 'string' && one !== '');
  if (sub === undefined) return {};
  return { name: plainText(shown === undefined || shown === sub ? sub : `${shown} (${sub})`, { maxChars: 200 }) };
}

function withoutSlash(address: string): string {
  return address.replace(/\/$/, '');
}
