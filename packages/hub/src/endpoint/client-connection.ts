/** A client with a connection of its own, which is its session: every message comes and goes the same way. */
import { type Host, isJunctorError } from '@junctor/core';
import { RPC_CODE } from '@junctor/core/internal';
import { idOf, isModern, type Message, parseMessage, unfitMessage } from '../visit/message.ts';
import type { Room } from '../visit/room.ts';
import type { Session, SessionOwner } from '../visit/session.ts';
import type { Sessions } from '../visit/sessions.ts';
import { answerBatch, asArray, batchRefusal, messagesOfBatch } from './batch.ts';
import { NOT_UTF8 } from './bodies.ts';
import { ChannelReply, type Wire } from './channel-reply.ts';
import { answer, greet, hear } from './legacy-talk.ts';
import { openEnvelope, Unfit } from './modern-envelope.ts';
import { answerModern, type ModernCaller } from './modern-talk.ts';
import type { News } from './news.ts';

export interface ConnectionOptions {
  readonly door: string;
  /** What is behind the door now. */
  readonly room: () => Room;
  readonly owner: SessionOwner;
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
    return this.#options.owner.principal;
  }

  /** Whether it is served by one of these hosts. */
  isAt(hosts: ReadonlySet<Host>): boolean {
    return Object.values(this.#sessions).some(({ room }) => hosts.has(room.host));
  }

  /** Never throws: what goes wrong with one message is told to its client. Undefined: its bytes are no UTF-8. */
  async receive(text: string | undefined): Promise<void> {
    if (this.#over) return;
    if (text === undefined) return this.#say({ id: null, error: { code: RPC_CODE.notJson, message: NOT_UTF8 } });
    const message = parseMessage(text);
    if (!message) return this.#batch(text);
    const unfit = unfitMessage(message, text);
    if (unfit) return this.#say({ id: idOf(message), error: { code: RPC_CODE.invalidRequest, message: unfit } });
    try {
      await (isModern(message) ? this.#modern(message) : this.#legacy(message));
    } catch (error) {
      const [code, told, data] =
        error instanceof Unfit
          ? [error.code, error.message, error.data]
          : isJunctorError(error)
            ? [RPC_CODE.serverFailed, error.message, undefined]
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

  /** What is not one message is a batch, or nothing. */
  #batch(text: string): void {
    const refuse = (code: number, message: string): void => this.#say({ id: null, error: { code, message } });
    const messages = messagesOfBatch(text);
    if (!messages) return refuse(RPC_CODE.notJson, 'Not one JSON-RPC message');
    if (!this.#sessions.legacy) return refuse(RPC_CODE.serverFailed, 'Send initialize first');
    const session = this.#session('legacy');
    const refusal = batchRefusal(session, messages);
    if (refusal !== undefined) return refuse(RPC_CODE.invalidRequest, refusal);
    const { wire } = this.#options;
    answerBatch(session, messages, {
      reply: (id, onOver, collect) => new ChannelReply(wire, id, onOver, collect),
      finish: answers => {
        if (answers.length > 0 && !this.#over) wire.send(asArray(answers));
      },
    });
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
    const { door, room, owner, sessions } = this.#options;
    const known = this.#sessions[era];
    if (known) {
      known.room = room();
      return known;
    }
    const session = sessions.open({ door, room: room(), owner, era });
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
