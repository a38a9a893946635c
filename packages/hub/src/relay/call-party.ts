/** One call of the newer era at a server of the same: it can be told of, and needs not be asked, as the answer asks. */
import type { ServerLogLevel } from '@junctor/core';
import { MethodNotFound } from '@junctor/core/internal';
import { type Party, wantsLine } from '../visit/party.ts';
import type { Reply } from '../visit/reply.ts';
import type { Caller } from '../visit/room.ts';
import type { Session } from '../visit/session.ts';
import { isLeftOut } from '../visit/unread.ts';

export class CallParty implements Party {
  readonly #caller: Caller;
  readonly #reply: Reply;

  constructor(caller: Caller, reply: Reply) {
    this.#caller = caller;
    this.#reply = reply;
  }

  get capabilities(): Readonly<Record<string, unknown>> {
    return this.#caller.capabilities;
  }

  get logLevel(): ServerLogLevel | undefined {
    return this.#caller.logLevel;
  }

  get session(): Session {
    return this.#caller.session;
  }

  get away(): boolean {
    return false;
  }

  async ask(): Promise<unknown> {
    throw new MethodNotFound('In this version of the protocol a server asks with its answer.');
  }

  tell(server: string, method: string, params: object): void {
    const { logLevel, session } = this.#caller;
    // Who names no level wants no log, in this era.
    const unwanted = logLevel === undefined || !wantsLine(logLevel, (params as { level?: unknown }).level);
    if (method === 'notifications/message' && unwanted) return;
    if (isLeftOut(method, this.#reply.unread)) return;
    this.#reply.say({ jsonrpc: '2.0', method, params: session.room.outward(server, method, params) });
  }
}
