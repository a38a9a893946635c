import type { JunctorError } from '../base/error.ts';
import type { Scope } from '../base/scope.ts';
import { type HeaderArgument, headerArguments } from '../catalogue/header-arguments.ts';
import type { ResolvedServer } from '../resolve/roster.ts';
import type { Conversation, Patience } from './conversation.ts';
import { News } from './era/news.ts';
import type { Greeting } from './handshake.ts';
import type { Answers } from './inbound/answers.ts';
import { isInputRequired, withInputs } from './inputs.ts';
import { type RequestOptions, request } from './request.ts';
import { isTaskResult, runsAsTask, takesTasks } from './task.ts';
import { callAsTask, followTask, type TaskRoom } from './tasks.ts';

/** How one server is: `kind` tells which, and with that what else is known. */
export type LinkState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'connecting'; readonly attempt: number }
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
  readonly #takesTasks: boolean;
  /** Only where a server takes tasks: whether each of its tools runs as one and in no other way. */
  readonly #onlyAsTask = new Map<string, boolean>();
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
    this.#takesTasks = takesTasks(greeting);
    const { requestMs, toolIdleMs, toolTotalMs, perToolMs } = server.timeouts;
    this.#toolPatience = { idleMs: toolIdleMs, totalMs: toolTotalMs };
    this.#perTool = new Map(
      Object.entries(perToolMs).map(([tool, totalMs]) => [tool, { idleMs: Math.min(toolIdleMs, totalMs), totalMs }]),
    );
    this.requestPatience = { idleMs: requestMs, totalMs: requestMs };
  }

  /** How long a call of this tool is waited for. */
  patienceFor(tool: string): Patience {
    return this.#perTool.get(tool) ?? this.#toolPatience;
  }

  callTool(name: string, args: unknown, options: CallToolOptions): Promise<unknown> {
    const params = { name, arguments: args };
    if (this.#takesTasks && (options.asTask || this.#onlyAsTask.get(name))) {
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
    return this.#takesTasks && !this.#onlyAsTask.has(tool);
  }

  request(method: string, params: object, options: RequestOptions = {}): Promise<unknown> {
    return this.#ask(method, params, this.requestPatience, options);
  }

  /**
   * Looks at a tool the server lists: what has to be known to call it is kept. Returns why it cannot be used over this
   * connection, where that is so.
   */
  admit(tool: { readonly name: string; readonly inputSchema: unknown }): string | undefined {
    if (this.#takesTasks) this.#onlyAsTask.set(tool.name, runsAsTask(tool, this.greeting));
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

  #ask(method: string, params: object, patience: Patience, options: RequestOptions): Promise<unknown> {
    if (this.greeting.era === 'legacy') return request(this.conversation, method, params, patience, options);
    const send = (given: object): Promise<unknown> => request(this.conversation, method, given, patience, options);
    return send(params).then(result => {
      if (!isInputRequired(result)) return result;
      const asker = { server: this.server.id, signal: options.signal ?? this.#scope.signal };
      return withInputs(result, params, { send, answers: this.#answers, asker });
    });
  }

  #taskRoom(tool: string): TaskRoom {
    return {
      server: this.server.id,
      greeting: this.greeting,
      answers: this.#answers,
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
