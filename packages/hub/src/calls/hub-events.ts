/**
 * What happens in the hub, numbered, for whoever listens. While nobody does, nothing is collected: a call costs nothing for
 * it. The last events are kept for listeners that lost their connection. Where several hubs stand on one database, whoever
 * listens here hears of all of them; another hub that listens hears of this one only.
 */
import { randomBytes } from 'node:crypto';
import type { Host } from '@junctor/core';
import type { AgentBook, OpenHost } from '../agents/agent-book.ts';
import { describedEvent } from './described-event.ts';

export interface HubEvent {
  readonly id: string;
  readonly type: string;
  /** The event as JSON. */
  readonly data: string;
  /** It happened at another hub. */
  readonly foreign?: true;
}

/** What happens at other hubs. */
export interface Abroad {
  /** Resolves when every hub is listened to that can be. */
  begin(): Promise<void>;
  end(): void;
}

export interface Subscription {
  /** What happened since the event that was named last. */
  readonly missed: readonly HubEvent[];
  /** Some of it is not known any more. */
  readonly incomplete: boolean;
  end(): void;
}

const MAX_KEPT = 1000;

/** How long events are collected after the last listener left: it may have lost its connection only. */
const LINGER_MS = 60_000;

export class HubEvents implements Disposable {
  readonly #book: AgentBook;
  readonly #listeners = new Set<(event: HubEvent) => void>();
  /** Where we listen now, and how to stop. */
  readonly #heard = new Map<Host, () => void>();
  readonly #life = randomBytes(4).toString('hex');
  #kept: HubEvent[] = [];
  #count = 0;
  #stopBook: (() => void) | undefined;
  #leaving: NodeJS.Timeout | undefined;
  /** Those that want to hear of all hubs. */
  readonly #worldly = new Set<(event: HubEvent) => void>();
  #abroad: Abroad | undefined;
  #returning: NodeJS.Timeout | undefined;

  constructor(book: AgentBook) {
    this.#book = book;
  }

  /** Where other hubs stand on the same database. */
  extendTo(abroad: Abroad): void {
    this.#abroad = abroad;
  }

  /** Before somebody listens to all hubs: what happens from now on is heard. */
  async reachAll(): Promise<void> {
    clearTimeout(this.#returning);
    await this.#abroad?.begin();
  }

  /** Whether anybody listens, or did a moment ago. */
  get heard(): boolean {
    return this.#stopBook !== undefined;
  }

  /** `here`: only what happens at this hub. */
  subscribe(listener: (event: HubEvent) => void, after?: string, { here = false } = {}): Subscription {
    this.#begin();
    if (!here) this.#worldly.add(listener);
    const since = after === undefined ? this.#count : this.#numberOf(after);
    const incomplete = since === undefined || since < this.#count - this.#kept.length;
    const kept = since === this.#count ? [] : this.#kept.slice(incomplete ? 0 : since - this.#count);
    const missed = here ? kept.filter(({ foreign }) => !foreign) : kept;
    this.#listeners.add(listener);
    const end = (): void => {
      this.#listeners.delete(listener);
      if (this.#worldly.delete(listener) && this.#worldly.size === 0) this.#comeHome();
      if (this.#listeners.size > 0 || !this.heard) return;
      clearTimeout(this.#leaving);
      this.#leaving = setTimeout(() => this.#stop(), LINGER_MS);
      this.#leaving.unref();
    };
    return { missed, incomplete, end };
  }

  /** For what the hub itself does. */
  emit(event: { readonly type: string }, mask: (text: string) => string = text => text): void {
    if (!this.heard) return;
    this.#publish({ type: event.type, data: describedEvent(event, mask) }, this.#listeners);
  }

  /** For what happens at another hub, in its words. */
  relay(event: { readonly type: string; readonly data: string }): void {
    if (this.heard) this.#publish({ ...event, foreign: true }, this.#worldly);
  }

  [Symbol.dispose](): void {
    this.#listeners.clear();
    this.#worldly.clear();
    clearTimeout(this.#returning);
    this.#abroad?.end();
    this.#stop();
  }

  /** How many events there had been; undefined for an id of another life of the hub. */
  #numberOf(id: string): number | undefined {
    const [life, number] = id.split('-');
    return life === this.#life && /^\d+$/.test(number ?? '') ? Math.min(Number(number), this.#count) : undefined;
  }

  /** Listens to a host that is new, where anybody listens to us. */
  hear({ host, agent, project }: OpenHost): void {
    if (!this.heard || this.#heard.has(host)) return;
    const mask = (text: string): string => host.mask(text);
    const whose = { ...(agent !== undefined && { agent }), ...(project && { project: project.folder }) };
    this.#heard.set(
      host,
      host.events.listen(event => this.emit({ ...event, ...whose }, mask)),
    );
  }

  /** Lets go of a host that ends. */
  forget(host: Host): void {
    this.#heard.get(host)?.();
    this.#heard.delete(host);
  }

  #publish(event: Omit<HubEvent, 'id'>, listeners: ReadonlySet<(event: HubEvent) => void>): void {
    const numbered = { id: `${this.#life}-${++this.#count}`, ...event };
    this.#kept.push(numbered);
    if (this.#kept.length > MAX_KEPT) this.#kept = this.#kept.slice(-MAX_KEPT / 2);
    for (const listener of listeners) listener(numbered);
  }

  /** Hubs that listen to each other only because the other does would never stop. */
  #comeHome(): void {
    clearTimeout(this.#returning);
    this.#returning = setTimeout(() => this.#abroad?.end(), LINGER_MS).unref();
  }

  #begin(): void {
    clearTimeout(this.#leaving);
    if (this.heard) return;
    this.#stopBook = this.#book.onChange(agent =>
      this.emit({ type: 'config-changed', ...(agent === undefined ? {} : { agent }) }),
    );
    for (const opened of this.#book.allHosts()) this.hear(opened);
  }

  #stop(): void {
    clearTimeout(this.#leaving);
    this.#stopBook?.();
    this.#stopBook = undefined;
    for (const stop of this.#heard.values()) stop();
    this.#heard.clear();
    this.#kept = [];
  }
}
