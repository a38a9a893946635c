/**
 * Sends one call as a task of its server and follows it to the result, as core does for the library. Its listener
 * gets what every other request brings: one answer, or one failure. Who owns the task is decided in hub-tasks.ts.
 */
import { isJunctorError, JunctorError } from '@junctor/core';
import {
  callAsTask,
  type Frame,
  findAnswerId,
  followTask,
  type Heartbeat,
  InputRounds,
  isInputRequired,
  isObject,
  type Link,
  META,
  MethodNotFound,
  type Patience,
  type ProgressParams,
  plainOutcome,
  RetryPolicy,
  TASKS_EXTENSION,
  type Task,
  type TaskRoom,
  unreadableAnswer,
  withInputs,
  withoutResult,
} from '@junctor/core/internal';
import { canBeAsked, type Party } from '../../visit/party.ts';
import type { Passage } from '../crowd.ts';
import type { DeliveryListener } from '../delivery.ts';
import { type Job, progressTokenOf } from '../job.ts';
import { requestExactly } from './exact-request.ts';
import type { RunningTask } from './running-tasks.ts';

export interface TaskListener extends DeliveryListener {
  /** What the server tells of the task. The first state says that the call has become one. */
  onState?(task: Task): void;
}

/** A server answers with the name of its task at once. A call that becomes no task is cancelled so much later. */
const NAMED_WITHIN_MS = 1000;

type TaskJob = Pick<Job, 'upstream' | 'heartbeats' | 'progress' | 'repeatGuard' | 'request' | 'caller'>;
type Params = Record<string, unknown>;
type RequestOptions = Parameters<TaskRoom['request']>[2];

export class TaskDelivery {
  readonly retry: RetryPolicy;
  readonly #job: TaskJob;
  readonly #party: Party;
  readonly #passage: Passage | undefined;
  readonly #params: Params;
  readonly #listener: TaskListener;
  readonly #abort = new AbortController();
  readonly #heartbeat: Heartbeat | undefined;
  #link: Link;
  readonly #task: RunningTask;
  #named = false;
  #onNamed: () => void = () => {};

  /** `passage`: held as long as the task runs, since the server may speak for it at any time. `params`: as the server wants them. */
  constructor(
    job: TaskJob,
    { party, passage, link }: { readonly party: Party; readonly passage?: Passage | undefined; readonly link: Link },
    params: Params,
    listener: TaskListener,
  ) {
    this.#job = job;
    this.#party = party;
    this.#passage = passage;
    this.#link = link;
    this.#listener = listener;
    const { task: _task, ...own } = params;
    this.#params = own;
    this.retry = new RetryPolicy(job.repeatGuard);
    this.#task = job.upstream.tasks.begin(party);
    if (progressTokenOf(job.request) !== undefined)
      this.#heartbeat = job.heartbeats.begin(({ elapsed_ms: _, ...sign }) => listener.onProgress(sign), job.progress);
  }

  send(): void {
    void this.#run((server, options) => callAsTask(server, this.#params, options));
  }

  /** The server has made a task of the call by itself. */
  follow(ticket: unknown): void {
    void this.#run((server, options) => followTask(server, ticket, options));
  }

  cancel(reason: string): void {
    const abort = (): void => this.#abort.abort(new JunctorError('cancelled', reason, { server: this.#server }));
    if (this.#named || this.#link.greeting.era === 'legacy') return abort();
    // A task can only be cancelled by its name, which comes with the answer: given up before, it would run on for nobody.
    this.#onNamed = abort;
    setTimeout(abort, NAMED_WITHIN_MS).unref();
  }

  get #server(): string {
    return this.#job.upstream.server.id;
  }

