/** What became of a call that failed: whether it can have run. Pure. */
import { isJunctorError, type JunctorError } from '../base/error.ts';

/** `not_sent`: it never reached the server. `unknown`: it did, and nobody can say more. `done`: the server answered. */
export type Outcome = 'not_sent' | 'unknown' | 'done';

const BEFORE_SENDING = new Set([
  ...['server_unknown', 'server_unusable', 'trust_required', 'command_not_found', 'session_expired', 'auth_required'],
  ...[
    'config_invalid',
    'protocol_unsupported',
    'transport_unsupported',
    'approval_required',
    'tool_not_found',
    'permission_denied',
  ],
]);
const AFTER_AN_ANSWER = new Set(['server_error', 'malformed_response', 'message_too_large', 'tool_failed']);

export function outcomeOf(error: unknown, sent: boolean): Outcome {
  if (!sent) return 'not_sent';
  if (!isJunctorError(error)) return 'unknown';
  if (error.unsent || BEFORE_SENDING.has(error.code)) return 'not_sent';
  if (AFTER_AN_ANSWER.has(error.code)) return 'done';
  return error.code === 'connection_failed' ? ofRefusal(error) : 'unknown';
}

/** A server that says no has not acted; one that fails, or a gateway before it, may have. */
function ofRefusal(error: JunctorError): Outcome {
  const status = (error.cause as { status?: unknown } | undefined)?.status;
  if (typeof status !== 'number') return 'not_sent';
  return status < 500 ? 'done' : 'unknown';
}
