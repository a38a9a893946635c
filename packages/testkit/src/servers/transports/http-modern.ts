/** The modern era over Streamable HTTP: every POST stands for itself, and its headers repeat what its body says. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Calls } from '../calls.ts';
import { checkHeaders } from '../protocol/modern/headers.ts';
import { ModernService } from '../protocol/modern/service.ts';
import { errorObject, type Message, RpcError, type Say } from '../rpc.ts';
import type { SharedState } from '../shared-state.ts';
import { EVENT_STREAM, isAnswer, sendJson } from './port.ts';

export class ModernEndpoint {
  readonly #shared: SharedState;
  readonly #calls = new Calls();
  readonly #service: ModernService;

  constructor(shared: SharedState) {
    this.#shared = shared;
    this.#service = new ModernService(shared, this.#calls);
  }

  async post(message: Message, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { id } = message;
    try {
      if (id !== undefined) checkHeaders(message, request.headers, this.#shared);
    } catch (error) {
      return refuse(response, id, error);
    }
    const key = Symbol('request');
    // Hanging up is how a client of this era cancels.
    response.on('close', () => this.#calls.cancel(key));
    await this.#service.receive(message, sayOver(response), key);
    if (!response.headersSent) response.writeHead(202);
    response.end();
  }

  end(): void {
    this.#calls.end();
  }
}

export function refuse(response: ServerResponse, id: unknown, error: unknown): void {
  const status = (error instanceof RpcError && error.details.status) || 400;
  sendJson(response, status, { jsonrpc: '2.0', id: id ?? null, error: errorObject(error) });
}

/** The answer alone is a JSON document; anything before it turns the response into a stream of events. */
function sayOver(response: ServerResponse): Say {
  return (message, status = 200) => {
    if (!response.headersSent && isAnswer(message)) return sendJson(response, status, message);
    if (!response.headersSent) response.writeHead(200, EVENT_STREAM);
    response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
  };
}
