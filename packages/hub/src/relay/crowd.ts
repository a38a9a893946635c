/**
 * Who has requests running at one server. What a server says of its own accord carries no origin, so it is for the one
 * session that is inside, or for nobody: it is never guessed. What was seen to speak is let in for one session at a time
 * from then on, and what it says is certain.
 */

import type { Party } from '../visit/party.ts';
import { LearnedQuestions } from './learned-questions.ts';

/** One request inside. */
export interface Passage {
  readonly party: Party;
  /** What is asked of the server: the method, and the name of a tool or prompt. */
  readonly what: string;
  /** The id towards the server, once it is sent. */
  id: number | undefined;
  /** The server asked something meanwhile that could be for several sessions, and was refused. */
  clashed: boolean;
}

interface Waiting {
  readonly party: Party;
  readonly what: string;
  readonly go: (passage: Passage | undefined) => void;
}

/** A request waits for its turn until nothing has moved for this long: whoever is inside may be waiting for a person. */
const PATIENCE_MS = 10_000;

export class Crowd {
  readonly #inside: Passage[] = [];
  readonly #queue: Waiting[] = [];
  /** What logged while it ran. */
  readonly #logging = new Set<string>();
  /** What asks while it runs. */
  readonly #questions: LearnedQuestions;
  /** When somebody was last let in or left. */
  #movedAt = 0;
  #timer: NodeJS.Timeout | undefined;
  /** While set, no other session is let in. */
  #alone: object | undefined;

  constructor(questions: LearnedQuestions = new LearnedQuestions()) {
    this.#questions = questions;
  }

  get busy(): boolean {
    return this.#inside.length > 0 || this.#queue.length > 0;
  }

  get size(): number {
    return this.#inside.length;
  }

  get parties(): ReadonlySet<Party> {
    return new Set(this.#inside.map(({ party }) => party));
  }

  /** Lets a request in, at once where that is possible. Undefined after a wait in vain. */
  enter(party: Party, what: string): Passage | Promise<Passage | undefined> {
    // Whoever is alone inside is never made to wait for others, who wait for it.
    if (this.#alone === party.session) return this.#admit(party, what);
    if (this.#queue.length === 0 && this.#mayEnter(party, what)) return this.#admit(party, what);
    return new Promise(go => {
      this.#queue.push({ party, what, go });
      this.#watch();
    });
  }

  leave(passage: Passage): void {
    const at = this.#inside.indexOf(passage);
    if (at < 0) return;
    this.#inside.splice(at, 1);
    this.#movedAt = performance.now();
    if (this.#alone && !this.#inside.some(({ party }) => party.session === this.#alone)) this.#alone = undefined;
    this.#letIn();
  }

  /** The party that what the server says is for; `during` is the request on whose stream it said it. */
  whose(during: number | undefined): Party | undefined {
    const inside = this.#inside;
    // The stream of a request that is over, or of none of ours, tells for certain that it is for nobody inside.
    if (during !== undefined && during >= 0) return inside.find(({ id }) => id === during)?.party;
    const [first] = inside;
    if (!first || inside.some(({ party }) => party.session !== first.party.session)) return undefined;
    // Any call of the session will do, and one whose client is there better than one it has to come back to.
    return (inside.findLast(({ party }) => !party.away) ?? first).party;
  }

  /** The server logged: what this session runs here, or all that runs where nobody knows who it was, goes alone from now on. */
  logged(session?: object): void {
    for (const { what } of this.#insideOf(session)) this.#logging.add(what);
  }

  /** The server asked. Undefined: nobody knows which session it meant, and it is refused. */
  asked(session?: object): void {
    const causes = this.#insideOf(session);
    this.#questions.learn(causes.map(({ what }) => what));
    if (session === undefined) for (const passage of causes) passage.clashed = true;
  }

  #insideOf(session: object | undefined): readonly Passage[] {
    return this.#inside.filter(({ party }) => session === undefined || party.session === session);
  }

  #goesAlone(what: string): boolean {
    return this.#questions.has(what) || (this.#logging.size > 0 && this.#logging.has(what));
  }

  /** Sends everybody away who waits, once nothing moves any more. */
  #watch(): void {
    this.#timer ??= setTimeout(
      () => {
        this.#timer = undefined;
        if (performance.now() - this.#movedAt < PATIENCE_MS) {
          if (this.#queue.length > 0) this.#watch();
          return;
        }
        for (const { go } of this.#queue.splice(0)) go(undefined);
      },
      Math.max(this.#movedAt + PATIENCE_MS - performance.now(), 0),
    ).unref();
  }

  #letIn(): void {
    for (let next = this.#queue[0]; next && this.#mayEnter(next.party, next.what); next = this.#queue[0]) {
      this.#queue.shift();
      next.go(this.#admit(next.party, next.what));
    }
  }

  #mayEnter(party: Party, what: string): boolean {
    if (this.#alone !== undefined) return this.#alone === party.session;
    if (!this.#goesAlone(what)) return true;
    return this.#inside.every(passage => passage.party.session === party.session);
  }

  #admit(party: Party, what: string): Passage {
    if (this.#goesAlone(what)) this.#alone = party.session;
    const passage: Passage = { party, what, id: undefined, clashed: false };
    this.#movedAt = performance.now();
    this.#inside.push(passage);
    return passage;
  }
}
