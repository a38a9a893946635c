import type { JunctorError } from '../base/error.ts';
import type { Scope } from '../base/scope.ts';
import type { ResolvedServer } from '../resolve/roster.ts';
import type { Conversation, Patience } from './conversation.ts';
import type { Greeting } from './handshake.ts';
import { type RequestOptions, request } from './request.ts';

export type LinkState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'connecting'; readonly attempt: number }
  | { readonly kind: 'ready'; readonly since: Date }
  | { readonly kind: 'auth_required'; readonly lastError: JunctorError }
  | { readonly kind: 'error'; readonly lastError: JunctorError };

/** One live server: what it said about itself, and the way to talk to it. Closing it ends its process or connections. */
export class Link {
  readonly server: ResolvedServer;
  readonly greeting: Greeting;
  readonly conversation: Conversation;
  readonly requestPatience: Patience;
  readonly #toolPatience: Patience;
  readonly #perTool: ReadonlyMap<string, Patience>;
  readonly #scope: Scope;

  constructor(server: ResolvedServer, greeting: Greeting, conversation: Conversation, scope: Scope) {
    this.server = server;
    this.greeting = greeting;
    this.conversation = conversation;
    this.#scope = scope;
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

  callTool(name: string, args: unknown, options: RequestOptions): Promise<unknown> {
    return request(this.conversation, 'tools/call', { name, arguments: args }, this.patienceFor(name), options);
  }

  request(method: string, params: unknown, options?: RequestOptions): Promise<unknown> {
    return request(this.conversation, method, params, this.requestPatience, options);
  }

  close(): Promise<void> {
    return this.#scope.close();
  }
}
