/** Carries requests of an agent to its servers, and their answers back in the words of its door. */
import type { JunctorError } from '@junctor/core';
import type { Frame } from '@junctor/core/internal';
import type { Passed } from '../approvals/permits.ts';
import type { Job, Translated } from '../relay/job.ts';
import { relay } from '../relay/relay.ts';
import type { Upstream } from '../relay/upstream.ts';
import type { AgentResults } from '../results/agent-results.ts';
import { otherAnswer } from '../results/other-answers.ts';
import { fail } from '../visit/own-answers.ts';
import type { Reply } from '../visit/reply.ts';
import type { Visit } from '../visit/room.ts';
import { HostGuard, type House } from './house.ts';

/** With the server's own names in it. */
export type Sent = Partial<Passed> & Pick<Passed, 'params'> & Pick<Job, 'departure'>;

export type OnFailure = (reply: Reply, error: JunctorError) => void;

export class AgentRelay {
  readonly #house: House;
  readonly #results: AgentResults;

  constructor(house: House, results: AgentResults) {
    this.#house = house;
    this.#results = results;
  }

  /** At once where the server is ready. */
  send(visit: Visit, server: string, sent: Sent, onFailure?: OnFailure): void | Promise<void> {
    const found = this.#house.instances.for(visit.caller, server);
    if (found instanceof Promise) return found.then(upstream => this.#sendTo(upstream, visit, sent, onFailure));
    return this.#sendTo(found, visit, sent, onFailure);
  }

  #sendTo(
    upstream: Upstream,
    { request: { method }, reply, flight, caller, translate: reword }: Visit,
    { params, progress, heed, departure }: Sent,
    onFailure: OnFailure = (to, error) => fail(this.#house, to, error),
  ): void | Promise<void> {
    const { host, instances } = this.#house;
    const server = upstream.server.id;
    const ref = method === 'tools/call' ? { server, tool: String(params.name) } : undefined;
    const translate = (frame: Frame): Translated => {
      heed?.(frame);
      const reworded = reword?.(frame);
      if (reworded) return reworded;
      if (ref) return this.#results.returned(frame, ref, caller.session.id);
      return otherAnswer({ server, trusted: host.server(server)?.trusted ?? false }, method, frame);
    };
    const job = {
      upstream,
      instances,
      request: { method, params },
      reply,
      flight,
      caller,
      departure,
      heartbeats: host.heartbeats,
      progress,
      repeatGuard: ref && new HostGuard(this.#house, ref),
      onFailure,
      translate,
    };
    return relay(job, this.#house);
  }
}
