/** Streamable HTTP of the older era: a session, requests by POST, a stream for the rest by GET. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { PROTOCOL_VERSIONS, RPC_CODE } from '@junctor/core/internal';
import type { Owner, TokenEnds } from '../security/token-ends.ts';
import type { Message } from '../visit/message.ts';
import type { Session, SessionOwner } from '../visit/session.ts';
import type { Sessions } from '../visit/sessions.ts';
import { answerBatch, batchRefusal } from './batch.ts';
import { BatchPart } from './batch-part.ts';
import type { Door } from './door.ts';
import type { Elsewhere } from './elsewhere.ts';
import { HttpReply } from './http-reply.ts';
import type { KeepAlive } from './keep-alive.ts';
import { answer, greet, hear } from './legacy-talk.ts';
import { refuse } from './refuse.ts';
import { SessionStreams } from './session-streams.ts';

export interface LegacyVisit extends Owner {
  readonly door: Door;
  readonly owner: SessionOwner;
  readonly ends: TokenEnds;
  readonly sessions: Sessions;
  readonly keepAlive: KeepAlive;
  readonly elsewhere: Elsewhere | undefined;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

export function postLegacy(visit: LegacyVisit, message: Message): void | Promise<void> {
  const { request, response, keepAlive } = visit;
  const { id, method } = message;
  if (method === 'initialize') return open(visit, message);
  const session = sessionOf(visit, method);
  if (!session) return;
  if (method === undefined || id === undefined || id === null) {
    hear(session, message);
    response.writeHead(202).end();
    return;
  }
  const streams = session.outlet as SessionStreams;
  const { accept } = request.headers;
  return answer(
    session,
    message,
    (key, onOver) => new HttpReply({ response, id: key, streams, onOver, keepAlive, accept }),
  );
}

export function postBatch(visit: LegacyVisit, messages: readonly string[]): void {
  const { request, response, keepAlive } = visit;
  const session = sessionOf(visit, 'a batch');
  if (!session) return;
  const { accept, 'mcp-protocol-version': version } = request.headers;
  const refusal = batchRefusal(session, messages, version as string | undefined);
  if (refusal !== undefined) return refuse(response, 400, refusal, RPC_CODE.invalidRequest);
  const streams = session.outlet as SessionStreams;
  const reply = new HttpReply({ response, id: 'null', streams, keepAlive, accept });
  const shared = { reply, onLeft: new Set<() => void>() };
  const isAnswered = answerBatch(session, messages, {
    reply: (id, onOver, collect) => new BatchPart(id, onOver, shared, collect),
    finish: answers => (answers.length > 0 ? reply.answerAll(answers) : reply.abandon()),
  });
  if (!isAnswered) response.writeHead(202).end();
}

/** The stream for what belongs to no request, or the rest of one that broke. */
export function getLegacy(visit: LegacyVisit): void {
  const { request, response, keepAlive, ends } = visit;
  const session = sessionOf(visit, 'the stream');
  if (!session) return;
  if (!request.headers.accept?.includes('text/event-stream'))
    return refuse(response, 406, 'A GET brings an event stream: it needs accept: text/event-stream');
  const lastEventId = request.headers['last-event-id'];
  const streams = session.outlet as SessionStreams;
  const leave = streams.attach(response, typeof lastEventId === 'string' ? lastEventId : undefined);
  // Not 404: to a client that names its session, 404 says that the session is over.
  if (!leave)
    return refuse(response, 400, 'The stream of this Last-Event-ID is not kept: nothing can be resumed from it');
  response.once('close', ends.follow(visit, leave));
  keepAlive.add(response);
}

export function deleteLegacy(visit: LegacyVisit): void {
  const session = sessionOf(visit, 'the end');
  if (!session) return;
  visit.sessions.close(session);
  visit.response.writeHead(204).end();
}

async function open(visit: LegacyVisit, message: Message): Promise<void> {
  const { door, owner, sessions, request, response, keepAlive, elsewhere } = visit;
  const { id } = message;
  if (!speaksWithUs(visit)) return;
  if (id === undefined || id === null) return refuse(response, 400, 'initialize needs an id', RPC_CODE.invalidRequest);
  const session = sessions.open({ door: door.path, room: door.room, owner, era: 'legacy' });
  const streams = new SessionStreams();
  session.outlet = streams;
  response.setHeader('mcp-session-id', session.id);
  try {
    const { accept } = request.headers;
    const reply = new HttpReply({ response, id: JSON.stringify(id), streams, keepAlive, accept });
    await greet(session, message, reply, () => elsewhere?.known());
  } catch (error) {
    response.removeHeader('mcp-session-id');
    sessions.close(session);
    throw error;
  }
}

/** The session of a request; the request is answered here where it has none. */
function sessionOf(
  { door, owner, sessions, request, response }: LegacyVisit,
  what = 'this message',
): Session | undefined {
  const id = request.headers['mcp-session-id'];
  if (!speaksWithUs({ request, response })) return undefined;
  if (typeof id !== 'string') {
    refuse(response, 400, `Send initialize first: ${what} came without Mcp-Session-Id`);
    return undefined;
  }
  const session = sessions.find(id, { door: door.path, room: door.room, owner });
  if (!session) refuse(response, 404, 'The session is over: send initialize again');
  return session;
}

function speaksWithUs({ request, response }: Pick<LegacyVisit, 'request' | 'response'>): boolean {
  const version = request.headers['mcp-protocol-version'];
  if (version === undefined || (PROTOCOL_VERSIONS as readonly unknown[]).includes(version)) return true;
  refuse(response, 400, `Unsupported protocol version: ${version} (supported: ${PROTOCOL_VERSIONS.join(', ')})`);
  return false;
}
