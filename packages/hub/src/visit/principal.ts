/**
 * Whose token came along, in a form that says nothing about the token. It is compared as a whole and part of keys. Nobody reads
 * anything out of it: what comes with a token stands in its bearer.
 */
import { hash } from 'node:crypto';
import type { Bearer } from '../store/bearer.ts';

/** `digest`: what is kept of its token, so that it is also known of one that was revoked. */
export function principalOf(bearer: Bearer, digest: string, { approves = false } = {}): string {
  // Every connection of one run is of one owner, also with a new token.
  if (bearer.kind === 'agent' && bearer.session !== undefined)
    return `agent-run ${hash('sha256', `${bearer.agent} ${bearer.session}`, 'base64url')}`;
  // A person who approves at a terminal shares no session with other clients of the same token.
  const kind = bearer.kind === 'person' && approves ? 'approving-person' : bearer.kind;
  return `${kind} ${hash('sha256', `session of ${digest}`, 'base64url')}`;
}

/** All that the owner of a token may be known as. */
export function principalsOf(bearer: Bearer, digest: string): readonly string[] {
  return [false, true].map(approves => principalOf(bearer, digest, { approves }));
}
