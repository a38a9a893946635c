/** A server behind Streamable HTTP: every message is a POST, answered with one JSON document or a short event stream. */
import type { ClientRequest, IncomingMessage } from 'node:http';
import { JunctorError } from '../../../base/error.ts';
import { Passing } from '../../../base/passing.ts';
import { monotonicMs } from '../../../base/time/monotonic.ts';
import type { RemoteEndpoint, ResolvedServer } from '../../../resolve/roster.ts';
import type { Credentials } from '../../auth/credentials.ts';
import type { Channel, ChannelListener } from '../../rpc/channel.ts';
import { closedByUs, malformed, oversized } from '../../rpc/failures.ts';
import { Pieces } from '../../rpc/pieces.ts';
import type { RemoteContext } from '../remote-context.ts';
import { type OnRefused, SignedSender, signed } from '../signed.ts';
import { AnswerStream } from './answer-stream.ts';
import { isOfType } from './content-type.ts';
import { endSession } from './end-session.ts';
import { forgotten, saysForgotten } from './forgotten-session.ts';
import { Hello, isAnswer } from './hello.ts';
import { HttpStatus, HttpTarget, letGo, readExcerpt, rejected, unreachable } from './http-target.ts';
import { redirectOf } from './redirect.ts';
import { answerIn } from './refusing-answer.ts';
import { ServerStream } from './server-stream.ts';
import { type Afterwards, SideTalk } from './side-talk.ts';
import { explainUnreadable, isUnreadable } from './unreadable.ts';

export function openHttp(server: ResolvedServer, endpoint: RemoteEndpoint, context: RemoteContext): Channel {
  const channel = new HttpChannel(server, endpoint, context);
  context.scope.defer(() => channel.close());
  return channel;
}

class HttpChannel implements Channel {
  readonly #server: ResolvedServer;
  readonly #target: HttpTarget;
  readonly #headers: Record<string, string>;
  readonly #credentials: Credentials | undefined;
  readonly #sender: SignedSender | undefined;
  readonly #hello = new Hello(() => this.#listener);
  readonly #sideTalk = new SideTalk(this.#hello);
  /** Requests whose response is not over. */
  readonly #open = new Passing<number, ClientRequest>();
  /** Answers that come as a stream. */
  readonly #streams = new Passing<number, AnswerStream>();
  #listener: ChannelListener | undefined;
  #stream: ServerStream | undefined;
  #session: string | undefined;
  #expired = false;
  /** When the session was opened; undefined once it has answered a request. */
  #newSince: number | undefined;

