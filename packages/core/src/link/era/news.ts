/**
 * News of a server of the 2026-07-28 era: one long request whose stream tells when a list changed. Where it breaks it is
 * opened again; what was missed meanwhile is unknown, so every list counts as changed.
 */

import { isJunctorError } from '../../base/error.ts';
import { monotonicMs } from '../../base/monotonic.ts';
import type { Conversation } from '../conversation.ts';
import { request } from '../request.ts';

export interface NewsOptions {
  readonly conversation: Conversation;
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  /** Told after a gap: the methods of the notices that may have been missed. */
  readonly onGap: (methods: readonly string[]) => void;
}

/** A listening request has no answer to wait for. */
const FOR_EVER = { idleMs: 2 ** 31 - 1, totalMs: Number.MAX_SAFE_INTEGER };
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 60_000;

const LISTS = {
  tools: ['toolsListChanged', 'notifications/tools/list_changed'],
  prompts: ['promptsListChanged', 'notifications/prompts/list_changed'],
  resources: ['resourcesListChanged', 'notifications/resources/list_changed'],
} as const;

export class News {
  readonly #options: NewsOptions;
  readonly #resources = new Set<string>();
  #wakeUp: (() => void) | undefined;
  #current: AbortController | undefined;

  constructor(options: NewsOptions) {
    this.#options = options;
    options.signal.addEventListener('abort', () => this.stop());
    if (this.#wanted.length > 0) void this.#follow();
  }

  /** Also tells of changes of this resource. */
  subscribe(uri: string): void {
    this.#resources.add(uri);
    this.#again();
  }

  unsubscribe(uri: string): void {
    if (this.#resources.delete(uri)) this.#again();
  }

  /** The lists the server promises to tell about. */
  get #wanted(): (keyof typeof LISTS)[] {
    return (Object.keys(LISTS) as (keyof typeof LISTS)[]).filter(
      list => (this.#options.capabilities[list] as { listChanged?: unknown } | undefined)?.listChanged === true,
    );
  }

  get #filter(): object {
    const lists = this.#wanted.map(list => [LISTS[list][0], true] as const);
    const resourceSubscriptions = this.#resources.size > 0 ? { resourceSubscriptions: [...this.#resources] } : {};
    return { ...Object.fromEntries(lists), ...resourceSubscriptions };
  }

  async #follow(): Promise<void> {
    const { conversation, signal, onGap } = this.#options;
    for (let waitMs = FIRST_WAIT_MS; !signal.aborted && !conversation.ended; ) {
      this.#current = new AbortController();
      const openedAt = monotonicMs();
      const ended = await request(conversation, 'subscriptions/listen', { notifications: this.#filter }, FOR_EVER, {
        signal: this.#current.signal,
      }).catch((error: unknown) => error);
      // A server that does not know the method has no news for us.
      if (isJunctorError(ended, 'server_error') || signal.aborted || conversation.ended) return;
      const wanted = isJunctorError(ended, 'cancelled'); // we asked for another set ourselves
      waitMs = monotonicMs() - openedAt > LONGEST_WAIT_MS ? FIRST_WAIT_MS : Math.min(waitMs * 2, LONGEST_WAIT_MS);
      if (!wanted) await this.#pause(waitMs);
      if (!wanted && !signal.aborted) onGap(this.#wanted.map(list => LISTS[list][1]));
    }
  }

  #again(): void {
    if (this.#current) this.#current.abort();
    else void this.#follow();
  }

  /** Lets go of what is held open. It is opened again only where the connection still takes requests. */
  stop(): void {
    this.#current?.abort();
    this.#wakeUp?.();
  }

  #pause(ms: number): Promise<void> {
    return new Promise(resolve => {
      // News must not keep a program from ending.
      const timer = setTimeout(resolve, ms).unref();
      this.#wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
