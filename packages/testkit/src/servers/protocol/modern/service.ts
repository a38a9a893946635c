/** The modern era, 2026-07-28: no handshake, no session; every request stands for itself. */
import type { Calls } from '../../calls.ts';
import {
  CODE,
  errorObject,
  type Message,
  methodNotFound,
  type Params,
  type RequestId,
  RpcError,
  type Say,
} from '../../rpc.ts';
import type { SharedState } from '../../shared-state.ts';
import { keepSandboxState, SANDBOX_UPDATE } from '../identity.ts';
import { answerOffered, toolNamed } from '../offered.ts';
import { modernContext } from './context.ts';
import { discover } from './discover.ts';
import { openEnvelope } from './envelope.ts';
import { listen } from './listen.ts';
import { InputRequired } from './rounds.ts';
import { stamped } from './stamp.ts';
import { answerModernTasks, requireTasks } from './tasks.ts';

interface Request {
  readonly id: RequestId;
  readonly method: string;
  readonly params: Params;
}

export class ModernService {
  readonly #shared: SharedState;
  readonly #calls: Calls;

  constructor(shared: SharedState, calls: Calls) {
    this.#shared = shared;
    this.#calls = calls;
  }

  /** Handles one message; resolves when everything that belongs to it was said. */
  async receive(message: Message, say: Say, key?: symbol): Promise<void> {
    const { id, method, params = {} } = message;
    if (method === undefined) return;
    if (id === undefined) return this.#notified(method, params);
    const call = this.#calls.begin(key ?? id, method);
    const answer = (answer: object, status?: number): void => {
      // A cancelled call gets no answer.
      if (!call.signal.aborted) say({ jsonrpc: '2.0', id, ...answer }, status);
    };
    try {
      const result = await this.#answer({ id, method, params }, say, call.signal);
      answer({ result: stamped(method, result, this.#shared) });
    } catch (error) {
      if (error instanceof InputRequired) answer({ result: stamped(method, error.result, this.#shared) });
      else answer({ error: errorObject(renamed(error)) }, error instanceof RpcError ? error.details.status : undefined);
    } finally {
      call.done();
    }
  }

  #notified(method: string, params: Params): void {
    if (method === 'notifications/cancelled') this.#calls.cancel(params.requestId);
    if (method === SANDBOX_UPDATE && this.#shared.options.sandboxState) keepSandboxState(params, this.#shared);
  }

  async #answer({ id, method, params }: Request, say: Say, signal: AbortSignal): Promise<object> {
    const shared = this.#shared;
    const envelope = openEnvelope(params);
    const { capabilities } = envelope;
    switch (method) {
      case 'server/discover':
        return discover(shared, signal);
      case 'subscriptions/listen':
        return listen({ id, params, capabilities, shared, say, signal });
      case SANDBOX_UPDATE:
        return keepSandboxState(params, shared);
      case 'tools/call':
        if (toolNamed(params, shared).taskSupport === 'required') requireTasks(capabilities);
    }
    const { counts } = this.#calls;
    const context = modernContext({ method, params, envelope, shared, counts, say, signal });
    const offered = await answerOffered(method, params, { context, showTool: tool => tool.definition });
    const answer = offered ?? answerModernTasks(method, params, { tasks: shared.tasks, capabilities });
    if (!answer) throw methodNotFound(method);
    return answer;
  }
}

/** What an older version had a code of its own for. */
function renamed(error: unknown): unknown {
  if (!(error instanceof RpcError) || error.code !== CODE.resourceNotFound) return error;
  return new RpcError(CODE.invalidParams, error.message, error.details);
}
