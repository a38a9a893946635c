/** A server behind Streamable HTTP: every message is a POST, answered with one JSON document or a short event stream. */
import type { ClientRequest, IncomingMessage } from 'node:http';
import { JunctorError } from '../../base/error.ts';
import type { Scope } from '../../base/scope.ts';
import type { RemoteEndpoint, ResolvedServer } from '../../resolve/roster.ts';
import type { Channel, ChannelListener } from '../channel.ts';
import { EventStreamReader } from './event-stream.ts';
import { closedByUs, HttpTarget, readExcerpt, rejected, unreachable } from './http-target.ts';
import { ServerStream } from './server-stream.ts';

/** Closing must not wait for a server that no longer answers. */
const END_SESSION_MS = 1000;

export function openHttp(server: ResolvedServer, endpoint: RemoteEndpoint, scope: Scope): Channel {
  const channel = new HttpChannel(server, endpoint);
  scope.defer(() => channel.close());
  return channel;
}

class HttpChannel implements Channel {
  readonly #server: ResolvedServer;
  readonly #target: HttpTarget;
  readonly #headers: Record<string, string>;
  /** Requests whose response is not over. */
  readonly #open = new Map<number, ClientRequest>();
  #listener: ChannelListener | undefined;
  #stream: ServerStream | undefined;
  #session: string | undefined;
  #expired = false;

  constructor(server: ResolvedServer, endpoint: RemoteEndpoint) {
    this.#server = server;
    this.#target = new HttpTarget(endpoint.url);
    this.#headers = {
      ...endpoint.headers,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
  }

  listen(listener: ChannelListener): void {
    this.#listener = listener;
  }

  agreed(protocolVersion: string): void {
    this.#headers['mcp-protocol-version'] = protocolVersion;
  }

  greeted(): void {
    if (!this.#listener) return;
    this.#stream = new ServerStream({
      target: this.#target,
      headers: () => this.#headers,
      listener: this.#listener,
      maxBytes: this.#server.maxMessageBytes,
    });
    this.#stream.open();
  }

  send(text: string, id?: number): void {
    const request = this.#target.open('POST', { ...this.#headers, 'content-length': Buffer.byteLength(text) });
    request.on('response', response => this.#receive(response, id));
    request.on('error', error => this.#refuse(id, unreachable(this.#server.id, this.#target.url, error)));
    request.end(text);
    if (id === undefined) return;
    this.#open.set(id, request);
    request.on('close', () => this.#open.delete(id));
  }

  abandon(id: number): void {
    this.#open.get(id)?.destroy();
  }

  /** Ends the session on the server, as the protocol asks, then every connection. */
  async close(): Promise<void> {
    this.#stream?.close();
    if (this.#session !== undefined && !this.#expired) await this.#endSession();
    this.#target.close();
    this.#listener?.onClosed(closedByUs(this.#server.id));
  }

  #receive(response: IncomingMessage, id: number | undefined): void {
    const session = response.headers['mcp-session-id'];
    if (typeof session === 'string') this.#adoptSession(session);
    const status = response.statusCode ?? 0;
    response.on('error', error => this.#refuse(id, unreachable(this.#server.id, this.#target.url, error)));
    if (status < 200 || status > 299) readExcerpt(response, body => this.#receiveError(status, body, id));
    else if (response.headers['content-type']?.startsWith('text/event-stream')) this.#receiveStream(response, id);
    else this.#receiveDocument(response, id);
  }

  #receiveDocument(response: IncomingMessage, id: number | undefined): void {
    const pieces: Buffer[] = [];
    let bytes = 0;
    response.on('data', (piece: Buffer) => {
      bytes += piece.length;
      pieces.push(piece);
      if (bytes > this.#server.maxMessageBytes && pieces.length > 2) pieces.splice(1, pieces.length - 2);
    });
    response.on('end', () => {
      if (bytes > this.#server.maxMessageBytes) this.#listener?.onOversized(pieces, bytes);
      else if (bytes > 0) this.#listener?.onFrame(pieces);
      this.#refuse(id, this.#unanswered());
    });
  }

  #receiveStream(response: IncomingMessage, id: number | undefined): void {
    if (!this.#listener) return;
    const reader = new EventStreamReader(this.#listener, this.#server.maxMessageBytes);
    response.on('data', (chunk: Buffer) => reader.push(chunk));
    response.on('end', () => {
      reader.end();
      this.#refuse(id, this.#unanswered());
    });
  }

  #receiveError(status: number, body: string, id: number | undefined): void {
    if (status !== 404 || this.#session === undefined) {
      this.#refuse(id, rejected(this.#server.id, status, body));
      return;
    }
    // The server forgot the session, as after a restart. It did not look at this request; the others that are out hear
    // the same, each for itself.
    this.#expired = true;
    this.#stream?.close();
    const error = this.#forgotten();
    this.#listener?.onRetired(error);
    this.#refuse(id, error);
  }

  #adoptSession(session: string): void {
    this.#session = session;
    this.#headers['mcp-session-id'] = session;
  }

  #refuse(id: number | undefined, error: JunctorError): void {
    if (id !== undefined) this.#listener?.onRefused(id, error);
  }

  #endSession(): Promise<void> {
    return new Promise(resolve => {
      const request = this.#target.open('DELETE', this.#headers, { timeout: END_SESSION_MS });
      request.on('response', response => response.resume());
      request.on('timeout', () => request.destroy());
      request.on('error', () => {});
      request.on('close', resolve);
      request.end();
    });
  }

  #forgotten(): JunctorError {
    return new JunctorError('session_expired', `Server '${this.#server.id}' has forgotten this session.`, {
      server: this.#server.id,
      why: 'HTTP 404 on a session it had opened; it did not act on the request',
      hint: 'try again: a new session is opened by itself',
    });
  }

  #unanswered(): JunctorError {
    return new JunctorError('connection_lost', `Server '${this.#server.id}' ended its response without an answer.`, {
      server: this.#server.id,
      why: 'the HTTP response was complete, and the answer was not in it',
    });
  }
}
