import type { JunctorError } from '../base/error.ts';
import type { Scope } from '../base/scope.ts';
import type { ResolvedServer } from '../resolve/roster.ts';
import type { Conversation, Patience, RequestOptions } from './conversation.ts';
import type { Greeting } from './handshake.ts';

export type LinkState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'connecting' }
  | { readonly kind: 'ready'; readonly since: Date }
  | { readonly kind: 'auth_required'; readonly lastError: JunctorError }
  | { readonly kind: 'error'; readonly lastError: JunctorError };

/** One live server: what it said about itself, and the way to talk to it. Closing it ends its process or connections. */
export class Link {
  readonly server: ResolvedServer;
  readonly greeting: Greeting;
  readonly conversation: Conversation;
  readonly toolPatience: Patience;
  readonly requestPatience: Patience;
  readonly #scope: Scope;

  constructor(server: ResolvedServer, greeting: Greeting, conversation: Conversation, scope: Scope) {
    this.server = server;
    this.greeting = greeting;
    this.conversation = conversation;
    this.#scope = scope;
    const { requestMs, toolIdleMs, toolTotalMs } = server.timeouts;
    this.toolPatience = { idleMs: toolIdleMs, totalMs: toolTotalMs };
    this.requestPatience = { idleMs: requestMs, totalMs: requestMs };
  }

  callTool(name: string, args: unknown, options: RequestOptions): Promise<unknown> {
    return this.conversation.request('tools/call', { name, arguments: args }, this.toolPatience, options);
  }

  request(method: string, params: unknown, options?: RequestOptions): Promise<unknown> {
    return this.conversation.request(method, params, this.requestPatience, options);
  }

  close(): Promise<void> {
    return this.#scope.close();
  }
}
