/** Carries one request to a server and its answer back: byte for byte but for the id, where both speak the same era. */
import { JunctorError } from '@junctor/core';
import type { AnswerId, AnswerMessage, Frame, Link, ProgressParams } from '@junctor/core/inside';
import type { Party } from '../visit/party.ts';
import { CallParty } from './call-party.ts';
import type { Passage } from './crowd.ts';
import { Delivery, type DeliveryListener } from './delivery.ts';
import { inputsAskedIn, inputsFor } from './eras/inputs-for-legacy.ts';
import type { ParkedCalls } from './eras/parked-calls.ts';
import { dressedFor, type Job, progressTokenOf, whatOf } from './job.ts';
import { returnAnswer } from './return-answer.ts';

/** At once where the server is ready: each wait costs a small call more than its words do. */
export function relay(job: Job, parked: ParkedCalls): void | Promise<void> {
  const { upstream, flight } = job;
  flight.server = upstream.server.id;
  const { live } = upstream;
  if (live) return relayOver(live, job, parked);
  // Whoever gives it up does not wait for a server that is still being started.
  flight.sent(() => job.reply.abandon());
  return upstream.ready().then(link => relayOver(link, job, parked));
}

function relayOver(link: Link, job: Job, parked: ParkedCalls): void | Promise<void> {
  const { upstream, caller, reply, flight } = job;
  if (flight.cancelled) return reply.abandon();
  if (caller.era === 'modern' && link.greeting.era === 'legacy') return relayAcross(job, parked);
  const party = caller.era === 'legacy' ? caller.session : new CallParty(caller, reply);
  const entered = upstream.crowd.enter(party, whatOf(job.request));
  if (entered instanceof Promise) return relayInTurn(entered, job, party, parked);
  return new Carrier(job, party).send(entered, link, dressedFor(link, job));
}

/** From the newer era to a server of the older. */
async function relayAcross(job: Job, parked: ParkedCalls): Promise<void> {
  if (!(await parked.carry(job))) await relayApart(job, parked);
}

/** After whoever is let in alone. */
async function relayInTurn(
  entering: Promise<Passage | undefined>,
  job: Job,
  party: Party,
  parked: ParkedCalls,
): Promise<void> {
  const passage = await entering;
  if (passage) return new Carrier(job, party).sendIn(passage, link => dressedFor(link, job));
  await relayApart(job, parked);
}

/** The server is held up by another session for long: this one gets a life of the server for itself. */
async function relayApart(job: Job, parked: ParkedCalls): Promise<void> {
  const { flight, reply, caller, upstream, instances } = job;
  if (flight.cancelled) return reply.abandon();
  await relay({ ...job, upstream: instances.demote(caller, upstream.server.id) }, parked);
}

/** One request of a caller whose server answers in a way it understands, but for questions. */
class Carrier implements DeliveryListener {
  readonly #job: Job;
  readonly #party: Party;
  readonly #token: unknown;
  #params: Record<string, unknown> = {};
  /** The server is of the newer era and the caller is not: the server's questions are put to it here. */
  #asks = false;

  constructor(job: Job, party: Party) {
    this.#job = job;
    this.#party = party;
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
    this.#params = params;
    this.#asks = caller.era === 'legacy' && link.greeting.era === 'modern';
    const delivery = new Delivery(this.#job, passage, link, { method: request.method, params }, this);
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
      this.onFailure(error as JunctorError);
    }
    upstream.crowd.leave(passage);
  }

  onBytes(frame: Frame, at: AnswerId): void {
    const asked = this.#asks ? inputsAskedIn(frame) : undefined;
    if (asked) return void this.#askFor(asked);
    returnAnswer(this.#job, frame, at);
  }

  onMessage({ error, result }: AnswerMessage): void {
    const { reply } = this.#job;
    if (error) reply.error(error.code, error.message, error.data);
    else reply.result(JSON.stringify(result));
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
  async #askFor(asked: NonNullable<ReturnType<typeof inputsAskedIn>>): Promise<void> {
    const { upstream, request, flight } = this.#job;
    const abort = new AbortController();
    flight.sent(reason => abort.abort(new JunctorError('cancelled', reason)));
    try {
      const inputs = await inputsFor(asked, { server: upstream.server.id, party: this.#party, signal: abort.signal });
      const passage = await upstream.crowd.enter(this.#party, whatOf(request));
      if (!passage) throw heldUp(upstream.server.id);
      await this.sendIn(passage, () => ({ ...this.#params, ...inputs }));
    } catch (error) {
      this.onFailure(error as JunctorError);
    }
  }
}

function heldUp(server: string): JunctorError {
  return new JunctorError('timeout', `Server '${server}' is held up by another session.`, {
    server,
    why: 'what it asks can be brought to one session at a time, and that one has not answered yet',
    hint: 'call again, or give each session a server of its own: "mode": "per_session"',
  });
}