  constructor(
    server: ResolvedServer,
    endpoint: RemoteEndpoint,
    { keepAliveMs, credentials, watch, environment }: RemoteContext,
  ) {
    this.#server = server;
    this.#credentials = credentials;
    this.#sender = credentials && new SignedSender(credentials, () => this.#listener);
    this.#target = new HttpTarget(server.id, endpoint.url, { keepAliveMs, watch, environment });
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
    this.#newSince = monotonicMs();
    this.#stream = new ServerStream({
      target: this.#target,
      headers: () => this.#signedHeaders(),
      listener: this.#listener,
      maxBytes: this.#server.maxMessageBytes,
    });
    if (this.#hello.pending) this.#hello.hold(undefined, () => this.#stream?.open());
    else this.#stream.open();
  }

  send(text: string, id?: number, headers?: Readonly<Record<string, string>>): void {
    if (this.#hello.pending && !isAnswer(text, id)) return this.#hello.hold(id, () => this.send(text, id, headers));
    if (id === undefined) this.#hello.leaves(text);
    if (!this.#sender) return this.#post({ text, id, headers });
    this.#sender.send(id, (authorization, onRefused) =>
      this.#post({ text, id, headers: signed(headers, authorization) }, onRefused),
    );
  }

  #post(outgoing: Outgoing, onRefused?: OnRefused): void {
    if (outgoing.id !== undefined) return this.#request(outgoing, { onRefused });
    this.#sideTalk.say(outgoing.text, onAnswered => this.#request(outgoing, { onRefused, onAnswered }));
  }

  #request({ text, id, headers }: Outgoing, after: Afterwards, hops = 0): void {
    let request: ClientRequest;
    try {
      request = this.#target.open('POST', { ...this.#headers, ...headers, 'content-length': Buffer.byteLength(text) });
    } catch (error) {
      after.onAnswered?.();
      return this.#refuse(id, error as JunctorError);
    }
    request.on('response', response => {
      after.onAnswered?.(response.statusCode);
      const moved = redirectOf(response, { server: this.#server.id, url: this.#target.url, method: 'POST', hops });
      if (moved === undefined) {
        // Requests of the 2026-07-28 era, which name their method in a header, know no sessions, whatever a server says.
        if (headers?.['mcp-method'] === undefined) this.#adoptSession(response.headers['mcp-session-id']);
        return this.#receive(response, id, after.onRefused);
      }
      letGo(response);
      if (moved instanceof JunctorError) return this.#refuse(id, moved);
      this.#target.goTo(moved);
      this.#request({ text, id, headers }, after, hops + 1);
    });
    request.on('error', error => {
      if (request.reusedSocket) this.#target.dropRested();
      after.onAnswered?.();
      // A stream that breaks off may be resumed: it knows by itself that it is over.
      if (id !== undefined && !this.#streams.has(id))
        this.#refuse(id, unreachable(this.#server.id, this.#target.url, error));
    });
    request.end(text);
    if (id === undefined) return;
    this.#open.set(id, request);
    request.on('close', () => {
      if (this.#open.get(id) === request) this.#open.take(id);
    });
  }

  abandon(id: number): void {
    this.#streams.take(id)?.close();
    this.#open.get(id)?.destroy();
  }

  /** Ends the session on the server, as the protocol asks, then every connection. */
  async close(): Promise<void> {
    this.#sender?.close();
    this.#hello.close();
    this.#sideTalk.close();
    this.#stream?.close();
    for (const stream of this.#streams.values()) stream.close();
    if (this.#session !== undefined && !this.#expired) await endSession(this.#target, this.#headersAtHand());
    this.#target.close();
    this.#listener?.onClosed(closedByUs(this.#server.id));
  }

  #receive(response: IncomingMessage, id: number | undefined, onRefused: OnRefused | undefined): void {
    const status = response.statusCode ?? 0;
    if (status < 200 || status > 299) {
      const found = new HttpStatus(status, response.headers['www-authenticate']);
      readExcerpt(response, body => {
        const isForgotten = this.#canBeForgotten && saysForgotten(response, body, id);
        const refuse = (): void => (isForgotten ? this.#expire(status, id) : this.#receiveError(status, body, id));
        if (onRefused && !isForgotten) onRefused(found, refuse);
        else refuse();
      });
      return;
    }
    if (id !== undefined) this.#newSince = undefined;
    if (isUnreadable(response)) {
      const from = { server: this.#server.id, url: this.#target.url };
      explainUnreadable(response, from, error => this.#refuse(id, error));
    } else if (isOfType(response, 'text/event-stream')) this.#receiveStream(response, id);
    else this.#receiveDocument(response, id);
  }

  #receiveDocument(response: IncomingMessage, id: number | undefined): void {
    const pieces = new Pieces(this.#server.maxMessageBytes);
    response.on('error', error => this.#refuse(id, unreachable(this.#server.id, this.#target.url, error)));
    response.on('data', (piece: Buffer) => pieces.add(piece));
    response.on('end', () => {
      const { frame, bytes, isTooLarge } = pieces;
      if (isTooLarge) this.#listener?.onOversized(frame, bytes);
      else if (bytes > 0) this.#listener?.onFrame(frame);
      if (id === undefined || !this.#listener?.awaits(id)) return;
      if (isTooLarge) this.#refuse(id, oversized(this.#server.id, bytes));
      else this.#refuse(id, bytes > 0 ? malformed(this.#server.id, frame) : this.#unanswered());
    });
  }

  #receiveStream(response: IncomingMessage, id: number | undefined): void {
    if (!this.#listener) return;
    // What answers no request, such as the stream after a notification, is not waited for.
    const waiting = id ?? -1;
    const stream = new AnswerStream({
      target: this.#target,
      headers: () => this.#signedHeaders(),
      listener: this.#listener,
      maxBytes: this.#server.maxMessageBytes,
      id: waiting,
      onOver: () => {
        this.#streams.take(waiting);
        this.#refuse(id, this.#unanswered());
      },
    });
    if (id !== undefined) this.#streams.set(id, stream);
    stream.read(response);
  }

  #receiveError(status: number, body: string, id: number | undefined): void {
    // Newer servers answer with a status and a JSON-RPC error at once: the error says more.
    if (status !== 401 && status !== 403 && answerIn(body, id)) this.#listener?.onFrame([Buffer.from(body)]);
    else this.#refuse(id, rejected(this.#server.id, status, body));
  }

  /** The other requests that are out hear the same, each for itself. */
  #expire(status: number, id: number | undefined): void {
    this.#expired = true;
    this.#stream?.close();
    const error = forgotten(this.#server.id, status);
    this.#listener?.onRetired(error);
    this.#refuse(id, error);
  }

  /** A server does not forget a session that it opened a moment ago: whatever it refuses then, another session would not help. */
  get #canBeForgotten(): boolean {
    if (this.#session === undefined) return false;
    return this.#newSince === undefined || monotonicMs() - this.#newSince > NEW_SESSION_MS;
  }

  #adoptSession(session: string | string[] | undefined): void {
    if (typeof session !== 'string') return;
    this.#session = session;
    this.#headers['mcp-session-id'] = session;
  }

  async #signedHeaders(): Promise<Record<string, string>> {
    return signed(this.#headers, await this.#credentials?.authorization());
  }

  #refuse(id: number | undefined, error: JunctorError): void {
    if (id !== undefined) this.#listener?.onRefused(id, error);
  }

  /** A goodbye is not worth a refresh: a server whose token is over forgets the session by itself. */
  #headersAtHand(): Readonly<Record<string, string>> {
    const authorization = this.#credentials?.authorization();
    if (authorization instanceof Promise) authorization.catch(() => {});
    return signed(this.#headers, typeof authorization === 'string' ? authorization : undefined);
  }

  #unanswered(): JunctorError {
    return new JunctorError('connection_lost', `Server '${this.#server.id}' ended its response without an answer.`, {
      server: this.#server.id,
      why: 'the HTTP response was complete, and the answer was not in it',
    });
  }
}

/** Longer, and a server that restarts soon after it was first used has to be called once more. */
const NEW_SESSION_MS = 10_000;

interface Outgoing {
  readonly text: string;
  readonly id: number | undefined;
  readonly headers: Readonly<Record<string, string>> | undefined;
}
