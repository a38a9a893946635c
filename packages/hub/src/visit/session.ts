/**
 * One client's conversation with one door. It holds what must end with it: requests that run, questions to the client, its
 * own lives of servers.
 */
import { randomUUID } from 'node:crypto';
import type { Caller as CoreCaller, ServerLogLevel, TokenRef } from '@junctor/core';
import { type EraName, Passing, type SearchDecision } from '@junctor/core/internal';
import type { Subscriber } from '../relay/subscriptions.ts';
import type { Upstream } from '../relay/upstream.ts';
import type { Known } from '../security/identity.ts';
import { EarlyCancels } from './early-cancels.ts';
import type { Flight } from './flight.ts';
import type { Party, Question } from './party.ts';
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
  readonly owner: SessionOwner;
  readonly era: EraName;
  /** A name that comes from elsewhere, as with a token made for one run. */
  readonly id?: string | undefined;
}

/** Who opened a session, as far as it proved that. */
export type SessionOwner = Pick<Known, 'principal' | 'bearer' | 'approved'>;

export interface ClientName {
  readonly name: string;
  readonly version?: string | undefined;
}

export class Session implements Party, Subscriber, Caller {
  readonly id: string;
  readonly door: string;
  /** Another one when what is behind the door has changed. */
  room: Room;
  readonly owner: SessionOwner;
  readonly era: EraName;
  readonly since: Date = new Date();
  capabilities: Readonly<Record<string, unknown>> = {};
  logLevel: ServerLogLevel | undefined;
  /** The revision that its client agreed on; undefined in the newer era, and for one that another hub greeted. */
  protocolVersion: string | undefined;
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
  #client: ClientName = { name: 'unknown' };
  /** Made once for each endpoint handler and client name. */
  #identified: { readonly room: Room; readonly caller: CoreCaller } | undefined;

  constructor({ door, room, owner, era, id }: SessionOptions) {
    this.id = id ?? randomUUID();
    this.door = door;
    this.room = room;
    this.owner = owner;
    this.era = era;
  }

  get principal(): string {
    return this.owner.principal;
  }

  get client(): ClientName {
    return this.#client;
  }

  set client(client: ClientName) {
    if (client.name === this.#client.name && client.version === this.#client.version) return;
    this.#client = client;
    this.#identified = undefined;
  }

  /** Who makes its calls. */
  get identity(): CoreCaller {
    if (this.#identified?.room !== this.room)
      this.#identified = { room: this.room, caller: callerIn(this, this.room, this.owner) };
    return this.#identified.caller;
  }

  /** Whether all connections with its token are one session: the token was made for one run. */
  get isOfOneRun(): boolean {
    return this.identity.token?.run !== undefined;
  }

  /** In whose name it holds lives of servers: connections with the token of one run hold them together. */
  get holder(): string {
    return this.isOfOneRun ? this.principal : this.id;
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

  updated(server: string, params: object): void {
    const method = 'notifications/resources/updated';
    this.announce(method, this.room.outward(server, method, params));
  }

  cancel(requestId: unknown, reason: unknown): void {
    const key = JSON.stringify(requestId);
    const flight = this.running.get(key);
    if (flight) flight.cancel(typeof reason === 'string' ? reason : 'the client cancelled it');
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

/** An agent's token names its agent at every endpoint; with a person's token the endpoint does. */
function callerIn(
  { id, client }: Pick<Session, 'id' | 'client'>,
  { surface, agent: endpointOf, project }: Room,
  { bearer, principal }: SessionOwner,
): CoreCaller {
  const agent = endpointOf ?? (bearer.kind === 'agent' ? bearer.agent : undefined);
  const kind: TokenRef['kind'] = bearer.kind === 'metrics' ? 'person' : bearer.kind;
  const run = bearer.kind === 'agent' ? bearer.session : undefined;
  return {
    surface,
    session: id,
    ...(agent === undefined ? {} : { agent }),
    ...(project === undefined ? {} : { project }),
    ...(bearer.kind === 'person' ? { person: { name: bearer.name } } : {}),
    token: { kind, owner: principal, ...(run === undefined ? {} : { run }) },
    client,
  };
}
