/**
 * May a call that failed be sent again? The one definition of "not sent", "outcome unknown" and "safe to repeat", for the
 * library and the hub. It sends nothing itself: who sends asks here after each failure.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { isJunctorError, type JunctorError, retold } from '../base/error.ts';

/** `not_sent`: it never reached the server. `unknown`: it did, and nobody can say more. `done`: the server answered. */
export type Outcome = 'not_sent' | 'unknown' | 'done';

/** What has to be known of a tool before its call is repeated. */
export interface RepeatGuard {
  /** Whether running it twice does no harm, as its server says. */
  safeToRepeat(): boolean;
  /** Why nobody may call it now, where a lockfile hides it. */
  withheld(): Promise<JunctorError | undefined> | undefined;
}

/**
 * The attempts of one call. It is repeated at most once, however it fails. An attempt that a server denied for its session was
 * none: it is made again on a new session, once, also where it was the repeat.
 */
export class RetryPolicy {
  readonly #guard: RepeatGuard | undefined;
  #repeated = false;
  /** The last attempt was on a session that was opened for it. */
  #renewed = false;
  #mayHaveRun = false;

  /** Without a guard only a request that cannot have run is repeated. */
  constructor(guard?: RepeatGuard) {
    this.#guard = guard;
  }

  /** The server answered with questions: whatever becomes of the next attempt, the call has reached it. */
  reached(): void {
    this.#mayHaveRun = true;
  }

  /** The failure of an attempt, with the outcome of the whole call. A call that may have run once counts as `unknown`. */
  settle<Failure>(error: Failure, sent: boolean): Failure | JunctorError {
    if (!isJunctorError(error)) return error;
    let outcome = sent ? (error.outcome ?? outcomeOf(error, true)) : 'not_sent';
    // The session was opened for this attempt: a server that denies it again may as well have acted on the call.
    const denied = this.#renewed && error.code === 'session_expired';
    if (outcome === 'not_sent' && (denied || this.#mayHaveRun)) outcome = 'unknown';
    this.#mayHaveRun ||= outcome === 'unknown';
    return withOutcome(error, outcome);
  }

  /** Whether to send it again though the server answered: it could not ask its client, and failed for that. */
  repeatsRefused(): boolean {
    if (this.#repeated || this.#guard?.safeToRepeat() !== true) return false;
    this.#repeated = true;
    return true;
  }

  /** Whether to send it again: true once it is time to. A call that is cancelled meanwhile fails by its next attempt. */
  async repeats(error: unknown, signal?: AbortSignal): Promise<boolean> {
    const renews = isJunctorError(error, 'session_expired');
    const isOver = renews ? this.#renewed : this.#repeated;
    if (isOver || signal?.aborted || !mayRepeat(error, this.#guard)) return false;
    if (renews) this.#renewed = true;
    else this.#repeated = true;
    await sleep(waitBeforeRepeat(error), undefined, { signal }).catch(() => {});
    if (signal?.aborted) return true;
    // A new connection may lead to another version of the server, in which nobody approved the tool.
    return (await this.#guard?.withheld()?.catch(() => error)) === undefined;
  }
}

/** A server that could not be opened was tried often enough: only what failed on an open connection is sent again. */
function mayRepeat(error: unknown, guard: RepeatGuard | undefined): error is JunctorError {
  if (!isJunctorError(error)) return false;
  const { code, outcome, unsent } = error;
  if (code === 'session_expired' || unsent) return true;
  return code === 'connection_lost' && outcome === 'unknown' && guard?.safeToRepeat() === true;
}

/** Opening a lost connection waits and tries again by itself. */
const LOST_MS = 100;
/** Nothing else waits for a server that refuses connections. Shorter, and a restart costs the calls made meanwhile. */
const REFUSED_MS = 700;

function waitBeforeRepeat({ code }: JunctorError): number {
  if (code === 'session_expired') return 0;
  return code === 'connection_failed' ? REFUSED_MS : LOST_MS;
}

/** Calls can fail with the same error object, each with an outcome of its own. */
function withOutcome(error: JunctorError, outcome: Outcome): JunctorError {
  if (error.outcome === outcome) return error;
  const own = error.outcome === undefined ? error : retold(error, {});
  own.outcome = outcome;
  return own;
}

const BEFORE_SENDING = new Set([
  ...['server_unknown', 'server_unusable', 'trust_required', 'command_not_found', 'session_expired', 'auth_required'],
  ...[
    'folder_not_found',
    'config_invalid',
    'protocol_unsupported',
    'transport_unsupported',
    'approval_required',
    'tool_not_found',
    'permission_denied',
  ],
]);
const AFTER_AN_ANSWER = new Set(['server_error', 'malformed_response', 'message_too_large', 'tool_failed']);

/** What became of one attempt that failed: whether it can have run. */
export function outcomeOf(error: unknown, sent: boolean): Outcome {
  if (!sent) return 'not_sent';
  if (!isJunctorError(error)) return 'unknown';
  if (error.unsent || BEFORE_SENDING.has(error.code)) return 'not_sent';
  if (AFTER_AN_ANSWER.has(error.code)) return 'done';
  return error.code === 'connection_failed' ? ofRefusal(error) : 'unknown';
}

/** A server that refuses has answered; one that fails, or a gateway before it, may have acted. */
function ofRefusal(error: JunctorError): Outcome {
  const status = (error.cause as { status?: unknown } | undefined)?.status;
  if (typeof status !== 'number') return 'not_sent';
  return status < 500 ? 'done' : 'unknown';
}
