/** One door over HTTP: reads what comes, finds out which era it is of, and hands it on. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { RPC_CODE } from '@junctor/core/inside';
import type { Owner, TokenEnds } from '../security/token-ends.ts';
import { idOf, isModern, isTooDeep, parseMessage, TOO_DEEP } from '../visit/message.ts';
import type { Room } from '../visit/room.ts';
import type { Sessions } from '../visit/sessions.ts';
import type { Bodies } from './bodies.ts';
import type { ClientConnection } from './client-connection.ts';
import type { Elsewhere } from './elsewhere.ts';
import type { KeepAlive } from './keep-alive.ts';
import { deleteLegacy, getLegacy, postLegacy } from './legacy-http.ts';
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

/** Whose token came along, in a form that says nothing about the token, and until when it is good. */
export type Visitor = Owner;

export async function answerAtDoor(
  door: Door,
  context: DoorContext,
  { principal, until }: Visitor,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { elsewhere } = context;
  const visit = { ...context, door, principal, until, request, response };
  if (request.method === 'GET' || request.method === 'DELETE') {
    if (elsewhere && (await elsewhere.answers(visit))) return;
    return request.method === 'GET' ? getLegacy(visit) : deleteLegacy(visit);
  }
  if (request.method !== 'POST') {
    response.writeHead(405, { allow: 'GET, POST, DELETE' }).end();
    return;
  }
  const body = await context.bodies.read(request);
  if (typeof body !== 'string') return refuse(response, body.status, body.because);
  const message = parseMessage(body);
  if (!message) return refuse(response, 400, 'The body is not one JSON-RPC message', RPC_CODE.notJson);
  if (isTooDeep(message, body)) return refuse(response, 400, TOO_DEEP, RPC_CODE.invalidRequest, { id: idOf(message) });
  const { method, params } = message;
  if (elsewhere && (await elsewhere.answers(visit, { body, method, requestState: params?.requestState }))) return;
  const version = request.headers['mcp-protocol-version'] as string | undefined;
  if (isModern(message, version)) return postModern(visit, message);
  return postLegacy(visit, message);
}
