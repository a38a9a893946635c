/** What a client of the older era says, whichever way it comes: greetings, requests, notifications, answers. */
import { isObject, RPC_CODE } from '@junctor/core/internal';
import { Flight } from '../visit/flight.ts';
import { type Message, misnamed } from '../visit/message.ts';
import { fail } from '../visit/own-answers.ts';
import { isLogLevel } from '../visit/party.ts';
import type { Reply } from '../visit/reply.ts';
import type { ClientName, Session } from '../visit/session.ts';

/** Greets the client of a new session. `noted`: it is written down where others look for it. */
export async function greet(
  session: Session,
  { params = {} }: Message,
  reply: Reply,
  noted: () => Promise<void> | undefined = () => undefined,
): Promise<void> {
  session.capabilities = isObject(params.capabilities) ? params.capabilities : {};
  session.client = clientName(params.clientInfo);
  const greeting = await session.room.greet(params, session);
  session.protocolVersion = (greeting as { protocolVersion?: string }).protocolVersion;
  await noted();
  reply.result(JSON.stringify(greeting));
}

export function clientName(info: unknown): ClientName {
  const { name, version } = isObject(info) ? info : {};
  if (typeof name !== 'string') return { name: 'unknown' };
  return {
    name: name.slice(0, MAX_NAME),
    version: typeof version === 'string' ? version.slice(0, MAX_NAME) : undefined,
  };
}

const MAX_NAME = 200;

/** An answer or a notification: nothing is said back. */
export function hear(session: Session, message: Message): void {
  const { method, params } = message;
  if (method === undefined) session.answered(message);
  else if (method === 'notifications/cancelled') session.cancel(params?.requestId, params?.reason);
  else if (method === 'notifications/roots/list_changed') tellOwnServers(session, method);
}

/** Servers that sessions share ask whoever uses them then: a change of one client's folders is no news to them. */
function tellOwnServers(session: Session, method: string): void {
  for (const upstream of session.upstreams.values()) {
    if (upstream.owner === session && upstream.live?.greeting.era === 'legacy')
      upstream.live.conversation.notify(method);
  }
}

/** A request. `makeReply` says how its answer leaves. */
export function answer(
  session: Session,
  { id, method = '', params = {} }: Message,
  makeReply: (id: string, onOver: () => void) => Reply,
): void | Promise<void> {
  const key = JSON.stringify(id);
  const taken = session.running.has(key);
  const reply = makeReply(key, () => {
    if (!taken) session.running.take(key);
  });
  if (taken) return reply.error(RPC_CODE.invalidRequest, `A request with the id ${key} is still running`);
  if (session.earlyCancels.came(key)) return reply.abandon();
  const wrong = misnamed(method, params);
  if (wrong) return reply.error(RPC_CODE.invalidParams, wrong);
  const flight = new Flight(reply);
  session.running.set(key, flight);
  if (method === 'ping') return reply.result('{}');
  if (method === 'logging/setLevel') return setLevel(session, params.level, reply);
  try {
    return session.room.serve({ method, params }, reply, flight, session);
  } catch (error) {
    fail(session.room, reply, error);
  }
}

async function setLevel(session: Session, level: unknown, reply: Reply): Promise<void> {
  if (!isLogLevel(level)) return reply.error(RPC_CODE.invalidParams, `There is no log level ${JSON.stringify(level)}`);
  session.logLevel = level;
  // A server that does not take it sends what it thinks best; the rest is left out on the way.
  await Promise.allSettled([...session.upstreams.values()].map(upstream => upstream.wantLevel()));
  reply.result('{}');
}
