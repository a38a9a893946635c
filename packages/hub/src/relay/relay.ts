/** Carries one request to a server and its answer back: byte for byte but for the id, where both speak the same era. */
import { JunctorError } from '@junctor/core';
import {
  type AnswerId,
  declaresTasks,
  type Frame,
  type InputRequired,
  type InputRounds,
  type Link,
  type ProgressParams,
} from '@junctor/core/internal';
import type { Party } from '../visit/party.ts';
import { CallParty } from './call-party.ts';
import type { Passage } from './crowd.ts';
import { Delivery, type DeliveryListener } from './delivery.ts';
import { inputsAskedIn, roundsWith, untilRead } from './eras/inputs-for-legacy.ts';
import type { ParkedCalls } from './eras/parked-calls.ts';
import { dressedFor, heldUp, type Job, progressTokenOf, whatOf } from './job.ts';
import { returnAnswer } from './return-answer.ts';
import type { HubTasks } from './tasks/hub-tasks.ts';
import { TaskDelivery } from './tasks/task-delivery.ts';
import { needsTask, type TaskWay, taskWay, ticketIn } from './tasks/task-ways.ts';

/** What outlives one request: calls that wait for their client, and tasks. */
export interface Kept {
  readonly parked: ParkedCalls;
  readonly tasks: HubTasks;
}

/** At once where the server is ready: each wait costs a small call more than its words do. */
export function relay(job: Job, kept: Kept): void | Promise<void> {
  const { upstream, flight } = job;
  flight.server = upstream.server.id;
  const { live } = upstream;
  if (live) return relayOver(live, job, kept);
  // Whoever gives it up does not wait for a server that is still being started.
  flight.sent(() => job.reply.abandon());
  return upstream.ready().then(link => relayOver(link, job, kept));
}

function relayOver(link: Link, job: Job, kept: Kept): void | Promise<void> {
  const { reply, flight, request } = job;
  if (flight.cancelled) return reply.abandon();
  if (request.method !== 'tools/call') return relayIn(undefined, link, job, kept);
  if (link.hasTasks) return relayCall(link, job, kept);
  // A server without tasks runs the call as any other: the id of a task that nobody keeps would be lost.
  return relayIn(undefined, link, request.params.task === undefined ? job : withoutTask(job), kept);
}

/** A call at a server that knows tasks. */
function relayCall(link: Link, job: Job, kept: Kept): void | Promise<void> {
  const { request, flight, reply, instances, upstream } = job;
  // The hub at the other end of a peer connection lists for itself, and follows tasks that its server requires.
  const isKnown = upstream.isLine || !link.mustList(String(request.params.name));
  if (isKnown) return relayIn(taskWay(link, job), link, job, kept);
  flight.sent(() => reply.abandon());
  return instances.admitTools(link).then(() => relayIn(taskWay(link, job), link, job, kept));
}

function relayIn(way: TaskWay, link: Link, job: Job, kept: Kept): void | Promise<void> {
  const { upstream, caller, reply, request } = job;
  if (way === 'task') return relayAsTask(link, job, kept);
  if (caller.era === 'modern') {
    const isParked = way === 'watched' && kept.parked.knows(request.params.requestState, caller);
    if (isParked || link.greeting.era === 'legacy') return relayAcross(job, kept, way === 'followed');
  }
  const party = caller.era === 'legacy' ? caller.session : new CallParty(caller, reply);
  const entered = upstream.crowd.enter(party, whatOf(request));
  const carrier = new Carrier(job, party, way, kept);
  if (entered instanceof Promise) return relayInTurn(entered, job, carrier, kept);
  return carrier.send(entered, link, dressedFor(link, job));
}

async function relayAsTask(link: Link, job: Job, kept: Kept): Promise<void> {
  if (!(await kept.tasks.begin(job, link))) await relayApart(job, kept);
}

/** From the newer era to a server of the older. */
async function relayAcross(job: Job, kept: Kept, followed: boolean): Promise<void> {
  if (!(await kept.parked.carry(job, followed))) await relayApart(job, kept);
}

/** After whoever is let in alone. */
async function relayInTurn(
  entering: Promise<Passage | undefined>,
  job: Job,
  carrier: Carrier,
  kept: Kept,
): Promise<void> {
  const passage = await entering;
  if (passage) return carrier.sendIn(passage, link => dressedFor(link, job));
  await relayApart(job, kept);
}

/** The server is held up by another session for long: this one gets a life of the server for itself. */
async function relayApart(job: Job, kept: Kept): Promise<void> {
  const { flight, reply, caller, upstream, instances } = job;
  if (flight.cancelled) return reply.abandon();
  await relay({ ...job, upstream: instances.demote(caller, upstream.server.id) }, kept);
}

function withoutTask(job: Job): Job {
  const { task: _task, ...params } = job.request.params;
  return { ...job, request: { ...job.request, params } };
}

/** One request of a caller whose server answers in a way it understands, but for questions. */
class Carrier implements DeliveryListener {
  readonly #job: Job;
  readonly #party: Party;
  readonly #token: unknown;
  /** The server is of the newer era and the caller is not: the server's questions are put to it here. */
  #asks = false;
  /** As it was first sent: each round of questions adds its own answers to it. */
  #params: Record<string, unknown> | undefined;
  #since = 0;
  #rounds: InputRounds | undefined;
  #delivery: Delivery | TaskDelivery | undefined;
  #link: Link | undefined;
  #way: TaskWay;
  readonly #kept: Kept;

  constructor(job: Job, party: Party, way: TaskWay, kept: Kept) {
    this.#job = job;
    this.#party = party;
    this.#way = way;
    this.#kept = kept;
    this.#token = progressTokenOf(job.request);
  }