  async #run(work: (server: TaskRoom, options: RequestOptions) => Promise<unknown>): Promise<void> {
    const { signal } = this.#abort;
    const heartbeat = this.#heartbeat;
    const onProgress = heartbeat && ((params: ProgressParams) => heartbeat.progress(params));
    let answer: { readonly result?: unknown; readonly error?: unknown };
    try {
      for (;;) {
        try {
          answer = { result: await work(this.#following(), { signal, onProgress }) };
          break;
        } catch (error) {
          const failure = this.retry.settle(error, true);
          if (!(await this.retry.repeats(failure, signal))) throw failure;
          this.#link = await this.#job.upstream.ready();
        }
      }
    } catch (error) {
      const own = isJunctorError(error, 'server_error') ? error.cause : undefined;
      // An error of the server is an answer, and passes as every other.
      if (!isObject(own)) return this.#over(() => this.#listener.onFailure(error as JunctorError));
      answer = { error: own };
    }
    this.#over(() => this.#answered(answer));
  }

  /** Never throws: nobody waits for what this returns. */
  #answered(answer: { readonly result?: unknown; readonly error?: unknown }): void {
    let frame: Frame = [];
    try {
      frame = [Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, ...answer, ...plainResult(answer.result) }))];
      const at = findAnswerId(frame);
      if (!at || !plainOutcome(frame)) throw withoutResult(this.#server, 'the call');
      this.#listener.onBytes(frame, at);
    } catch (error) {
      this.#listener.onFailure(isJunctorError(error) ? error : unreadableAnswer(this.#server, frame, error));
    }
  }

  #over(tell: () => void): void {
    const { upstream } = this.#job;
    this.#heartbeat?.[Symbol.dispose]();
    this.#task.over();
    if (this.#passage) upstream.crowd.leave(this.#passage);
    tell();
  }

  /** What following a task needs of its server. */
  #following(): TaskRoom {
    const { greeting } = this.#link;
    const server = this.#server;
    const ask: TaskRoom['asked']['ask'] = async (method, params, signal) => {
      const question = { server, method, params, signal };
      if (!canBeAsked(this.#party, question)) throw new MethodNotFound(`The client does not serve ${method}.`);
      return this.#party.ask(question);
    };
    return {
      server,
      greeting,
      asked: { server, ask, together: this.#job.caller.era === 'modern' },
      patience: this.#link.patienceFor(String(this.#params.name)),
      ended: this.#abort.signal,
      onState: task => this.#seen(task),
      request: (method, params, options, patience = this.#link.requestPatience) =>
        this.#request(method, this.#declaring(params as Params), patience, options),
    };
  }

  #seen(task: Task): void {
    this.#job.upstream.usedAt = performance.now();
    this.#task.named(task.taskId);
    this.#named = true;
    this.#listener.onState?.(task);
  }

  /** In the newer era each request says that its sender knows tasks: here that is the hub, whatever its client knows. */
  #declaring(params: Params): Params {
    if (this.#link.greeting.era === 'legacy') return params;
    const { progressToken: _token, ...sent } = (this.#params._meta ?? {}) as Params;
    const meta = { ...sent, ...(params._meta as Params | undefined) };
    const capabilities = (meta[META.clientCapabilities] ?? this.#party.capabilities) as Params;
    const extensions = { ...(capabilities.extensions as object | undefined), [TASKS_EXTENSION]: {} };
    return { ...params, _meta: { ...meta, [META.clientCapabilities]: { ...capabilities, extensions } } };
  }

  async #request(method: string, params: Params, patience: Patience, options: RequestOptions): Promise<unknown> {
    const since = performance.now();
    const first = await this.#exchange(method, params, patience, options);
    if (method !== 'tools/call' || !isInputRequired(first)) return first;
    const { asked } = this.#following();
    const rounds = new InputRounds(asked, { spentMs: performance.now() - since, totalMs: patience.totalMs });
    const send = (given: object): Promise<unknown> => this.#exchange(method, given as Params, patience, options);
    return withInputs(first, params, { rounds, signal: this.#abort.signal, send });
  }

  /** At once: questions of the task wait until it is known which one it is. */
  #answeredCall(result: unknown): void {
    const id = ticketId(result);
    if (id === undefined) return;
    this.#task.named(id);
    this.#named = true;
    this.#onNamed();
  }

  #exchange(method: string, params: Params, timeouts: Patience, options: RequestOptions): Promise<unknown> {
    const passage = this.#passage;
    return requestExactly(this.#job.upstream, this.#link, {
      method,
      params,
      timeouts,
      ...options,
      onSent: id => {
        if (passage) passage.id = id;
      },
      onResult: method === 'tools/call' ? result => this.#answeredCall(result) : undefined,
    });
  }
}

/** The id in a ticket of either era; undefined for every other result. */
function ticketId(result: unknown): string | undefined {
  const { task, taskId } = isObject(result) ? result : {};
  const id = isObject(task) ? task.taskId : taskId;
  return typeof id === 'string' ? id : undefined;
}

/** Without what only belongs to a task of the server, or to its era: who answers the client adds what that one needs. */
function plainResult(result: unknown): { readonly result?: object } {
  if (!isObject(result)) return {};
  const { resultType: _type, _meta, ...rest } = result;
  if (!isObject(_meta)) return { result: rest };
  const { [META.relatedTask]: _related, ...meta } = _meta;
  return { result: Object.keys(meta).length > 0 ? { ...rest, _meta: meta } : rest };
}
