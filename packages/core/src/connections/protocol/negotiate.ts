/**
 * Finds out which era a server speaks, and opens the conversation in it. A server is asked in the newer way first; an old
 * one answers with an error, and is greeted the old way on the same connection.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { isJunctorError, JunctorError, sentenceOf } from '../../base/error.ts';
import { waitAtMost } from '../../base/time/deadline.ts';
import type { Conversation } from '../rpc/conversation.ts';
import { type DiscoverOptions, discover } from './discover.ts';
import { type Greeting, handshake } from './handshake.ts';

/**
 * `probe`: nobody knows yet. `legacy-first`: whoever asks would rather have the old way, or the server was an old one when
 * it was last seen. The others come from the config or from an earlier connection.
 */
export type EraPlan = 'probe' | 'legacy' | 'legacy-first' | 'modern' | 'modern-only';

/**
 * An old server may stay silent instead of answering with an error. After this long it is greeted the old way as well.
 * Too short, and a server that is slow to start is taken for an old one.
 */
const PROBE_MS = 3000;

/** One that answered in the newer way before is given longer, but not for ever: it may have been put back to an old version. */
const REMEMBERED_MS = 15_000;

export async function negotiate(
  server: string,
  conversation: Conversation,
  plan: EraPlan,
  options: DiscoverOptions,
): Promise<Greeting> {
  if (plan === 'legacy') return handshake(server, conversation, options);
  if (plan === 'legacy-first') return greetOldFirst(server, conversation, options);
  const unasked = new AbortController();
  const giveUp = (): void => unasked.abort(options.signal.reason);
  if (options.signal.aborted) giveUp();
  options.signal.addEventListener('abort', giveUp);
  try {
    const asked = settled(discover(server, conversation, { ...options, signal: unasked.signal }));
    const answer = plan === 'modern-only' ? await asked : await waitAtMost(patienceFor(plan, options), asked);
    if (answer?.greeting) return answer.greeting;
    if (answer && !isOldAnswer(answer.error)) throw answer.error;
    if (plan === 'modern-only') throw speaksOnlyOld(server, answer?.error);
    conversation.speak(undefined);
    const greeted = handshake(server, conversation, options);
    return await (answer ? greeted : whicheverCounts(settled(greeted), asked));
  } finally {
    options.signal.removeEventListener('abort', giveUp);
    unasked.abort();
  }
}

/** How long an answer in the newer way is waited for alone. Half of the time is left for the older one. */
function patienceFor(plan: EraPlan, { timeouts }: DiscoverOptions): number {
  return plan === 'modern' ? Math.min(REMEMBERED_MS, timeouts.connectMs / 2) : PROBE_MS;
}

/** Both questions are open: the newer one, which stayed without an answer so far, and the older one. */
async function whicheverCounts(greeted: Promise<Settled>, asked: Promise<Settled>): Promise<Greeting> {
  // Questions are answered in turn: a server that was only slow to start answers the first one first. The second is not
  // taken back then, since a greeting never is; its answer is for nobody.
  const first = await Promise.race([greeted, asked.then(late => (late.greeting ? late : greeted))]);
  // It may take the second one for a mistake, and tell of that sooner. Else both answers may have come together, and are
  // both read before one counts.
  const isMistake = isJunctorError(first.error, 'server_error');
  const late = isMistake ? await waitAtMost(PROBE_MS, asked) : await Promise.race([asked, turn()]);
  const greeting = late?.greeting ?? first.greeting;
  if (!greeting) throw first.error;
  return greeting;
}

async function greetOldFirst(server: string, conversation: Conversation, options: DiscoverOptions): Promise<Greeting> {
  try {
    return await handshake(server, conversation, options);
  } catch (error) {
    if (!isOldAnswer(error)) throw error;
    const greeting = await discover(server, conversation, options).catch(() => undefined);
    if (!greeting) throw error;
    return greeting;
  }
}

interface Settled {
  readonly greeting?: Greeting | undefined;
  readonly error?: unknown;
}

function settled(work: Promise<Greeting | undefined>): Promise<Settled> {
  return work.then(
    greeting => ({ greeting }),
    error => ({ error }),
  );
}

/** An answer that only says: I do not know what you mean. A lost connection or a missing sign-in says something else. */
function isOldAnswer(error: unknown): boolean {
  if (error === undefined || isJunctorError(error, 'server_error') || isJunctorError(error, 'malformed_response'))
    return true;
  if (!isJunctorError(error, 'connection_failed')) return false;
  const status = (error.cause as { status?: unknown } | undefined)?.status;
  return typeof status === 'number' && status !== 401 && status !== 403;
}

function speaksOnlyOld(server: string, cause: unknown): JunctorError {
  return new JunctorError('protocol_unsupported', `Server '${server}' does not speak MCP 2026-07-28.`, {
    server,
    why: cause === undefined ? 'it answered, and named only other versions' : sentenceOf(cause),
    hint: `set "protocol": "auto" on server '${server}'`,
    cause,
  });
}
