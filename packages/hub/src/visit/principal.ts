/**
 * Whose token came along, in a form that says nothing about the token. It is compared as a whole, and part of keys; its first
 * word says what comes with it.
 */
import { hash } from 'node:crypto';
import type { Bearer } from '../store/bearer.ts';

const RUN = 'agent-run ';
const APPROVING = 'approving-person ';

/** `digest`: what is kept of its token, so that it is also known of one that was revoked. */
export function principalOf(bearer: Bearer, digest: string, { approves = false } = {}): string {
  // Every connection of one run is of one owner, also with a new token.
  if (bearer.kind === 'agent' && bearer.session !== undefined)
    return `${RUN}${hash('sha256', `${bearer.agent} ${bearer.session}`, 'base64url')}`;
  const who = bearer.kind === 'person' && approves ? APPROVING : `${bearer.kind} `;
  return `${who}${hash('sha256', `session of ${digest}`, 'base64url')}`;
}

/** All that the owner of a token may be known as. */
export function principalsOf(bearer: Bearer, digest: string): readonly string[] {
  return [false, true].map(approves => principalOf(bearer, digest, { approves }));
}

/** Whether all connections of it are one session: its token was made for one run. */
export function isOneSession(principal: string): boolean {
  return principal.startsWith(RUN);
}

/** Whether it is another hub, which has judged each call before it came here. */
export function isHub(principal: string): boolean {
  return principal.startsWith('hub ');
}

/** Whether it is a person who said yes to each call before it came here. */
export function hasApproved(principal: string): boolean {
  return principal.startsWith(APPROVING);
}
