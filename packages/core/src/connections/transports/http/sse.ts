/**
 * A server of the older HTTP+SSE transport: one long GET stream brings its messages; its first event says where ours are
 * posted to.
 */
import type { ClientRequest } from 'node:http';
import { JunctorError } from '../../../base/error.ts';
import { withDeadline } from '../../../base/time/deadline.ts';
import type { RemoteEndpoint, ResolvedServer } from '../../../resolve/roster.ts';
import type { Channel, ChannelListener } from '../../rpc/channel.ts';
import { closedByUs } from '../../rpc/failures.ts';
import type { Frame } from '../../rpc/frame.ts';
import type { RemoteContext } from '../remote-context.ts';
import { type OnRefused, openSigned, SignedSender, signed } from '../signed.ts';
import { EventStreamReader } from './event-stream.ts';
import { Hello, isAnswer } from './hello.ts';
import { HttpStatus, HttpTarget, readExcerpt, rejected, unreachable } from './http-target.ts';
import { redirectError } from './redirect.ts';
import { type Afterwards, SideTalk } from './side-talk.ts';
import { explainUnreadable, isUnreadable } from './unreadable.ts';

export async function openSse(
  server: ResolvedServer,
  endpoint: RemoteEndpoint,
  context: RemoteContext,
): Promise<Channel> {
  const { scope, signal } = context;
  return openSigned(context, async authorization => {
    const channel = new SseChannel(server, endpoint, context, authorization);
    scope.defer(() => channel.close());
    await withDeadline(channel.opened, { signal, ms: server.timeouts.connectMs, error: () => silent(server) });
    return channel;
  });
}

class SseChannel implements Channel {
  /** Settles when the server has named the address for our messages. */
  readonly opened: Promise<void>;
  readonly #server: ResolvedServer;
  readonly #target: HttpTarget;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #stream: ClientRequest;
  #listener: ChannelListener | undefined;
  readonly #sender: SignedSender | undefined;
  readonly #hello = new Hello(() => this.#listener);
  readonly #sideTalk = new SideTalk(this.#hello);
  #postPath = '';

  constructor(
    server: ResolvedServer,
    endpoint: RemoteEndpoint,
    { keepAliveMs, credentials, watch, environment }: RemoteContext,
    authorization: string | undefined,
  ) {
    this.#server = server;
    this.#sender = credentials && new SignedSender(credentials, () => this.#listener);
    this.#target = new HttpTarget(server.id, endpoint.url, { keepAliveMs, watch, environment });
    this.#headers = endpoint.headers;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.opened = promise;
    // A failure may come when nobody waits for the opening any more: the listener is told as well.
    promise.catch(() => {});
    this.#stream = this.#target.open('GET', {
      ...signed(this.#headers, authorization),
      accept: 'text/event-stream',
      'cache-control': 'no-cache',
    });
    this.#stream.on('error', error => this.#end(unreachable(server.id, this.#target.url, error), reject));
    this.#stream.on('response', response => {
      const status = response.statusCode ?? 0;
      const moved = redirectError(response, { server: server.id, url: this.#target.url });
      if (moved) {
        response.resume();
        reject(moved);
        return;
      }
      if (status !== 200) {
        const wanted = response.headers['www-authenticate'];
        readExcerpt(response, body => reject(rejected(server.id, status, body, wanted)));
        return;
      }
      if (isUnreadable(response)) {
        return explainUnreadable(response, { server: server.id, url: this.#target.url }, reject);
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
    if (this.#hello.pending && !isAnswer(text, id)) return this.#hello.hold(id, () => this.send(text, id));
    if (id === undefined) this.#hello.leaves(text);
    if (!this.#sender) return this.#post(text, id, this.#headers);
    this.#sender.send(id, (authorization, onRefused) =>
      this.#post(text, id, signed(this.#headers, authorization), onRefused),
    );
  }

  #post(text: string, id: number | undefined, own: Readonly<Record<string, string>>, onRefused?: OnRefused): void {
    if (id !== undefined) return this.#request(text, id, own, { onRefused });
    this.#sideTalk.say(text, onAnswered => this.#request(text, id, own, { onRefused, onAnswered }));
  }

  #request(
    text: string,
    id: number | undefined,
    own: Readonly<Record<string, string>>,
    { onRefused, onAnswered }: Afterwards,
  ): void {
    const headers = { ...own, 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
    const refuse = (error: JunctorError): void => {
      if (id !== undefined) this.#listener?.onRefused(id, error);
    };
    let request: ClientRequest;
    try {
      request = this.#target.open('POST', headers, { path: this.#postPath });
    } catch (error) {
      onAnswered?.();
      return refuse(error as JunctorError);
    }
    request.on('error', error => {
      onAnswered?.();
      refuse(unreachable(this.#server.id, this.#target.url, error));
    });
    request.on('response', response => {
      const status = response.statusCode ?? 0;
      onAnswered?.(status);
      // The answer comes on the stream; this response only says that the message arrived.
      if (status >= 200 && status <= 299) return response.resume();
      const found = new HttpStatus(status, response.headers['www-authenticate']);
      readExcerpt(response, body => {
        const reject = (): void => refuse(rejected(this.#server.id, status, body));
        if (onRefused) onRefused(found, reject);
        else reject();
      });
    });
    request.end(text);
  }

  close(): void {
    this.#sender?.close();
    this.#hello.close();
    this.#sideTalk.close();
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
