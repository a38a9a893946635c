import type { JunctorError } from '../base/error.ts';
import type { Scope } from '../base/scope.ts';
import { monotonicMs } from '../base/time/monotonic.ts';
import { type HeaderArgument, headerArguments } from '../catalogue/header-arguments.ts';
import type { ResolvedServer } from '../resolve/roster.ts';
import type { Answers } from './client-features/answers.ts';
import { InputRounds, type InputsAsked, isInputRequired, withInputs } from './client-features/inputs.ts';
import type { Greeting } from './protocol/handshake.ts';
import { News } from './protocol/news.ts';
import { hasTasks, isTaskResult, type TaskSupport, takesTasks, taskSupportOf } from './protocol/task.ts';
import { callAsTask, followTask, type TaskRoom } from './protocol/tasks.ts';
import { type Conversation, type Patience, within } from './rpc/conversation.ts';
import { type BoundedRequest, type RequestOptions, request } from './rpc/request.ts';

/** How one server is: `kind` tells which, and with that what else is known. */
export type LinkState =
  /** This run does not have the server: it is switched off, left out or unknown. */
  | { readonly kind: 'disabled' }
  | { readonly kind: 'idle' }
  /** `lastError`: why the attempt before this one failed. */
  | { readonly kind: 'connecting'; readonly attempt: number; readonly lastError?: JunctorError }
  | { readonly kind: 'ready'; readonly since: Date }
  | { readonly kind: 'auth_required'; readonly lastError: JunctorError }
  | { readonly kind: 'error'; readonly lastError: JunctorError };

export interface CallToolOptions extends RequestOptions {
  /** Asks the server to run the call as a task, where it may be either. */
  readonly asTask?: boolean | undefined;
}

/** One live server: what it said about itself, and the way to talk to it. Closing it ends its process or connections. */
export class Link {
  readonly server: ResolvedServer;
  readonly greeting: Greeting;
  readonly conversation: Conversation;
  readonly requestPatience: Patience;
  readonly #toolPatience: Patience;
  readonly #perTool: ReadonlyMap<string, Patience>;
  readonly #scope: Scope;
  readonly #answers: Answers;
  /** Only where a server has tools that want arguments repeated as headers. */
  readonly #headerArguments = new Map<string, readonly HeaderArgument[]>();
  /** Whether calls may run as tasks here, in the way of the server's era. */
  readonly hasTasks: boolean;
  readonly #takesTasks: boolean;
  /** Only where a server takes tasks: how each of its tools may run. */
  readonly #taskSupport = new Map<string, TaskSupport>();
  #news: News | undefined;

