/**
 * Where a call runs that a person makes by hand, over REST. An instance of one session is not theirs: they get one for
 * themselves. At a shared one their call stands in line with those of sessions, so that no session gets its questions.
 */
import type { Link } from '@junctor/core/internal';
import { MethodNotFound } from '@junctor/core/internal';
import type { Party } from '../visit/party.ts';
import type { Passage } from './crowd.ts';
import type { Instances } from './instances.ts';
import { whatOf } from './job.ts';
import type { Upstream } from './upstream.ts';

/** A person calls without a client that could be asked. */
class PersonParty implements Party {
  readonly session: object = this;
  readonly away = false;
  readonly capabilities = {};
  readonly logLevel = undefined;

  async ask(): Promise<unknown> {
    throw new MethodNotFound('The person who called by hand cannot be asked.');
  }

  tell(): void {}
}

export interface PersonCallTarget {
  readonly instances: Instances;
  /** Whose credential the request came with. */
  readonly principal: string;
  readonly server: string;
  readonly tool: string;
}

/** Nothing is opened before it is wanted: the call may be denied. */
export class PersonConnection implements Disposable {
  readonly #target: PersonCallTarget;
  readonly #party = new PersonParty();
  #upstream: Upstream | undefined;
  #passage: Passage | undefined;
  #over = false;

  constructor(target: PersonCallTarget) {
    this.#target = target;
  }

  live(): Link | undefined {
    return this.#passage && this.#upstream?.live;
  }

  async ready(): Promise<Link> {
    if (!this.#passage) await this.#enter();
    return (this.#upstream as Upstream).ready();
  }

  /** The call is over, or was given up. */
  [Symbol.dispose](): void {
    this.#over = true;
    if (this.#upstream) this.#upstream.usedAt = performance.now();
    if (this.#passage) this.#upstream?.crowd.leave(this.#passage);
  }

  async #enter(): Promise<void> {
    const { instances, principal, server, tool } = this.#target;
    const what = whatOf({ method: 'tools/call', params: { name: tool } });
    let upstream = instances.forPerson(principal, server);
    let passage = await upstream.crowd.enter(this.#party, what);
    if (!passage) {
      // A session holds the shared one up, whose person is being asked say.
      upstream = instances.ownOfPerson(principal, server);
      passage = await upstream.crowd.enter(this.#party, what);
    }
    upstream.usedAt = performance.now();
    [this.#upstream, this.#passage] = [upstream, passage];
    if (this.#over) this[Symbol.dispose]();
  }
}
