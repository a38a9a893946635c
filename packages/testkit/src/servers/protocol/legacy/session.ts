/** The legacy era, 2024-11-05 to 2025-11-25: one client that shook hands, and stays. */
import { Calls } from '../../calls.ts';
import type { Notice } from '../../notices.ts';
import { CODE, errorObject, type Message, type Params, RpcError, record, type Say } from '../../rpc.ts';
import type { SharedState } from '../../shared-state.ts';
import type { Task } from '../../tasks/task.ts';
import type { TestTool } from '../../tools/tool.ts';
import { keepSandboxState, SANDBOX_UPDATE } from '../identity.ts';
import { isLogLevel, isWanted, LOG_LEVELS } from '../log-level.ts';
import { answerOffered, toolNamed } from '../offered.ts';
import type { RequestContext } from '../request-context.ts';
import { agreedVersion, greeting, isNewest } from './greeting.ts';
import { Outgoing } from './outgoing.ts';
import { checkTaskSupport, relatedQuestions, SessionTasks, taskOnTheWire } from './tasks.ts';

/** Where the answer to one message goes. */
export interface Reply {
  readonly say: Say;
  closeStream?(): void;
}

export class LegacySession {
  readonly #shared: SharedState;
  /** Says what belongs to no request. */
  readonly #announce: Say;
  readonly #calls: Calls;
  readonly #outgoing = new Outgoing();
  readonly #tasks: SessionTasks;
  readonly #subscriptions = new Set<string>();
  readonly #gone = new AbortController();
  #stopListening: () => void = () => {};
  #version = '';
  #capabilities: Params = {};
  #logLevel = LOG_LEVELS[0] as string;

  constructor(shared: SharedState, announce: Say, calls: Calls = new Calls()) {
    this.#shared = shared;
    this.#announce = announce;
    this.#calls = calls;
    this.#tasks = new SessionTasks(shared.tasks);
  }

  get version(): string {
    return this.#version;
  }

  /** Handles one message; resolves when everything that belongs to it was said. */
  async receive(message: Message, reply: Reply): Promise<void> {
    const { id, method, params = {} } = message;
    if (method === undefined) return this.#outgoing.settle(message);
    if (id === undefined) return this.#notified(method, params);
    const call = this.#calls.begin(id, method);
    try {
      const result = await this.#answer(method, params, this.#context(params, reply, call.signal));
      // A cancelled call gets no answer.
      if (!call.signal.aborted) reply.say({ jsonrpc: '2.0', id, result });
    } catch (error) {
      if (!call.signal.aborted) reply.say({ jsonrpc: '2.0', id, error: errorObject(error) });
    } finally {
      call.done();
    }
  }

  /** The client is gone: what runs for it stops. */
  end(): void {
    this.#stopListening();
    this.#gone.abort();
    this.#calls.end();
    this.#tasks.end();
  }

  #notified(method: string, params: Params): void {
    if (method === 'notifications/cancelled') this.#calls.cancel(params.requestId);
    if (method === SANDBOX_UPDATE && this.#shared.options.sandboxState) keepSandboxState(params, this.#shared);
  }

  async #answer(method: string, params: Params, context: RequestContext): Promise<object> {
    switch (method) {
      case 'initialize':
        return this.#greet(params, context.signal);
      case 'ping':
        return {};
      case 'logging/setLevel':
        if (!isLogLevel(params.level)) throw new RpcError(CODE.invalidParams, `Unknown level: ${params.level}`);
        this.#logLevel = params.level;
        return {};
      case 'resources/subscribe':
        this.#subscriptions.add(String(params.uri));
        return {};
      case 'resources/unsubscribe':
        this.#subscriptions.delete(String(params.uri));
        return {};
      case SANDBOX_UPDATE:
        return keepSandboxState(params, this.#shared);
      case 'tools/call':
        checkTaskSupport(toolNamed(params, this.#shared), params);
    }
    const offered = await answerOffered(method, params, { context, showTool: tool => this.#show(tool) });
    return offered ?? this.#tasks.answer(method, params);
  }

  #greet(params: Params, signal: AbortSignal): Promise<object> {
    this.#version = agreedVersion(params.protocolVersion);
    this.#capabilities = record(params.capabilities);
    this.#stopListening();
    this.#stopListening = this.#shared.notices.listen(notice => this.#tell(notice));
    return greeting(this.#version, this.#shared, signal);
  }

  #show({ definition, taskSupport }: TestTool): object {
    return taskSupport && isNewest(this.#version) ? { ...definition, execution: { taskSupport } } : definition;
  }

  #tell(notice: Notice): void {
    const announce = (method: string, params?: object): void => this.#announce({ jsonrpc: '2.0', method, params });
    if (notice.kind === 'list') announce(`notifications/${notice.list}/list_changed`);
    else if (notice.kind === 'resource') {
      if (this.#subscriptions.has(notice.uri)) announce('notifications/resources/updated', { uri: notice.uri });
    } else if (this.#tasks.owns(notice.task)) {
      announce('notifications/tasks/status', taskOnTheWire(notice.task));
      if (notice.task.status === 'input_required') void this.#askFor(notice.task);
    }
  }

  /** A task may ask long after the call that started it was answered: only the session is left to ask over. */
  async #askFor(task: Task): Promise<void> {
    const way = { say: this.#announce, signal: this.#gone.signal, capabilities: this.#capabilities };
    await this.#outgoing.ask(relatedQuestions(task), way).then(
      answers => task.answer(answers),
      () => task.cancel(),
    );
  }

  #context(params: Params, { say, closeStream }: Reply, signal: AbortSignal): RequestContext {
    const { progressToken } = record(params._meta);
    const notify = (method: string, params: object): void => say({ jsonrpc: '2.0', method, params });
    const ask: RequestContext['ask'] = questions =>
      this.#outgoing.ask(questions, { say, signal, capabilities: this.#capabilities });
    return {
      signal,
      shared: this.#shared,
      counts: this.#calls.counts,
      capabilities: this.#capabilities,
      resumed: true,
      answered: [],
      ask,
      progress: (progress, total, message) => {
        if (progressToken === undefined) return;
        notify('notifications/progress', { progressToken, progress, total, message });
      },
      log: (level, data) => {
        if (isWanted(level, this.#logLevel))
          notify('notifications/message', { level, logger: this.#shared.info.name, data });
      },
      inTask: async work =>
        params.task === undefined ? work({ signal, ask }) : this.#tasks.start(work, record(params.task)),
      closeStream: () => closeStream?.(),
    };
  }
}
