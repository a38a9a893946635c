/** One client on a channel of its own, such as stdin and stdout: the era is decided message by message. */
import { Calls } from './calls.ts';
import { type Era, speaks } from './options.ts';
import { eraOf } from './protocol/era.ts';
import { LegacySession } from './protocol/legacy/session.ts';
import { unsupported } from './protocol/modern/envelope.ts';
import { ModernService } from './protocol/modern/service.ts';
import { CODE, errorObject, isJson, isNoMessage, type Message, parseMessage, type Say } from './rpc.ts';
import type { SharedState } from './shared-state.ts';

export class Connection {
  readonly #shared: SharedState;
  readonly #say: Say;
  readonly #calls = new Calls();
  readonly #legacy: LegacySession;
  readonly #modern: ModernService;

  constructor(shared: SharedState, say: Say) {
    this.#shared = shared;
    this.#say = say;
    this.#legacy = new LegacySession(shared, say, this.#calls);
    this.#modern = new ModernService(shared, this.#calls);
  }

  async receive(text: string): Promise<void> {
    const message = parseMessage(text);
    if (!message && !isJson(text))
      return this.#say({ jsonrpc: '2.0', id: null, error: { code: CODE.parseError, message: 'Parse error' } });
    if (!message || isNoMessage(message)) {
      const error = { code: CODE.invalidRequest, message: 'Invalid request' };
      return this.#say({ jsonrpc: '2.0', id: message?.id ?? null, error });
    }
    if (this.#eraOf(message) === 'modern') await this.#modern.receive(message, this.#say);
    else if (speaks(this.#shared.options, 'legacy')) await this.#legacy.receive(message, { say: this.#say });
    else this.#refuse(message);
  }

  /** The client is gone: what runs for it stops. */
  end(): void {
    this.#legacy.end();
    this.#calls.end();
  }

  #eraOf(message: Message): Era {
    return speaks(this.#shared.options, 'modern') ? eraOf(message) : 'legacy';
  }

  #refuse({ id, method, params }: Message): void {
    // Notifications have no era of their own; this one matters to both.
    if (method === 'notifications/cancelled') this.#calls.cancel(params?.requestId);
    if (id === undefined || method === undefined) return;
    const error = errorObject(unsupported(String(params?.protocolVersion ?? 'none')));
    this.#say({ jsonrpc: '2.0', id, error });
  }
}
