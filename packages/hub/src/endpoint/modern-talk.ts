/** What a client of the 2026-07-28 era asks, whichever way it comes. */
import { MODERN_VERSIONS, RPC_CODE } from '@junctor/core/internal';
import { Flight } from '../visit/flight.ts';
import { type Message, misnamed } from '../visit/message.ts';
import { fail } from '../visit/own-answers.ts';
import type { Reply } from '../visit/reply.ts';
import type { Caller } from '../visit/room.ts';
import { complete } from '../visit/stamp.ts';
import { listen } from './listen.ts';
import type { News } from './news.ts';

export interface ModernCaller extends Caller {
  readonly era: 'modern';
}

/** What the older era had, and this one has not. */
const GONE = new Set([
  'initialize',
  'ping',
  'logging/setLevel',
  'resources/subscribe',
  'resources/unsubscribe',
  'roots/list',
]);

export async function answerModern(
  caller: ModernCaller,
  { id, method = '', params = {} }: Message,
  reply: Reply,
  news: News,
  onFlight: (flight: Flight) => void,
): Promise<void> {
  const { session } = caller;
  if (GONE.has(method)) return reply.error(RPC_CODE.methodNotFound, `Method not found: ${method}`);
  const wrong = misnamed(method, params);
  if (wrong) return reply.error(RPC_CODE.invalidParams, wrong);
  const flight = new Flight(reply);
  onFlight(flight);
  if (method === 'server/discover') return reply.result(await discovered(caller));
  if (method === 'subscriptions/listen') return listen({ id, params, caller, reply, flight, news });
  try {
    await session.room.serve({ method, params }, reply, flight, caller);
  } catch (error) {
    fail(session.room, reply, error);
  }
}

async function discovered(caller: ModernCaller): Promise<string> {
  const found = await caller.session.room.discover(caller);
  return complete('server/discover', { supportedVersions: MODERN_VERSIONS, ...found });
}
