/** What a client of the 2026-07-28 era asks, whichever way it comes. */
import { MODERN_VERSIONS } from '@junctor/core/inside';
import { complete } from '../eras/stamp.ts';
import { Flight } from './flight.ts';
import { listen } from './listen.ts';
import type { Message } from './message.ts';
import type { News } from './news.ts';
import type { Reply } from './reply.ts';
import type { Caller } from './room.ts';

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
  if (GONE.has(method)) return reply.error(-32601, `Method not found: ${method}`);
  const flight = new Flight(reply);
  onFlight(flight);
  if (method === 'server/discover') return reply.result(await discovered(caller));
  if (method === 'subscriptions/listen') return listen({ id, params, caller, reply, flight, news });
  await session.room.serve({ method, params }, reply, flight, caller);
}

async function discovered(caller: ModernCaller): Promise<string> {
  const found = await caller.session.room.discover(caller);
  return complete('server/discover', { supportedVersions: MODERN_VERSIONS, ...found });
}
