/**
 * Requests that belong to another hub on the same database. A session of the older era is at one hub: a request for it that
 * comes to another one is passed on to it. When that hub is gone, the session is taken up here under its own id, by what the
 * database knows of it, so that its client goes on as if nothing had been; only what ran for it is lost. A call of the newer
 * era that waits for its client to come back is found again by the name of its hub.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { hubOfState } from '@junctor/core/internal';
import type { SessionBook } from '../calls/session-book.ts';
import { passOn, wasPassedOn } from '../replicas/pass-on.ts';
import type { Register } from '../replicas/register.ts';
import type { SessionRows } from '../store/session-rows.ts';
import type { SessionRow } from '../store/tables.ts';
import type { SessionOwner } from '../visit/session.ts';
import type { Sessions } from '../visit/sessions.ts';
import type { Door } from './door.ts';
import { SessionStreams } from './session-streams.ts';

export interface ElsewhereOptions {
  readonly register: Register;
  readonly rows: SessionRows;
  readonly book: SessionBook;
  /** Until all that happened is written. */
  readonly flush: () => Promise<void>;
  readonly sessions: Sessions;
}

export interface Arrival {
  readonly door: Door;
  readonly owner: SessionOwner;
  readonly principal: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

export interface ArrivedMessage {
  readonly body: string;
  readonly method: string | undefined;
  readonly requestState: unknown;
}

export class Elsewhere {
  readonly #options: ElsewhereOptions;
  /** Sessions that are being taken up now, by id: many requests may come at once. */
  readonly #taking = new Map<string, Promise<void>>();

  constructor(options: ElsewhereOptions) {
    this.#options = options;
  }

  /** A name that says at which hub it is. */
  mark(name: string): string {
    return `${this.#options.register.id}~${name}`;
  }

  /** What is posted to a stream of the older transport, at the hub that has it. True where another one answered. */
  async takes(
    stream: string,
    { request, response }: Pick<Arrival, 'request' | 'response'>,
    body: string,
  ): Promise<boolean> {
    const hub = hubOfState(stream);
    if (hub === undefined || wasPassedOn(request)) return false;
    return this.#passOn(hub, { request, response }, body);
  }

  /** Until other hubs find the sessions of this one: the next request of a client may come to one of them. */
  known(): Promise<void> {
    return this.#options.flush();
  }

  /** True where another hub answered the request. Where it is false, it is to be answered here. */
  async answers(arrival: Arrival, message?: ArrivedMessage): Promise<boolean> {
    const { sessions } = this.#options;
    const id = arrival.request.headers['mcp-session-id'];
    if (wasPassedOn(arrival.request) || message?.method === 'initialize') return false;
    if (typeof id === 'string' && !sessions.has(id)) return this.#ofSession(id, arrival, message?.body);
    const hub = hubOfState(message?.requestState);
    return hub !== undefined && this.#passOn(hub, arrival, message?.body);
  }

  async #ofSession(id: string, arrival: Arrival, body: string | undefined): Promise<boolean> {
    const { register, rows, sessions } = this.#options;
    const row = await rows.find(id);
    // Whoever does not own it is told the same as if there were none.
    if (row?.principal !== arrival.principal || row.door !== arrival.door.path) return false;
    const ended = row.closed !== null && row.lost === null;
    if (ended || (row.hub === register.id && row.lost === null)) return false;
    if (row.lost === null && (await this.#passOn(row.hub, arrival, body))) return true;
    const taking = this.#taking.get(id) ?? this.#takeUp(row, arrival).finally(() => this.#taking.delete(id));
    if (!sessions.has(id)) this.#taking.set(id, taking);
    await taking;
    return false;
  }

  async #passOn(
    hub: string,
    { request, response }: Pick<Arrival, 'request' | 'response'>,
    body: string | undefined,
  ): Promise<boolean> {
    const { register } = this.#options;
    const peer = register.peers.find(({ id }) => id === hub);
    if (!peer) return false;
    const gone = new AbortController();
    const stop = register.onChange(() => {
      if (!register.peers.some(({ life }) => life === peer.life)) gone.abort();
    });
    response.once('close', stop);
    const answered = await passOn(peer.url, { request, response, body, signal: gone.signal });
    if (!answered) stop();
    return answered;
  }

  async #takeUp(row: SessionRow, { door, owner }: Arrival): Promise<void> {
    const { rows, book, sessions } = this.#options;
    const attachments = await rows.attachments([row.id]);
    if (sessions.has(row.id)) return;
    const session = sessions.open({ door: door.path, room: door.room, owner, era: 'legacy', id: row.id });
    const [, name = row.client, version] = /^(.*) (\S+)$/.exec(row.client) ?? [];
    session.client = { name, version };
    session.capabilities = JSON.parse(row.capabilities ?? '{}');
    session.protocolVersion = row.protocol || undefined;
    session.outlet = new SessionStreams();
    book.takenUp(row, attachments);
  }
}
