/** The legacy era over Streamable HTTP: sessions, a stream of news for each, and answers that may become streams. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isNewest, LEGACY_VERSIONS } from '../protocol/legacy/greeting.ts';
import { LegacySession, type Reply } from '../protocol/legacy/session.ts';
import type { Message } from '../rpc.ts';
import type { SharedState } from '../shared-state.ts';
import { SessionStreams } from './event-stream.ts';
import { isAnswer, sendJson } from './port.ts';

interface OpenSession {
  readonly session: LegacySession;
  readonly streams: SessionStreams;
}

export class LegacyEndpoint {
  readonly #shared: SharedState;
  readonly #sessions = new Map<string, OpenSession>();

  constructor(shared: SharedState) {
    this.#shared = shared;
  }

  async post(message: Message, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const open = message.method === 'initialize' ? this.#open(response) : this.#find(request, response);
    if (!open) return;
    const { session, streams } = open;
    const reply = replyOver(response, streams, () => isNewest(session.version));
    await session.receive(message, reply);
    reply.end();
  }

  get(request: IncomingMessage, response: ServerResponse): void {
    this.#find(request, response)?.streams.resume(request.headers['last-event-id'] as string | undefined, response);
  }

  delete(request: IncomingMessage, response: ServerResponse): void {
    const open = this.#find(request, response);
    if (!open) return;
    this.#sessions.delete(String(request.headers['mcp-session-id']));
    open.session.end();
    open.streams.end();
    response.writeHead(204).end();
  }

  end(): void {
    for (const { session, streams } of this.#sessions.values()) {
      session.end();
      streams.end();
    }
  }

  #open(response: ServerResponse): OpenSession {
    const streams = new SessionStreams();
    const open = { session: new LegacySession(this.#shared, message => streams.news.send(message)), streams };
    const id = randomUUID();
    this.#sessions.set(id, open);
    response.setHeader('mcp-session-id', id);
    return open;
  }

  /** The session of a request; answers the request itself when it has none. */
  #find({ headers }: IncomingMessage, response: ServerResponse): OpenSession | undefined {
    const version = headers['mcp-protocol-version'];
    if (version !== undefined && !LEGACY_VERSIONS.includes(String(version))) {
      return refuse(response, 400, `Unsupported protocol version: ${version}`);
    }
    const id = headers['mcp-session-id'];
    if (id === undefined) return refuse(response, 400, 'No session: initialize first.');
    return this.#sessions.get(String(id)) ?? refuse(response, 404, 'Unknown session: initialize again.');
  }
}

function refuse(response: ServerResponse, status: number, message: string): undefined {
  sendJson(response, status, { jsonrpc: '2.0', id: null, error: { code: -32000, message } });
}

/** The answer alone is a JSON document; anything before it turns the response into a stream of events. */
function replyOver(
  response: ServerResponse,
  streams: SessionStreams,
  resumable: () => boolean,
): Reply & { end(): void } {
  let stream: ReturnType<SessionStreams['open']> | undefined;
  const begin = (): NonNullable<typeof stream> => {
    if (stream) return stream;
    stream = streams.open();
    stream.attach(response);
    if (resumable()) stream.prime();
    return stream;
  };
  return {
    say(message) {
      if (stream || !isAnswer(message)) begin().send(message);
      else if (!response.destroyed) sendJson(response, 200, message);
    },
    closeStream() {
      // An older client would take it for the end of its request.
      if (resumable()) begin().breakOff();
    },
    end() {
      if (stream) stream.end();
      else if (!response.headersSent) response.writeHead(202).end();
    },
  };
}
