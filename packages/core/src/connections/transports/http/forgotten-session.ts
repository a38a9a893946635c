/** A server that no longer knows the session it had opened, as after a restart: how it says so, and what that means. */
import type { IncomingMessage } from 'node:http';
import { JunctorError } from '../../../base/error.ts';
import { answerIn } from './refusing-answer.ts';

/** 401 is how some say it who ask for no sign-in. */
const WITHOUT_A_STATUS_OF_ITS_OWN = new Set([400, 401]);
const NAMES_SESSION =
  /\bsession[ _-]?id\b|\b(?:no|invalid|unknown|expired)(?: valid)? session\b|\bsession\b.*\b(?:not found|expired|unknown|invalid)\b/i;
/** An error about what was asked (JSON-RPC's own codes), not about who asks. */
const ABOUT_THE_REQUEST = /"code"\s*:\s*-3260[123]\b/;

/**
 * The protocol has 404 for it, unless the body is the answer to the request `id`: then the server acted on it. Many servers,
 * written after an older example, name the session in their words, with 400 or in such an answer: taken for the answer to
 * one request, every later one would end the same way.
 */
export function saysForgotten(
  { statusCode = 0, headers }: IncomingMessage,
  body: string,
  id: number | undefined,
): boolean {
  if (statusCode === 404) {
    const answer = answerIn(body, id);
    return answer === undefined || (answer === 'error' && namesSession(body));
  }
  if (!WITHOUT_A_STATUS_OF_ITS_OWN.has(statusCode) || headers['www-authenticate'] !== undefined) return false;
  return namesSession(body);
}

function namesSession(body: string): boolean {
  return NAMES_SESSION.test(body) && !ABOUT_THE_REQUEST.test(body);
}

/** It did not look at the request. */
export function forgotten(server: string, status: number): JunctorError {
  return new JunctorError('session_expired', `Server '${server}' has forgotten this session.`, {
    server,
    why: `HTTP ${status} on a session it had opened; it did not act on the request`,
    hint: 'try again: a new session is opened by itself',
  });
}
