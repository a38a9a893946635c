/** Streamable HTTP of the 2026-07-28 era: every POST stands for itself, and its headers repeat what its body says. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Owner, TOKEN_ENDED } from '../security/token-ends.ts';
import type { Message } from '../visit/message.ts';
import type { SessionOwner } from '../visit/session.ts';
import type { Door, DoorContext } from './door.ts';
import { HttpReply, readsStreams } from './http-reply.ts';
import { checkArguments, checkHeaders, checkVersionHeader, openEnvelope, Unfit } from './modern-envelope.ts';
import { answerModern, type ModernCaller } from './modern-talk.ts';
import { refuse } from './refuse.ts';

export interface ModernVisit extends DoorContext, Owner {
  readonly door: Door;
  readonly owner: SessionOwner;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

export async function postModern(visit: ModernVisit, message: Message): Promise<void> {
  const { request, response, keepAlive, news, ends } = visit;
  const { id, method } = message;
  if (id === undefined || id === null || method === undefined) {
    // Notifications of this era have nothing to say over HTTP: cancelling is hanging up.
    response.writeHead(202).end();
    return;
  }
  const { accept } = request.headers;
  if (method === 'subscriptions/listen' && !readsStreams(accept))
    return refuse(response, 406, `${method} is answered with a stream: it needs accept: text/event-stream`, undefined, {
      id,
    });
  let caller: ModernCaller;
  try {
    caller = await admit(visit, message);
  } catch (error) {
    if (!(error instanceof Unfit)) throw error;
    return refuse(response, 400, error.message, error.code, { id, data: error.data });
  }
  const { running } = caller.session;
  // Requests of one session come over many connections, where ids are their own: several may have the same.
  const key = `http ${randomUUID()}`;
  const onOver = (): void => void running.take(key);
  const reply = new HttpReply({ response, id: JSON.stringify(id), keepAlive, onOver, accept });
  await answerModern(caller, message, reply, news, flight => {
    running.set(key, flight);
    if (method === 'subscriptions/listen')
      response.once(
        'close',
        ends.follow(visit, () => flight.cancel(TOKEN_ENDED)),
      );
    response.once('close', () => {
      if (!reply.done) flight.cancel('the client hung up');
    });
  });
}

async function admit({ door, owner, sessions, request }: ModernVisit, message: Message): Promise<ModernCaller> {
  const { headers } = request;
  checkVersionHeader(message, headers);
  const { capabilities, client, logLevel } = openEnvelope(message);
  checkHeaders(message, headers);
  const own = headers['mcp-session-id'];
  const named = typeof own === 'string' ? sessions.find(own, { door: door.path, room: door.room, owner }) : undefined;
  const options = { door: door.path, room: door.room, owner, era: 'modern' as const };
  const session = named ?? sessions.ofClient(options, client);
  session.logLevel = logLevel ?? session.logLevel;
  const caller: ModernCaller = { era: 'modern', session, capabilities, logLevel };
  if (message.method !== 'tools/call') return caller;
  const { name, arguments: args } = message.params ?? {};
  const found = typeof name === 'string' ? door.room.toolNamed(name, caller) : undefined;
  const tool = found instanceof Promise ? await found.catch(() => undefined) : found;
  if (tool) checkArguments(tool, args, headers);
  return caller;
}
