/** A server behind Streamable HTTP: every message is a POST, answered with one JSON document or a short event stream. */
import { Agent, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest, Agent as SecureAgent } from 'node:https';
import { urlToHttpOptions } from 'node:url';
import { JunctorError } from '../../base/error.ts';
import type { Scope } from '../../base/scope.ts';
import type { RemoteEndpoint, ResolvedServer } from '../../resolve/roster.ts';
import type { Channel, ChannelListener } from '../channel.ts';
import { frameText } from '../frame.ts';
import { EventStreamReader } from './event-stream.ts';

/** Enough of an error page to recognise it by. */
const ERROR_EXCERPT_BYTES = 2000;

export function openHttp(server: ResolvedServer, endpoint: RemoteEndpoint, scope: Scope): Channel {
  const channel = new HttpChannel(server, endpoint);
  scope.defer(() => channel.close());
  return channel;
}

class HttpChannel implements Channel {
  readonly #server: ResolvedServer;
  readonly #url: URL;
  readonly #agent: Agent;
  readonly #request: typeof httpRequest;
  /** The URL taken apart once: Node would do it again for each request. */
  readonly #target: RequestOptions;
  readonly #headers: Record<string, string>;
  #listener: ChannelListener | undefined;
  #session: string | undefined;
  #closed = false;

  constructor(server: ResolvedServer, endpoint: RemoteEndpoint) {
    this.#server = server;
    this.#url = new URL(endpoint.url);
    const secure = this.#url.protocol === 'https:';
    this.#agent = new (secure ? SecureAgent : Agent)({ keepAlive: true });
    this.#request = secure ? httpsRequest : httpRequest;
    this.#target = { ...urlToHttpOptions(this.#url), agent: this.#agent };
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

  send(text: string, id?: number): void {
    const headers = { ...this.#headers, 'content-length': Buffer.byteLength(text) };
    const request = this.#request({ ...this.#target, method: 'POST', headers });
    request.on('response', response => this.#receive(response, id));
    request.on('error', error => this.#refuse(id, this.#unreachable(error)));
    request.end(text);
  }

  /** Ends the session on the server, as the protocol asks, then every connection. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.#session !== undefined) await this.#endSession();
    this.#agent.destroy();
    this.#listener?.onClosed(
      new JunctorError('connection_lost', `The connection to server '${this.#server.id}' was closed.`, {
        server: this.#server.id,
      }),
    );
  }

  #receive(response: IncomingMessage, id: number | undefined): void {
    const session = response.headers['mcp-session-id'];
    if (typeof session === 'string') this.#adoptSession(session);
    const status = response.statusCode ?? 0;
    response.on('error', error => this.#refuse(id, this.#unreachable(error)));
    if (status < 200 || status > 299) this.#receiveError(response, status, id);
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

  #receiveError(response: IncomingMessage, status: number, id: number | undefined): void {
    const pieces: Buffer[] = [];
    let bytes = 0;
    response.on('data', (piece: Buffer) => {
      if (bytes < ERROR_EXCERPT_BYTES) pieces.push(piece);
      bytes += piece.length;
    });
    response.on('end', () => this.#refuse(id, this.#rejected(status, frameText(pieces).slice(0, ERROR_EXCERPT_BYTES))));
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
      const request = this.#request({
        ...this.#target,
        method: 'DELETE',
        headers: this.#headers,
        timeout: END_SESSION_MS,
      });
      request.on('response', response => response.resume());
      request.on('timeout', () => request.destroy());
      request.on('error', () => {});
      request.on('close', resolve);
      request.end();
    });
  }

  #unreachable(error: Error): JunctorError {
    const { id } = this.#server;
    const code = (error as NodeJS.ErrnoException).code;
    return new JunctorError('connection_failed', `Server '${id}' could not be reached at ${this.#url.origin}.`, {
      server: id,
      why: this.#closed ? 'the connection was closed' : (code ?? error.message),
      hint: code === 'ECONNREFUSED' ? 'start the server, or check its url' : 'check the url and the network',
      cause: error,
    });
  }

  #unanswered(): JunctorError {
    return new JunctorError('connection_lost', `Server '${this.#server.id}' ended its response without an answer.`, {
      server: this.#server.id,
      why: 'the HTTP response was complete, and the answer was not in it',
    });
  }

  #rejected(status: number, body: string): JunctorError {
    const { id } = this.#server;
    const why = body ? `HTTP ${status}: ${body}` : `HTTP ${status}`;
    if (status === 401) {
      return new JunctorError('auth_required', `Server '${id}' asks you to sign in.`, {
        server: id,
        why,
        hint: `give it a token: junctor mcp add ${id} --replace … --header "Authorization=Bearer …"`,
      });
    }
    return new JunctorError('connection_failed', `Server '${id}' refused the request.`, {
      server: id,
      why,
      hint: status === 404 ? 'check the path of its url' : `see what it says with: junctor mcp tools ${id} --debug`,
    });
  }
}

/** Closing must not wait for a server that no longer answers. */
const END_SESSION_MS = 1000;