  send(passage: Passage, link: Link, params: Record<string, unknown>): void | Promise<void> {
    const unwritten = this.#job.departure?.sending();
    if (unwritten) return unwritten.then(() => this.#sendWritten(passage, link, params));
    this.#send(passage, link, params);
  }

  #sendWritten(passage: Passage, link: Link, params: Record<string, unknown>): void {
    const { flight, departure, upstream, reply } = this.#job;
    if (!flight.cancelled) return this.#send(passage, link, params);
    departure?.stayed();
    upstream.crowd.leave(passage);
    reply.abandon();
  }

  #send(passage: Passage, link: Link, params: Record<string, unknown>): void {
    const { flight, request, caller } = this.#job;
    this.#asks = caller.era === 'legacy' && link.greeting.era === 'modern';
    if (this.#asks && !this.#params) {
      this.#params = params;
      this.#since = performance.now();
    }
    this.#link = link;
    const sent = { method: request.method, params, leftMs: this.#rounds?.remainingMs };
    const delivery =
      this.#way === 'followed'
        ? new TaskDelivery(this.#job, { party: this.#party, passage, link }, params, this)
        : new Delivery(this.#job, passage, link, sent, this, this.#delivery?.retry);
    this.#delivery = delivery;
    delivery.send();
    flight.sent(reason => delivery.cancel(reason));
  }

  /** After a wait the connection may be another, or none. */
  async sendIn(passage: Passage, paramsFor: (link: Link) => Record<string, unknown>): Promise<void> {
    const { upstream, flight, reply } = this.#job;
    try {
      const link = upstream.live ?? (await upstream.ready());
      if (!flight.cancelled) return await this.send(passage, link, paramsFor(link));
      reply.abandon();
    } catch (error) {
      this.#stayed(error as JunctorError);
    }
    upstream.crowd.leave(passage);
  }

  onBytes(frame: Frame, at: AnswerId): void {
    if (this.#way === 'watched' && this.#becameTask(frame)) return;
    const asked = this.#asks ? inputsAskedIn(frame) : undefined;
    if (asked) return void this.#askFor(asked);
    const { upstream, reply, translate, onFailure } = this.#job;
    returnAnswer({ server: upstream.server.id, reply, translate, onFailure }, frame, at);
  }

  /** True where the answer is none yet: the server made a task of the call, or wants to. */
  #becameTask(frame: Frame): boolean {
    const { caller, request, upstream } = this.#job;
    const link = this.#link as Link;
    const knowsTasks = caller.era === 'modern' && declaresTasks(caller.capabilities);
    const ticket = ticketIn(frame);
    if (ticket && knowsTasks) this.#kept.tasks.adopt(this.#job, link, ticket);
    else if (ticket) {
      const delivery = new TaskDelivery(this.#job, { party: this.#party, link }, request.params, this);
      this.#way = 'followed';
      this.#job.flight.sent(reason => delivery.cancel(reason));
      delivery.follow(ticket);
    } else if (knowsTasks || !needsTask(frame)) return false;
    else if (caller.era === 'modern') void this.#followAcross();
    else void this.#follow(upstream.crowd.enter(this.#party, whatOf(request)));
    return true;
  }

  /** The call is sent again, as a task whose result its client waits for. */
  async #follow(entering: Passage | Promise<Passage | undefined>): Promise<void> {
    const { upstream } = this.#job;
    this.#way = 'followed';
    const passage = await entering;
    if (passage) return this.sendIn(passage, link => dressedFor(link, this.#job));
    this.#stayed(heldUp(upstream.server.id));
  }

  /** The same for a client of the newer era, which is asked by an answer. */
  async #followAcross(): Promise<void> {
    try {
      await relayAcross(this.#job, this.#kept, true);
    } catch (error) {
      this.#stayed(error as JunctorError);
    }
  }

  onProgress(progress: ProgressParams): void {
    this.#job.reply.notify('notifications/progress', { ...progress, progressToken: this.#token });
  }

  onFailure(error: JunctorError): void {
    const { reply, flight, onFailure } = this.#job;
    if (flight.cancelled) reply.abandon();
    else onFailure(reply, error);
  }

  /** Asks the client what the server wants to know, and sends the request again with the answers. */
  async #askFor(asked: InputRequired): Promise<void> {
    const { upstream, request, reply, flight } = this.#job;
    const server = upstream.server.id;
    this.#delivery?.retry.reached();
    const abort = new AbortController();
    flight.sent(reason => abort.abort(new JunctorError('cancelled', reason, { server })));
    try {
      this.#rounds ??= this.#begunRounds();
      const inputs = await this.#rounds.next(asked, abort.signal);
      await untilRead(reply, server, abort.signal);
      const passage = await upstream.crowd.enter(this.#party, whatOf(request));
      if (!passage) throw heldUp(server);
      await this.sendIn(passage, () => ({ ...this.#params, ...inputs }));
    } catch (error) {
      this.#stayed(error as JunctorError);
    }
  }

  /** A round was not sent. Where one was before, the call has reached its server all the same. */
  #stayed(error: JunctorError): void {
    this.onFailure(this.#delivery?.retry.settle(error, true) ?? error);
  }

  /** People answer within the time of a call, also where what they are asked for is no call. */
  #begunRounds(): InputRounds {
    const { upstream, request } = this.#job;
    const { toolTotalMs, perToolMs } = upstream.server.timeouts;
    const totalMs = perToolMs[String(request.params.name)] ?? toolTotalMs;
    return roundsWith(this.#party, upstream.server.id, { spentMs: performance.now() - this.#since, totalMs });
  }
}
