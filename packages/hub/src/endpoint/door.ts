/** One door over HTTP: reads what comes, finds out which era it is of, and hands it on. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { RPC_CODE } from '@junctor/core/internal';
import type { Known } from '../security/identity.ts';
import type { TokenEnds } from '../security/token-ends.ts';
import { idOf, isModern, parseMessage, unfitMessage } from '../visit/message.ts';
import type { Room } from '../visit/room.ts';
import type { Sessions } from '../visit/sessions.ts';
import { messagesOfBatch } from './batch.ts';
import type { Bodies } from './bodies.ts';
import type { ClientConnection } from './client-connection.ts';
import type { Elsewhere } from './elsewhere.ts';
import type { KeepAlive } from './keep-alive.ts';
import { deleteLegacy, getLegacy, postBatch, postLegacy } from './legacy-http.ts';
import { postModern } from './modern-http.ts';
import type { News } from './news.ts';
import { refuse } from './refuse.ts';

export interface Door {
  readonly path: string;
  readonly room: Room;
}

export interface DoorContext {
  readonly sessions: Sessions;
  /** Of clients that have a connection of their own. */
  readonly connections: Set<ClientConnection>;
  readonly keepAlive: KeepAlive;
  readonly bodies: Bodies;
  readonly news: News;
  readonly ends: TokenEnds;
  /** What belongs to other hubs on the same database, where there may be any. */
  readonly elsewhere: Elsewhere | undefined;
}

/** Whose token came along, and until when it is good. */
export type Visitor = Known;

export async function answerAtDoor(
  door: Door,
  context: DoorContext,
  owner: Visitor,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { elsewhere } = context;
  const { principal, until } = owner;
  const visit = { ...context, door, owner, principal, until, request, response };
  if (request.method === 'GET' || request.method === 'DELETE') {
    if (elsewhere && (await elsewhere.answers(visit))) return;
    return request.method === 'GET' ? getLegacy(visit) : deleteLegacy(visit);
  }
  if (request.method !== 'POST') {
    response.writeHead(405, { allow: 'GET, POST, DELETE' }).end();
    return;
  }
  const body = await context.bodies.read(request);
  if (typeof body !== 'string') return refuse(response, body.status, body.because, body.code);
  const message = parseMessage(body);
  if (!message) {
    const messages = messagesOfBatch(body);
    if (!messages) return refuse(response, 400, 'The body is not one JSON-RPC message', RPC_CODE.notJson);
    if (elsewhere && (await elsewhere.answers(visit, { body, method: undefined, requestState: undefined }))) return;
    return postBatch(visit, messages);
  }
  const unfit = unfitMessage(message, body);
  if (unfit) return refuse(response, 400, unfit, RPC_CODE.invalidRequest, { id: idOf(message) });
  const { method, params } = message;
  if (elsewhere) {
    // A request without a session finds the hub that keeps its call or its task by the name in it.
    const isAboutTask = request.headers['mcp-session-id'] === undefined && method?.startsWith('tasks/');
    const requestState = params?.requestState ?? (isAboutTask ? params?.taskId : undefined);
    if (await elsewhere.answers(visit, { body, method, requestState })) return;
  }
  const version = request.headers['mcp-protocol-version'] as string | undefined;
  if (isModern(message, version)) return postModern(visit, message);
  return postLegacy(visit, message);
}
