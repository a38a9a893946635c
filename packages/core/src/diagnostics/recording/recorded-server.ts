/** A recording as a server: it plays what was recorded for each request, on whatever line the client speaks. */
import { RPC_CODE } from '../../base/rpc-code.ts';
import { META } from '../../connections/protocol/envelope.ts';
import { cutText } from '../../results/budget/cut-text.ts';
import type { RpcMessage } from './recording.ts';
import { type Replay, tokenOf } from './replay.ts';

/** Says one message to the client, on the line of the request it belongs to. */
export type Say = (message: object) => void;

/** How much of a request an error repeats. */
const SHOWN_CHARS = 300;

export class RecordedServer {
  readonly #replay: Replay;
  readonly #source: string;
  /** Questions to the client that wait for its answer. */
  readonly #asked = new Map<string, () => void>();
  #questions = 0;

  constructor(replay: Replay, source: string) {
    this.#replay = replay;
    this.#source = source;
  }

  /** Takes one message of the client. Resolves when all that follows from it was said. */
  async hear({ id, method, params }: RpcMessage, say: Say): Promise<void> {
    if (typeof method !== 'string') return this.#asked.get(String(id))?.();
    if (id === undefined) return; // notifications change nothing here
    const steps = this.#replay.stepsFor(method, params);
    if (!steps) return say({ jsonrpc: '2.0', id, ...this.#unrecorded(method, params) });
    const token = tokenOf(params);
    for (const { kind, message } of steps) {
      if (kind === 'answer') say({ ...message, id });
      else if (kind === 'ask') await this.#ask(message, say);
      else if (message.method !== 'notifications/progress') say(addressed(message, id));
      else if (token !== undefined) say(withParams(message, { progressToken: token }));
    }
  }

  /** What the client answers does not matter: what followed is recorded. */
  async #ask(message: RpcMessage, say: Say): Promise<void> {
    const id = `replay-${++this.#questions}`;
    await new Promise<void>(resolve => {
      this.#asked.set(id, resolve);
      say({ ...message, id });
    });
    this.#asked.delete(id);
  }

  #unrecorded(method: string, params: unknown): object {
    // A host looks after its servers in ways of its own, whatever was recorded.
    if (method === 'ping') return { result: {} };
    const known = this.#replay.methods.has(method);
    const { _meta, ...given } = (params ?? {}) as Record<string, unknown>;
    const request = cutText(JSON.stringify(given), { maxChars: SHOWN_CHARS });
    const message = known
      ? `The recording ${this.#source} has no answer for ${method} ${request}: record it again with this request.`
      : `Method not found: the recording ${this.#source} has no ${method}.`;
    return { error: { code: known ? RPC_CODE.serverFailed : RPC_CODE.methodNotFound, message } };
  }
}

/** News of a subscription names the request that began it. */
function addressed(message: RpcMessage, id: unknown): object {
  const { _meta } = (message.params ?? {}) as { _meta?: Record<string, unknown> };
  if (_meta?.[META.subscriptionId] === undefined) return message;
  return withParams(message, { _meta: { ..._meta, [META.subscriptionId]: id } });
}

function withParams(message: RpcMessage, params: object): object {
  return { ...message, params: { ...(message.params as object), ...params } };
}
