/** Carries one request to a server and its answer back, byte for byte but for the id. */
import { JunctorError } from '@junctor/core';
import type { AnswerId, AnswerMessage, Frame, Link, ProgressParams, Waiter } from '@junctor/core/inside';
import type { Request } from '../endpoint/door.ts';
import type { Reply } from '../endpoint/reply.ts';
import type { Session } from '../endpoint/sessions.ts';

export interface RelayOptions {
  /** How a failure of the server is told to this client. */
  readonly onFailure: (reply: Reply, error: JunctorError) => void;
}

export function relay(link: Link, request: Request, reply: Reply, session: Session, options: RelayOptions): void {
  const token = (request.params._meta as { progressToken?: unknown } | undefined)?.progressToken;
  const patience =
    request.method === 'tools/call' ? link.patienceFor(String(request.params.name)) : link.requestPatience;
  const waiter = new RelayWaiter(reply, session, options, token);
  const { params } = request;
  // Progress tokens of two clients may be equal; towards the server our own request id takes their place.
  const renamed = (id: number) => ({ ...params, _meta: { ...(params._meta as object), progressToken: id } });
  const id = link.conversation.ask(request.method, token === undefined ? params : renamed, patience, waiter);
  if (waiter.over) return;
  session.running.set(reply.id, reason => {
    const error = new JunctorError('cancelled', reason, { server: link.server.id });
    waiter.cancelled = true;
    link.conversation.cancel(id, error);
  });
}

class RelayWaiter implements Waiter {
  readonly #reply: Reply;
  readonly #session: Session;
  readonly #options: RelayOptions;
  readonly #progressToken: unknown;
  over = false;
  cancelled = false;

  constructor(reply: Reply, session: Session, options: RelayOptions, progressToken: unknown) {
    this.#reply = reply;
    this.#session = session;
    this.#options = options;
    this.#progressToken = progressToken;
  }

  onBytes(frame: Frame, at: AnswerId): void {
    this.#end();
    this.#reply.splice(frame, at);
  }

  onMessage(message: AnswerMessage): void {
    this.#end();
    if (message.error) this.#reply.error(message.error.code, message.error.message, message.error.data as object);
    else this.#reply.result(JSON.stringify(message.result));
  }

  onProgress(params: ProgressParams): void {
    if (this.#progressToken === undefined) return;
    this.#reply.notify('notifications/progress', { ...params, progressToken: this.#progressToken });
  }

  onFailure(error: JunctorError): void {
    this.#end();
    if (this.cancelled) this.#reply.abandon();
    else this.#options.onFailure(this.#reply, error);
  }

  #end(): void {
    this.over = true;
    this.#session.running.delete(this.#reply.id);
  }
}
