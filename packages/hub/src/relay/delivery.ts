/** One request on its way to a server: its time, its progress, and its way to be cancelled. */
import { setTimeout as sleep } from 'node:timers/promises';
import { JunctorError } from '@junctor/core';
import {
  type AnswerId,
  type AnswerMessage,
  type Frame,
  type Heartbeat,
  type Link,
  MAX_SENDINGS,
  outcomeOf,
  type ProgressParams,
  type Waiter,
  waitAfter,
} from '@junctor/core/inside';
import type { Passage } from './crowd.ts';
import type { Job } from './job.ts';
import { failureIn, failureOf, lineFailure } from './peer-failure.ts';

export interface DeliveryListener {
  onBytes(frame: Frame, at: AnswerId): void;
  onMessage(message: AnswerMessage): void;
  onFailure(error: JunctorError): void;
  /** Only where the caller gave a token. */
  onProgress(progress: ProgressParams): void;
}

export class Delivery implements Waiter {
  readonly #job: Pick<Job, 'upstream' | 'heartbeats' | 'progress' | 'mayRepeat'>;
  readonly #passage: Passage;
  readonly #listener: DeliveryListener;
  readonly #heartbeat: Heartbeat | undefined;
  readonly #method: string;
  readonly #params: Record<string, unknown>;
  #link: Link;
  #id = -1;
  #sendings = 0;
  /** An earlier sending may have run. */
  #unsure = false;
  #cancelled: JunctorError | undefined;

  constructor(
    job: Pick<Job, 'upstream' | 'heartbeats' | 'progress' | 'mayRepeat'>,
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
    this.#sendings++;
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
    this.#cancelled = new JunctorError('cancelled', reason, { server: this.#job.upstream.server.id });
    this.#link.conversation.cancel(this.#id, this.#cancelled);
  }

  onBytes(frame: Frame, at: AnswerId): void {
    const failure = this.#job.upstream.isLine ? failureIn(frame) : undefined;
    if (failure) return this.#failed(failure);
    this.#over();
    this.#listener.onBytes(frame, at);
  }

  onMessage(message: AnswerMessage): void {
    const failure = this.#job.upstream.isLine ? failureOf(message) : undefined;
    if (failure) return this.#failed(failure);
    this.#over();
    this.#listener.onMessage(message);
  }

  onProgress(params: ProgressParams): void {
    this.#heartbeat?.progress(params);
  }

  onFailure(found: JunctorError): void {
    const { server, isLine } = this.#job.upstream;
    const error = isLine ? lineFailure(server.id, found) : found;
    error.outcome ??= outcomeOf(error, true);
    // What may have run once may have run, whatever became of it later.
    if (this.#unsure && error.outcome === 'not_sent') error.outcome = 'unknown';
    this.#unsure ||= error.outcome === 'unknown';
    if (this.#cancelled || this.#sendings >= MAX_SENDINGS) return this.#failed(error);
    this.#again(error).catch(again => this.#failed(again));
  }

  /** A server that forgot our session did not act on the request; for all else the job knows. */
  async #again(error: JunctorError): Promise<void> {
    const { upstream, mayRepeat } = this.#job;
    const forgotten = error.code === 'session_expired' && this.#sendings === 1;
    if (!forgotten && !(await mayRepeat?.(error))) return this.#failed(error);
    if (!forgotten) await sleep(waitAfter(this.#sendings));
    const link = await upstream.ready();
    if (this.#cancelled) return this.#failed(this.#cancelled);
    this.#link = link;
    this.send();
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
