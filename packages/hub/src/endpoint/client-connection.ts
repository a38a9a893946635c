/** A client with a connection of its own, which is its session: every message comes and goes the same way. */
import { RPC_CODE } from '@junctor/core/inside';
import { idOf, isModern, isTooDeep, type Message, parseMessage, TOO_DEEP } from '../visit/message.ts';
import type { Room } from '../visit/room.ts';
import type { Session } from '../visit/session.ts';
import type { Sessions } from '../visit/sessions.ts';
import { ChannelReply, type Wire } from './channel-reply.ts';
import { answer, greet, hear } from './legacy-talk.ts';
import { openEnvelope, Unfit } from './modern-envelope.ts';
import { answerModern, type ModernCaller } from './modern-talk.ts';
import type { News } from './news.ts';

export interface ConnectionOptions {
  readonly door: string;
  /** What is behind the door now. */
  readonly room: () => Room;
  readonly principal: string;
  readonly sessions: Sessions;
  /** All that are open: it is one of them until it ends. */
  readonly connections: Set<ClientConnection>;
  readonly news: News;
  readonly wire: Wire;
}

export class ClientConnection {
  readonly #options: ConnectionOptions;
  readonly #sessions: Partial<Record<'legacy' | 'modern', Session>> = {};
  #over = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    options.connections.add(this);
  }

  get principal(): string {
    return this.#options.principal;
  }

  /** Never throws: what goes wrong with one message is told to its client. */
  async receive(text: string): Promise<void> {
    if (this.#over) return;
    const message = parseMessage(text);
    if (!message)
      return this.#say({ id: null, error: { code: RPC_CODE.notJson, message: 'Not one JSON-RPC message' } });
    if (isTooDeep(message, text))
      return this.#say({ id: idOf(message), error: { code: RPC_CODE.invalidRequest, message: TOO_DEEP } });
    try {
      await (isModern(message) ? this.#modern(message) : this.#legacy(message));
    } catch (error) {
      const [code, told, data] =
        error instanceof Unfit
          ? [error.code, error.message, error.data]
          : [RPC_CODE.internal, 'The request failed inside Junctor', undefined];
      if (message.id !== undefined) this.#say({ id: message.id, error: { code, message: told, data } });
    }
  }

  /** The client is gone, and what was held for it is freed. */
  end(): void {
    this.#over = true;
    this.#options.connections.delete(this);
    for (const session of Object.values(this.#sessions)) this.#options.sessions.close(session);
  }

  /** The hub lets the client go. */
  hangUp(reason: string): void {
    this.end();
    this.#options.wire.close(reason);
  }

  async #legacy(message: Message): Promise<void> {
    const { wire } = this.#options;
    const { id, method } = message;
    const isRequest = method !== undefined && id !== undefined && id !== null;
    if (method !== 'initialize' && !this.#sessions.legacy) {
      if (isRequest) this.#say({ id, error: { code: RPC_CODE.serverFailed, message: 'Send initialize first' } });
      return;
    }
    const session = this.#session('legacy');
    if (!isRequest) return hear(session, message);
    if (method === 'initialize') return greet(session, message, new ChannelReply(wire, JSON.stringify(id)));
    await answer(session, message, (key, onOver) => new ChannelReply(wire, key, onOver));
  }

  async #modern(message: Message): Promise<void> {
    const { wire, news } = this.#options;
    const { id, method, params } = message;
    const session = this.#session('modern');
    if (id === undefined || id === null || method === undefined) {
      if (method === 'notifications/cancelled') session.cancel(params?.requestId, params?.reason);
      return;
    }
    const { capabilities, client, logLevel } = openEnvelope(message);
    session.client = client;
    session.logLevel = logLevel ?? session.logLevel;
    const caller: ModernCaller = { era: 'modern', session, capabilities, logLevel };
    const key = JSON.stringify(id);
    const reply = new ChannelReply(wire, key, () => session.running.take(key));
    await answerModern(caller, message, reply, news, flight => session.running.set(key, flight));
  }

  #session(era: 'legacy' | 'modern'): Session {
    const { door, room, principal, sessions } = this.#options;
    const known = this.#sessions[era];
    if (known) {
      known.room = room();
      return known;
    }
    const session = sessions.open({ door, room: room(), principal, era });
    const { wire } = this.#options;
    session.outlet = {
      open: true,
      get unread() {
        return wire.unread;
      },
      say: message => this.#send(message),
      end: () => {},
    };
    this.#sessions[era] = session;
    if (this.#over) sessions.close(session);
    return session;
  }

  #say(message: object): void {
    this.#send({ jsonrpc: '2.0', ...message });
  }

  #send(message: object): void {
    if (!this.#over) this.#options.wire.send([Buffer.from(JSON.stringify(message))]);
  }
}
