/** One request on its way to a server: its time, its progress, and its way to be cancelled. */
import { JunctorError } from '@junctor/core';
import {
  type AnswerId,
  type ByteWaiter,
  type Frame,
  type Heartbeat,
  isObject,
  type Link,
  type ProgressParams,
  RetryPolicy,
  within,
} from '@junctor/core/internal';
import { readAnswer } from '../visit/reply.ts';
import type { Passage } from './crowd.ts';
import type { Job } from './job.ts';
import { failureIn, lineFailure } from './peer-failure.ts';

export interface DeliveryListener {
  onBytes(frame: Frame, at: AnswerId): void;
  onFailure(error: JunctorError): void;
  /** Only where the caller gave a token. */
  onProgress(progress: ProgressParams): void;
}

export interface Sent {
  readonly method: string;
  readonly params: Record<string, unknown>;
  /** What earlier requests of the same call have left of its time. */
  readonly leftMs?: number | undefined;
}

type DeliveredJob = Pick<Job, 'upstream' | 'heartbeats' | 'progress' | 'repeatGuard'>;

export class Delivery implements ByteWaiter {
  readonly #job: DeliveredJob;
  #passage: Passage;
  readonly #listener: DeliveryListener;
  readonly #heartbeat: Heartbeat | undefined;
  readonly #method: string;
  readonly #params: Record<string, unknown>;
  readonly #leftMs: number | undefined;
  #link: Link;
  #id = -1;
  #cancelled: JunctorError | undefined;
  #retry: RetryPolicy | undefined;
  /** Ends the wait before a repeat. */
  #waiting: AbortController | undefined;

  constructor(
    job: DeliveredJob,
    passage: Passage,
    link: Link,
    { method, params, leftMs }: Sent,
    listener: DeliveryListener,
    retry?: RetryPolicy,
  ) {
    this.#job = job;
    this.#passage = passage;
    this.#link = link;
    this.#method = method;
    this.#params = params;
    this.#leftMs = leftMs;
    this.#listener = listener;
    this.#retry = retry;
    const token = (params._meta as { progressToken?: unknown } | undefined)?.progressToken;
    // Only a client that gave a token is told; for all others a call costs no heartbeat.
    if (token !== undefined)
      this.#heartbeat = job.heartbeats.begin(({ elapsed_ms: _, ...sign }) => listener.onProgress(sign), job.progress);
  }

  /** Of the call, which may go on after this request. Made with the first failure: most calls have none. */
  get retry(): RetryPolicy {
    this.#retry ??= new RetryPolicy(this.#job.repeatGuard);
    return this.#retry;
  }

  send(): void {
    const link = this.#link;
    const params = this.#params;
    const whole = this.#method === 'tools/call' ? link.patienceFor(String(params.name)) : link.requestPatience;
    const patience = this.#leftMs === undefined ? whole : within(whole, this.#leftMs);
    // Progress tokens of two clients may be equal: towards the server our own request id takes their place. A call carries one
    // also where its client wants no progress, since progress keeps a long call from its idle limit.
    const hasToken = this.#heartbeat !== undefined || this.#method === 'tools/call';
    const withToken = (id: number) => ({ ...params, _meta: { ...(params._meta as object), progressToken: id } });
    this.#job.upstream.usedAt = performance.now();
    this.#id = link.conversation.ask(this.#method, hasToken ? withToken : params, patience, this);
    this.#passage.id = this.#id;
  }

  cancel(reason: string): void {
    this.#cancelled = new JunctorError('cancelled', reason, { server: this.#job.upstream.server.id });
    this.#link.conversation.cancel(this.#id, this.#cancelled);
    this.#waiting?.abort();
  }

  onBytes(frame: Frame, at: AnswerId): void {
    const failure = this.#job.upstream.isLine ? failureIn(frame) : undefined;
    if (failure) return this.#failed(this.retry.settle(failure, true));
    if (this.#passage.clashed && isFailure(frame) && this.retry.repeatsRefused())
      return void this.#repeatAlone(frame, at);
    this.#over();
    this.#listener.onBytes(frame, at);
  }

  onProgress(params: ProgressParams): void {
    this.#heartbeat?.progress(params);
  }

  onFailure(found: JunctorError): void {
    const { server, isLine } = this.#job.upstream;
    const error = this.retry.settle(isLine ? lineFailure(server.id, found) : found, true);
    if (this.#cancelled) return this.#failed(error);
    void this.#again(error);
  }

  async #again(error: JunctorError): Promise<void> {
    this.#waiting = new AbortController();
    if (!(await this.retry.repeats(error, this.#waiting.signal))) return this.#failed(error);
    try {
      const link = this.#cancelled ? undefined : await this.#job.upstream.ready();
      if (!link || this.#cancelled) throw this.#cancelled;
      this.#link = link;
      this.send();
    } catch (unsent) {
      this.#failed(this.retry.settle(unsent as JunctorError, false));
    }
  }

  /** The server failed since it could not ask. It is called again once its questions can only be for this session. */
  async #repeatAlone(frame: Frame, at: AnswerId): Promise<void> {
    const { crowd } = this.#job.upstream;
    const { party, what } = this.#passage;
    crowd.leave(this.#passage);
    const passage = await crowd.enter(party, what);
    if (passage) this.#passage = passage;
    const link = passage && !this.#cancelled && (await this.#job.upstream.ready().catch(() => undefined));
    if (this.#cancelled) return this.#failed(this.#cancelled);
    if (link) {
      this.#link = link;
      return this.send();
    }
    this.#over();
    this.#listener.onBytes(frame, at);
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

/** Whether the server says that the request failed. */
function isFailure(frame: Frame): boolean {
  const { error, result } = readAnswer(frame);
  return error !== undefined || (isObject(result) && result.isError === true);
}
