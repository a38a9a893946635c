/** Carries one request to a server and its answer back, byte for byte but for the id. */
import { type Host, JunctorError } from '@junctor/core';
import type { AnswerId, AnswerMessage, Frame, Link, ProgressParams, Waiter } from '@junctor/core/inside';
import type { Request } from '../endpoint/door.ts';
import type { Reply } from '../endpoint/reply.ts';
import type { Flight } from '../endpoint/sessions.ts';

export interface RelayOptions {
  /** How a failure of the server is told to this client. */
  readonly onFailure: (reply: Reply, error: JunctorError) => void;
}

/** Where a relayed request goes: the server, and the links to reach it by. */
export interface Upstream {
  readonly links: Host['links'];
  readonly server: string;
}

export async function relay(
  upstream: Upstream,
  request: Request,
  reply: Reply,
  flight: Flight,
  { onFailure }: RelayOptions,
): Promise<void> {
  const { links, server } = upstream;
  const link = links.live(server) ?? (await links.ready(server));
  if (flight.cancelled) return reply.abandon();
  ask(link, request, reply, flight, error => {
    if (error.code !== 'session_expired') return onFailure(reply, error);
    // The server forgot our session and did not act on the request: in a new session it is sent once more.
    links.ready(server).then(
      fresh => ask(fresh, request, reply, flight, again => onFailure(reply, again)),
      again => onFailure(reply, again),
    );
  });
}

function ask(
  link: Link,
  request: Request,
  reply: Reply,
  flight: Flight,
  onFailure: (error: JunctorError) => void,
): void {
  const { method, params } = request;
  const token = (params._meta as { progressToken?: unknown } | undefined)?.progressToken;
  const patience = method === 'tools/call' ? link.patienceFor(String(params.name)) : link.requestPatience;
  const waiter = new RelayWaiter(reply, flight, onFailure, token);
  // Progress tokens of two clients may be equal; towards the server our own request id takes their place.
  const renamed = (id: number) => ({ ...params, _meta: { ...(params._meta as object), progressToken: id } });
  const id = link.conversation.ask(method, token === undefined ? params : renamed, patience, waiter);
  flight.sent(reason =>
    link.conversation.cancel(id, new JunctorError('cancelled', reason, { server: link.server.id })),
  );
}

class RelayWaiter implements Waiter {
  readonly #reply: Reply;
  readonly #flight: Flight;
  readonly #onFailure: (error: JunctorError) => void;
  readonly #progressToken: unknown;

  constructor(reply: Reply, flight: Flight, onFailure: (error: JunctorError) => void, progressToken: unknown) {
    this.#reply = reply;
    this.#flight = flight;
    this.#onFailure = onFailure;
    this.#progressToken = progressToken;
  }

  onBytes(frame: Frame, at: AnswerId): void {
    this.#reply.splice(frame, at);
  }

  onMessage(message: AnswerMessage): void {
    if (message.error) this.#reply.error(message.error.code, message.error.message, message.error.data as object);
    else this.#reply.result(JSON.stringify(message.result));
  }

  onProgress(params: ProgressParams): void {
    if (this.#progressToken === undefined) return;
    this.#reply.notify('notifications/progress', { ...params, progressToken: this.#progressToken });
  }

  onFailure(error: JunctorError): void {
    if (this.#flight.cancelled) this.#reply.abandon();
    else this.#onFailure(error);
  }
}
