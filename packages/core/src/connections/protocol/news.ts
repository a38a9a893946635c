/**
 * List-change subscription to a server of the 2026-07-28 era: one long request whose stream says when a list changed. A
 * stream that breaks is opened again, and every list counts as changed then. For another set of resources the next stream
 * is opened before the last one is closed, so that nothing is missed between them.
 */

import { RPC_CODE } from '../../base/rpc-code.ts';
import { monotonicMs } from '../../base/time/monotonic.ts';
import type { Conversation } from '../rpc/conversation.ts';
import { cancelled } from '../rpc/failures.ts';

export interface NewsOptions {
  readonly conversation: Conversation;
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  /** Told once the server is listened to again after a gap: the methods of the notifications that may have been missed. */
  readonly onGap: (methods: readonly string[]) => void;
}

interface Stream {
  /** Resolves when it ends. */
  readonly over: Promise<'unknown method' | 'closed here' | 'broken'>;
  close(): void;
}

const LISTEN = 'subscriptions/listen';
/** A listening request has no answer to wait for. */
const FOR_EVER = { idleMs: 2 ** 31 - 1, totalMs: Number.MAX_SAFE_INTEGER };
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 60_000;
/** A stream that was open for so long has not failed: the pauses start from the shortest again. */
const LASTING_MS = 10_000;
/** A server acknowledges a stream. One that does not within this time is taken to listen all the same. */
const ACKNOWLEDGED_WITHIN_MS = 5000;

const LISTS = {
  tools: ['toolsListChanged', 'notifications/tools/list_changed'],
  prompts: ['promptsListChanged', 'notifications/prompts/list_changed'],
  resources: ['resourcesListChanged', 'notifications/resources/list_changed'],
} as const;

export class News {
  readonly #options: NewsOptions;
  readonly #resources = new Set<string>();
  #current: Stream | undefined;
  #following = false;
  /** The set changed, and what follows from it is about to happen: several changes at once are one. */
  #changing = false;
  #wakeUp: (() => void) | undefined;

  constructor(options: NewsOptions) {
    this.#options = options;
    options.signal.addEventListener('abort', () => this.stop());
    if (this.#lists.length > 0) void this.#follow();
  }

  /** Also tells of changes of this resource. */
  subscribe(uri: string): void {
    this.#resources.add(uri);
    this.#changed();
  }

  unsubscribe(uri: string): void {
    if (this.#resources.delete(uri)) this.#changed();
  }

  /** Lets go of what is held open. It is opened again only where the connection still takes requests. */
  stop(): void {
    this.#current?.close();
    this.#wakeUp?.();
  }

  /** The lists the server promises to tell about. */
  get #lists(): (keyof typeof LISTS)[] {
    return (Object.keys(LISTS) as (keyof typeof LISTS)[]).filter(
      list => (this.#options.capabilities[list] as { listChanged?: unknown } | undefined)?.listChanged === true,
    );
  }

  get #filter(): object {
    const lists = this.#lists.map(list => [LISTS[list][0], true] as const);
    const resourceSubscriptions = this.#resources.size > 0 ? { resourceSubscriptions: [...this.#resources] } : {};
    return { ...Object.fromEntries(lists), ...resourceSubscriptions };
  }

  get #isOver(): boolean {
    const { conversation, signal } = this.#options;
    return signal.aborted || conversation.ended !== undefined;
  }

  async #follow(): Promise<void> {
    this.#following = true;
    let waitMs = FIRST_WAIT_MS;
    let openedAt = monotonicMs();
    let hasGap = false;
    while (!this.#isOver) {
      this.#current ??= this.#open({ hasGap });
      const stream = this.#current;
      const ended = await stream.over;
      // Another set replaced it: that is no break.
      if (this.#current !== stream) continue;
      this.#current = undefined;
      if (ended === 'unknown method') break;
      hasGap = true;
      if (ended === 'closed here') continue;
      if (monotonicMs() - openedAt > LASTING_MS) waitMs = FIRST_WAIT_MS;
      await this.#pause(waitMs);
      waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
      openedAt = monotonicMs();
    }
    this.#following = false;
  }

  /** Opens a stream for the set as it is now. `replaces` is closed once the server listens to the new one. */
  #open({ hasGap = false, replaces }: { readonly hasGap?: boolean; readonly replaces?: Stream | undefined }): Stream {
    const { conversation, onGap } = this.#options;
    const { promise: over, resolve } = Promise.withResolvers<Awaited<Stream['over']>>();
    let isListening = false;
    let last = replaces;
    const closeLast = (): void => {
      last?.close();
      last = undefined;
    };
    const listening = (): void => {
      if (isListening) return;
      isListening = true;
      clearTimeout(late);
      closeLast();
      if (hasGap && !this.#isOver) onGap(this.#lists.map(list => LISTS[list][1]));
    };
    const ended = (how: Awaited<Stream['over']>): void => {
      clearTimeout(late);
      closeLast();
      resolve(how);
    };
    const late = setTimeout(listening, ACKNOWLEDGED_WITHIN_MS).unref();
    let isOurs = false;
    const id = conversation.ask(LISTEN, { notifications: this.#filter }, FOR_EVER, {
      onAcknowledged: listening,
      // A server that does not know the method has nothing to tell; any other error may pass.
      onMessage: ({ error }) => ended(error?.code === RPC_CODE.methodNotFound ? 'unknown method' : 'broken'),
      onFailure: () => ended(isOurs ? 'closed here' : 'broken'),
    });
    const close = (): void => {
      isOurs = true;
      closeLast();
      conversation.cancel(id, cancelled(conversation.server, LISTEN, undefined));
    };
    return { over, close };
  }

  #changed(): void {
    if (this.#changing) return;
    this.#changing = true;
    setImmediate(() => {
      this.#changing = false;
      if (this.#isOver) return;
      if (this.#current) this.#current = this.#open({ replaces: this.#current });
      else if (this.#following) this.#wakeUp?.();
      else void this.#follow();
    });
  }

  #pause(ms: number): Promise<void> {
    return new Promise(resolve => {
      // A subscription must not keep a program from ending.
      const timer = setTimeout(resolve, ms).unref();
      this.#wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
