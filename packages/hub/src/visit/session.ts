/**
 * One client's conversation with one door. It holds what must end with it: requests that run, questions to the client, its
 * own lives of servers.
 */
import { randomUUID } from 'node:crypto';
import type { ServerLogLevel } from '@junctor/core';
import { type EraName, Passing, type SearchDecision } from '@junctor/core/inside';
import type { Subscriber } from '../relay/subscriptions.ts';
import type { Upstream } from '../relay/upstream.ts';
import { EarlyCancels } from './early-cancels.ts';
import type { Flight } from './flight.ts';
import type { Party, Question } from './party.ts';
import { isOneSession } from './principal.ts';
import { type ClientAnswer, Questions } from './questions.ts';
import type { Caller, Room } from './room.ts';
import { isLeftOut } from './unread.ts';

/** Where messages go that belong to no request. */
export interface Outlet {
  /** Whether somebody listens there now. */
  readonly open: boolean;
  /** What its client has not taken yet, in bytes. */
  readonly unread: number;
  say(message: object): void;
  end(): void;
}

export interface SessionOptions {
  /** A session is good at its own door only. */
  readonly door: string;
  readonly room: Room;
  /** Whose token opened it: nobody else may use it. */
  readonly principal: string;
  readonly era: EraName;
  /** A name that comes from elsewhere, as with a token made for one run. */
  readonly id?: string | undefined;
}

export interface ClientName {
  readonly name: string;
  readonly version?: string | undefined;
}

export class Session implements Party, Subscriber, Caller {
  readonly id: string;
  readonly door: string;
  /** Another one when what is behind the door has changed. */
  room: Room;
  readonly principal: string;
  readonly era: EraName;
  readonly since: Date = new Date();
  client: ClientName = { name: 'unknown' };
  capabilities: Readonly<Record<string, unknown>> = {};
  logLevel: ServerLogLevel | undefined;
  /** Which of its tools it searches: decided when it first asks for them. */
  search: SearchDecision | undefined;
  usedAt: number = performance.now();
  /** Requests that run for it, by the client's own id as JSON. */
  readonly running: Passing<string, Flight> = new Passing();
  readonly earlyCancels: EarlyCancels = new EarlyCancels();
  /** The lives of servers that it uses, by server id. */
  readonly upstreams: Map<string, Upstream> = new Map();
  outlet: Outlet | undefined;
  #ended = false;
  readonly #questions = new Questions();

  constructor({ door, room, principal, era, id }: SessionOptions) {
    this.id = id ?? randomUUID();
    this.door = door;
    this.room = room;
    this.principal = principal;
    this.era = era;
  }

  /** In whose name it holds lives of servers: connections with the token of one run hold them together. */
  get holder(): string {
    return isOneSession(this.principal) ? this.principal : this.id;
  }

  /** Whether its client can be asked outside of a call. In the 2026-07-28 era only a call can bring questions back. */
  get isParty(): boolean {
    return this.era === 'legacy';
  }

  /** In the older era it is the session that sends requests. */
  get session(): Session {
    return this;
  }

  get away(): boolean {
    return false;
  }

  get ended(): boolean {
    return this.#ended;
  }

  ask(question: Question): Promise<unknown> {
    return this.#questions.ask(question, message => this.#wayAbout(question.server)?.say(message));
  }

  answered(message: ClientAnswer): void {
    this.#questions.settle(message);
  }

  tell(server: string, method: string, params: object): void {
    const way = this.#wayAbout(server);
    if (way && !isLeftOut(method, way.unread))
      way.say({ jsonrpc: '2.0', method, params: this.room.outward(server, method, params) });
  }

  /** News that belong to no call. */
  announce(method: string, params?: object): void {
    this.outlet?.say({ jsonrpc: '2.0', method, ...(params ? { params } : {}) });
  }

  updated(server: string, uri: string): void {
    const method = 'notifications/resources/updated';
    this.announce(method, this.room.outward(server, method, { uri }));
  }

  cancel(requestId: unknown, reason: unknown): void {
    const key = JSON.stringify(requestId);
    const flight = this.running.get(key);
    if (flight) flight.cancel(String(reason ?? 'the client cancelled it'));
    else this.earlyCancels.note(key);
  }

  /** Ends what runs for it. What it held of servers is freed by whoever lent it. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    for (const flight of this.running.values()) flight.cancel('the session was ended');
    this.running.clear();
    this.#questions.end();
    this.outlet?.end();
  }

  /** On the stream of the call it belongs to, where that is certain; else on the stream for everything else. */
  #wayAbout(server: string): Pick<Outlet, 'say' | 'unread'> | undefined {
    const calls = this.running.values().filter(flight => flight.server === server);
    const only = calls.length === 1 ? calls[0] : undefined;
    if (only) return only.reply;
    // A client that reads no other stream still reads those of its calls.
    return !this.outlet?.open && calls.length > 0 ? calls.at(-1)?.reply : this.outlet;
  }
}