  constructor(
    server: ResolvedServer,
    greeting: Greeting,
    conversation: Conversation,
    { scope, answers }: { scope: Scope; answers: Answers },
  ) {
    this.server = server;
    this.greeting = greeting;
    this.conversation = conversation;
    this.#scope = scope;
    this.#answers = answers;
    this.hasTasks = hasTasks(greeting);
    this.#takesTasks = takesTasks(greeting);
    const { requestMs, toolIdleMs, toolTotalMs, perToolMs, idleIsWritten, keys } = server.timeouts;
    this.#toolPatience = {
      idleMs: toolIdleMs,
      totalMs: toolTotalMs,
      keys,
    };
    this.#perTool = new Map(
      Object.entries(perToolMs).map(([tool, totalMs]) => {
        const total = `tool_timeouts_ms.${tool}`;
        const idleMs = idleIsWritten ? Math.min(toolIdleMs, totalMs) : totalMs;
        return [tool, { idleMs, totalMs, keys: { idle: keys.idle, total } }];
      }),
    );
    const own = 'request_timeout_ms';
    this.requestPatience = { idleMs: requestMs, totalMs: requestMs, keys: { idle: own, total: own } };
  }

  /** How long a call of this tool is waited for. */
  patienceFor(tool: string): Patience {
    return this.#perTool.get(tool) ?? this.#toolPatience;
  }

  callTool(name: string, args: unknown, options: CallToolOptions): Promise<unknown> {
    const params = { name, arguments: args };
    if (this.#takesTasks && (options.asTask || this.#taskSupport.get(name) === 'required')) {
      return callAsTask(this.#taskRoom(name), params, options);
    }
    const patience = this.patienceFor(name);
    if (this.greeting.era === 'legacy') return request(this.conversation, 'tools/call', params, patience, options);
    return this.#ask('tools/call', params, patience, options).then(result =>
      isTaskResult(result, 'modern') ? followTask(this.#taskRoom(name), result, options) : result,
    );
  }

  /** Whether this tool may run as a task and in no other way, which only the server's list tells. */
  mustList(tool: string): boolean {
    return this.#takesTasks && !this.#taskSupport.has(tool);
  }

  /** Whether a call of this tool has to ask for a task, or may. In the 2026-07-28 era nobody asks. */
  taskSupport(tool: string): TaskSupport {
    return this.#taskSupport.get(tool);
  }

  request(method: string, params: object, options: BoundedRequest = {}): Promise<unknown> {
    return this.#ask(method, params, this.requestPatience, options);
  }

  /**
   * Looks at a tool the server lists: what has to be known to call it is kept. Returns why it cannot be used over this
   * connection, where that is so.
   */
  admit(tool: { readonly name: string; readonly inputSchema: unknown }): string | undefined {
    if (this.#takesTasks) this.#taskSupport.set(tool.name, taskSupportOf(tool));
    if (this.greeting.era === 'legacy' || this.server.endpoint.transport !== 'http') return undefined;
    const found = headerArguments(tool.inputSchema);
    if (!found.ok) return found.because;
    if (found.declared.length > 0) this.#headerArguments.set(tool.name, found.declared);
    else this.#headerArguments.delete(tool.name);
    return undefined;
  }

  /** Asks to be told when this resource changes. */
  async subscribe(uri: string): Promise<void> {
    if (this.greeting.era === 'modern') this.#news?.subscribe(uri);
    else await this.request('resources/subscribe', { uri });
  }

  async unsubscribe(uri: string): Promise<void> {
    if (this.greeting.era === 'modern') this.#news?.unsubscribe(uri);
    else await this.request('resources/unsubscribe', { uri });
  }

  /** The arguments of a tool that are repeated as headers, where the server has such tools. */
  headerArguments(tool: string): readonly HeaderArgument[] {
    return this.#headerArguments.get(tool) ?? [];
  }

  /** Asks the server to tell when a list changes, in the way of the 2026-07-28 era. */
  listen(onGap: (methods: readonly string[]) => void): void {
    const { capabilities } = this.greeting;
    this.#news = new News({ conversation: this.conversation, capabilities, signal: this.#scope.signal, onGap });
  }

  /** It is not used for anything new: nobody waits for news over it any more, only for the answers that are still out. */
  retire(): void {
    this.#news?.stop();
  }

  #ask(method: string, params: object, patience: Patience, options: BoundedRequest): Promise<unknown> {
    if (this.greeting.era === 'legacy') return request(this.conversation, method, params, patience, options);
    const since = monotonicMs();
    return request(this.conversation, method, params, patience, options).then(first => {
      if (!isInputRequired(first)) return first;
      // People answer within the time of a call, also where what they are asked for is no call.
      const totalMs = method === 'tools/call' ? patience.totalMs : this.#toolPatience.totalMs;
      const rounds = new InputRounds(this.#asked, { spentMs: monotonicMs() - since, totalMs });
      const signal = AbortSignal.any([this.#scope.signal, ...(options.signal ? [options.signal] : [])]);
      const send = (given: object): Promise<unknown> =>
        request(this.conversation, method, given, within(patience, rounds.remainingMs), options);
      return withInputs(first, params, { rounds, signal, send }).catch(error => {
        // The server ended while it was answered: nobody has cancelled the request.
        const ended = this.#scope.signal.aborted && !options.signal?.aborted ? this.conversation.ended : undefined;
        throw ended ?? error;
      });
    });
  }

  get #asked(): InputsAsked {
    const server = this.server.id;
    return { server, ask: (method, params, signal) => this.#answers.answer(method, params, { server, signal }) };
  }

  #taskRoom(tool: string): TaskRoom {
    return {
      server: this.server.id,
      greeting: this.greeting,
      asked: this.#asked,
      patience: this.patienceFor(tool),
      ended: this.#scope.signal,
      request: (method, params, options, patience = this.requestPatience) =>
        this.#ask(method, params, patience, options),
    };
  }

  close(): Promise<void> {
    return this.#scope.close();
  }
}
