/**
 * A server of the older HTTP+SSE transport: one long GET stream brings its messages; its first event says where ours are
 * posted to.
 */
import type { ClientRequest } from 'node:http';
import { withDeadline } from '../../base/deadline.ts';
import { JunctorError } from '../../base/error.ts';
import type { Scope } from '../../base/scope.ts';
import type { RemoteEndpoint, ResolvedServer } from '../../resolve/roster.ts';
import type { Channel, ChannelListener } from '../channel.ts';
import type { Frame } from '../frame.ts';
import { EventStreamReader } from './event-stream.ts';
import { closedByUs, HttpTarget, readExcerpt, rejected, unreachable } from './http-target.ts';

export async function openSse(
  server: ResolvedServer,
  endpoint: RemoteEndpoint,
  scope: Scope,
  signal: AbortSignal,
): Promise<Channel> {
  const channel = new SseChannel(server, endpoint);
  scope.defer(() => channel.close());
  await withDeadline(channel.opened, { signal, ms: server.timeouts.connectMs, error: () => silent(server) });
  return channel;
}

class SseChannel implements Channel {
  /** Settles when the server has named the address for our messages. */
  readonly opened: Promise<void>;
  readonly #server: ResolvedServer;
  readonly #target: HttpTarget;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #stream: ClientRequest;
  #listener: ChannelListener | undefined;
  #postPath = '';

  constructor(server: ResolvedServer, endpoint: RemoteEndpoint) {
    this.#server = server;
    this.#target = new HttpTarget(endpoint.url);
    this.#headers = endpoint.headers;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.opened = promise;
    // A failure may come when nobody waits for the opening any more: the listener is told as well.
    promise.catch(() => {});
    this.#stream = this.#target.open('GET', {
      ...this.#headers,
      accept: 'text/event-stream',
      'cache-control': 'no-cache',
    });
    this.#stream.on('error', error => this.#end(unreachable(server.id, this.#target.url, error), reject));
    this.#stream.on('response', response => {
      const status = response.statusCode ?? 0;
      if (status !== 200) {
        readExcerpt(response, body => reject(rejected(server.id, status, body)));
        return;
      }
      const reader = new EventStreamReader(
        {
          onFrame: (frame: Frame) => this.#listener?.onFrame(frame),
          onOversized: (ends, bytes) => this.#listener?.onOversized(ends, bytes),
          onEvent: (name, data) => {
            if (name === 'endpoint') this.#adopt(data, resolve, reject);
          },
        },
        server.maxMessageBytes,
      );
      response.on('data', (chunk: Buffer) => reader.push(chunk));
      response.on('error', error => this.#end(unreachable(server.id, this.#target.url, error), reject));
      response.on('end', () => this.#end(ended(server.id), reject));
    });
    this.#stream.end();
  }

  listen(listener: ChannelListener): void {
    this.#listener = listener;
  }

  send(text: string, id?: number): void {
    const headers = { ...this.#headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
    const request = this.#target.open('POST', headers, { path: this.#postPath });
    const refuse = (error: JunctorError): void => {
      if (id !== undefined) this.#listener?.onRefused(id, error);
    };
    request.on('error', error => refuse(unreachable(this.#server.id, this.#target.url, error)));
    request.on('response', response => {
      const status = response.statusCode ?? 0;
      // The answer comes on the stream; this response only says that the message arrived.
      if (status >= 200 && status <= 299) response.resume();
      else readExcerpt(response, body => refuse(rejected(this.#server.id, status, body)));
    });
    request.end(text);
  }

  close(): void {
    this.#stream.destroy();
    this.#target.close();
    this.#listener?.onClosed(closedByUs(this.#server.id));
  }

  /** Messages carry our headers: they go to the server that was named in the config and to no other. */
  #adopt(address: string, resolve: () => void, reject: (error: JunctorError) => void): void {
    const url = URL.canParse(address, this.#target.url.href) ? new URL(address, this.#target.url) : undefined;
    if (url?.origin !== this.#target.url.origin) {
      reject(
        new JunctorError('malformed_response', `Server '${this.#server.id}' wants messages sent to another address.`, {
          server: this.#server.id,
          why: `it named ${address.slice(0, 200)}, and is itself at ${this.#target.url.origin}`,
          hint: 'check the url of this server',
        }),
      );
      return;
    }
    this.#postPath = `${url.pathname}${url.search}`;
    resolve();
  }

  #end(error: JunctorError, reject: (error: JunctorError) => void): void {
    reject(error);
    this.#listener?.onClosed(error);
  }
}

function ended(server: string): JunctorError {
  return new JunctorError('connection_lost', `Server '${server}' ended its event stream.`, { server });
}

function silent(server: ResolvedServer): JunctorError {
  return new JunctorError(
    'timeout',
    `Server '${server.id}' opened no event stream within ${server.timeouts.connectMs} ms.`,
    {
      server: server.id,
      why: 'it did not name an address for messages',
      hint: `check that its url is one of the older HTTP+SSE transport, or raise connect_timeout_ms of server '${server.id}'`,
    },
  );
}
