/** One request on its way to a server: its time, its progress, and its way to be cancelled. */
import { JunctorError } from '@junctor/core';
import type { AnswerId, AnswerMessage, Frame, Heartbeat, Link, ProgressParams, Waiter } from '@junctor/core/inside';
import type { Passage } from './crowd.ts';
import type { Job } from './job.ts';

export interface DeliveryListener {
  onBytes(frame: Frame, at: AnswerId): void;
  onMessage(message: AnswerMessage): void;
  onFailure(error: JunctorError): void;
  /** Only where the caller gave a token. */
  onProgress(progress: ProgressParams): void;
}

export class Delivery implements Waiter {
  readonly #job: Pick<Job, 'upstream' | 'heartbeats' | 'progress'>;
  readonly #passage: Passage;
  readonly #listener: DeliveryListener;
  readonly #heartbeat: Heartbeat | undefined;
  readonly #method: string;
  readonly #params: Record<string, unknown>;
  #link: Link;
  #id = -1;
  #renewed = false;

  constructor(
    job: Pick<Job, 'upstream' | 'heartbeats' | 'progress'>,
    passage: Passage,
    link: Link,
    { method, params }: { readonly method: string; readonly params: Record<string, unknown> },
    listener: DeliveryListener,
  ) {
    this.#job = job;
    this.#passage = passage;
    this.#link = link;
    this.#method = method;
    this.#params = params;
    this.#listener = listener;
    const token = (params._meta as { progressToken?: unknown } | undefined)?.progressToken;
    // Only a client that gave a token is told; for all others a call costs no heartbeat.
    if (token !== undefined)
      this.#heartbeat = job.heartbeats.begin(({ elapsed_ms: _, ...sign }) => listener.onProgress(sign), job.progress);
  }

  send(): void {
    const link = this.#link;
    const params = this.#params;
    const patience = this.#method === 'tools/call' ? link.patienceFor(String(params.name)) : link.requestPatience;
    // Progress tokens of two clients may be equal; towards the server our own request id takes their place.
    const renamed = (id: number) => ({ ...params, _meta: { ...(params._meta as object), progressToken: id } });
    this.#job.upstream.usedAt = performance.now();
    this.#id = link.conversation.ask(this.#method, this.#heartbeat ? renamed : params, patience, this);
    this.#passage.id = this.#id;
  }

  cancel(reason: string): void {
    this.#link.conversation.cancel(
      this.#id,
      new JunctorError('cancelled', reason, { server: this.#job.upstream.server.id }),
    );
  }

  onBytes(frame: Frame, at: AnswerId): void {
    this.#over();
    this.#listener.onBytes(frame, at);
  }

  onMessage(message: AnswerMessage): void {
    this.#over();
    this.#listener.onMessage(message);
  }

  onProgress(params: ProgressParams): void {
    this.#heartbeat?.progress(params);
  }

  onFailure(error: JunctorError): void {
    if (error.code !== 'session_expired' || this.#renewed) return this.#failed(error);
    // The server forgot our session and did not act on the request: in a new session it is sent once more.
    this.#renewed = true;
    this.#job.upstream.ready().then(
      link => {
        this.#link = link;
        this.send();
      },
      again => this.#failed(again),
    );
  }

  #failed(error: JunctorError): void {
    this.#over();
    this.#listener.onFailure(error);
  }

  #over(): void {
    this.#heartbeat?.[Symbol.dispose]();
    this.#job.upstream.crowd.leave(this.#passage);
  }
}
