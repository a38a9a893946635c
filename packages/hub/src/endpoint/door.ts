/** Streamable HTTP of the 2025 era for one door: reads a POST, keeps sessions, hands each request on. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { PROTOCOL_VERSIONS } from '@junctor/core/inside';
import { Reply } from './reply.ts';
import { Flight, type Session, type Sessions } from './sessions.ts';

export interface Request {
  readonly method: string;
  readonly params: Record<string, unknown>;
}

/** What stands behind a door: all servers of an agent, or one server as it is. */
export interface Room {
  /** The result of initialize. */
  greet(params: Record<string, unknown>): Promise<object>;
  serve(request: Request, reply: Reply, flight: Flight): void | Promise<void>;
}

/** A request is small: it carries arguments, not results. */
const MAX_REQUEST_BYTES = 128 * 1024 * 1024;

export async function answerAtDoor(
  door: string,
  room: Room,
  sessions: Sessions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const version = request.headers['mcp-protocol-version'];
  if (version !== undefined && !(PROTOCOL_VERSIONS as readonly unknown[]).includes(version)) {
    refuse(response, 400, `Unsupported protocol version: ${version} (supported: ${PROTOCOL_VERSIONS.join(', ')})`);
    return;
  }
  if (request.method === 'POST') return post(door, room, sessions, request, response);
  const session = sessionOf(door, sessions, request);
  if (request.method === 'DELETE' && session) {
    sessions.close(session);
    response.writeHead(204).end();
    return;
  }
  // No stream is offered on GET yet; clients take 405 for exactly that.
  response.writeHead(405, { allow: 'POST, DELETE' }).end();
}

async function post(
  door: string,
  room: Room,
  sessions: Sessions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readBody(request);
  if (body === undefined) return refuse(response, 413, `A request may have ${MAX_REQUEST_BYTES} bytes at most`);
  const message = parse(body);
  if (!message) return refuse(response, 400, 'The body is not one JSON-RPC message', -32700);
  const { id, method, params } = message;
  if (method === 'initialize') {
    if (id === undefined || id === null) return refuse(response, 400, 'initialize needs an id', -32600);
    const greeting = await room.greet(params ?? {});
    const session = sessions.open(door);
    response.setHeader('mcp-session-id', session.id);
    new Reply(response, JSON.stringify(id)).result(JSON.stringify(greeting));
    return;
  }
  const session = sessionOf(door, sessions, request);
  if (!session) {
    const known = request.headers['mcp-session-id'] !== undefined;
    if (known) refuse(response, 404, 'The session is over: send initialize again');
    else refuse(response, 400, `Send initialize first: ${method ?? 'this message'} came without Mcp-Session-Id`);
    return;
  }
  if (method === undefined || id === undefined) {
    if (method === 'notifications/cancelled') cancel(session, params);
    response.writeHead(202).end();
    return;
  }
  const reply = new Reply(response, JSON.stringify(id));
  if (method === 'ping') return reply.result('{}');
  if (session.running.has(reply.id)) return reply.error(-32600, `A request with the id ${reply.id} is still running`);
  const flight = new Flight();
  session.running.set(reply.id, flight);
  response.once('close', () => session.running.delete(reply.id));
  await room.serve({ method, params: params ?? {} }, reply, flight);
}

interface Message {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
}

function parse(body: string): Message | undefined {
  try {
    const message: unknown = JSON.parse(body);
    return typeof message === 'object' && message !== null && !Array.isArray(message) ? message : undefined;
  } catch {
    return undefined;
  }
}

function cancel(session: Session, params: Record<string, unknown> | undefined): void {
  session.running.get(JSON.stringify(params?.requestId))?.cancel(String(params?.reason ?? 'the client cancelled it'));
}

function sessionOf(door: string, sessions: Sessions, request: IncomingMessage): Session | undefined {
  const id = request.headers['mcp-session-id'];
  return typeof id === 'string' ? sessions.find(id, door) : undefined;
}

/** Errors of the door itself: they answer no request, so their id is null. */
export function refuse(response: ServerResponse, status: number, message: string, code = -32000): void {
  const body = JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } });
  response.writeHead(status, { 'content-type': 'application/json' }).end(body);
}

function readBody(request: IncomingMessage): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let bytes = 0;
    request.on('data', (piece: Buffer) => {
      bytes += piece.length;
      if (bytes <= MAX_REQUEST_BYTES) pieces.push(piece);
    });
    request.on('end', () => {
      if (bytes > MAX_REQUEST_BYTES) resolve(undefined);
      else resolve((pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces)).toString('utf8'));
    });
    request.on('error', reject);
  });
}
