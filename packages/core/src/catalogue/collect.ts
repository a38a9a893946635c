/** Gathers all pages of one list of a server. It receives pages; whoever calls it does the talking. */
import { JunctorError } from '../base/error.ts';
import type { ListKind } from './list-kind.ts';

export type Page = Readonly<Record<string, unknown>>;

/** An item that could not be used, and why. */
export interface Skipped {
  /** What the server calls it, as far as it says. */
  readonly name: string;
  /** As a part of a sentence. */
  readonly because: string;
}

export interface Collected<Item> {
  readonly items: readonly Item[];
  readonly skipped: readonly Skipped[];
  /** How long the server says that it counts. */
  readonly ttlMs?: number;
}

/** Far more than any honest server needs; a server that never ends its list must not keep us for ever. */
const MAX_PAGES = 1000;

export async function collect<Item>(
  server: string,
  kind: ListKind<Item>,
  fetchPage: (cursor?: string) => Promise<Page>,
  refuse?: (item: Item) => string | undefined,
): Promise<Collected<Item>> {
  const sieve = new Sieve(kind, refuse);
  const cursors = new Set<string>();
  let cursor: string | undefined;
  let ttlMs = Number.POSITIVE_INFINITY;
  do {
    const page = await fetchPage(cursor);
    const items = page?.[kind.key];
    if (!Array.isArray(items)) {
      throw new JunctorError('malformed_response', `Server '${server}' answered ${kind.method} without a list.`, {
        server,
        why: `its answer has no list '${kind.key}'`,
        hint: 'report it to the author of the server',
        command: `junctor doctor ${server}`,
      });
    }
    for (const item of items) sieve.add(item);
    ttlMs = Math.min(ttlMs, lifeOf(page));
    cursor = typeof page.nextCursor === 'string' && page.nextCursor !== '' ? page.nextCursor : undefined;
    if (cursor !== undefined && (cursors.has(cursor) || cursors.size >= MAX_PAGES)) {
      throw new JunctorError('malformed_response', `Server '${server}' never ends its list of ${kind.noun}s.`, {
        server,
        why: cursors.has(cursor) ? 'it gave the same cursor twice' : `it gave more than ${MAX_PAGES} pages`,
        hint: 'report it to the author of the server',
        command: `junctor doctor ${server}`,
      });
    }
    if (cursor !== undefined) cursors.add(cursor);
  } while (cursor !== undefined);
  return Number.isFinite(ttlMs) ? { ...sieve.collected(), ttlMs } : sieve.collected();
}

/**
 * 0 says nothing: every server of 2026-07-28 has to name a time, and most name this one, though they announce changes. Whether
 * others may see the list (`cacheScope`) is no question here: it is kept for this person alone.
 */
function lifeOf({ ttlMs }: Page): number {
  return typeof ttlMs === 'number' && ttlMs > 0 ? ttlMs : Number.POSITIVE_INFINITY;
}

/** The usable ones of these items, whatever they are. */
export function sift<Item>(kind: ListKind<Item>, items: readonly unknown[]): Collected<Item> {
  const sieve = new Sieve(kind);
  for (const item of items) sieve.add(item);
  return sieve.collected();
}

class Sieve<Item> {
  readonly #kind: ListKind<Item>;
  readonly #refuse: ((item: Item) => string | undefined) | undefined;
  readonly #items = new Map<string, Item>();
  readonly #skipped: Skipped[] = [];

  constructor(kind: ListKind<Item>, refuse?: (item: Item) => string | undefined) {
    this.#kind = kind;
    this.#refuse = refuse;
  }

  add(item: unknown): void {
    const id = (item as Record<string, unknown> | null | undefined)?.[this.#kind.identity];
    const because = this.#whyUnusable(item, id) ?? this.#refuse?.(item as Item);
    if (because !== undefined) this.#skipped.push({ name: typeof id === 'string' ? id : '(unnamed)', because });
    else this.#items.set(id as string, this.#kind.complete?.(item as Item) ?? (item as Item));
  }

  collected(): Collected<Item> {
    const items = [...this.#items];
    if (this.#kind.sorted) items.sort(([a], [b]) => (a < b ? -1 : 1));
    return { items: items.map(([, item]) => item), skipped: this.#skipped };
  }

  #whyUnusable(item: unknown, id: unknown): string | undefined {
    const { identity, noun } = this.#kind;
    if (typeof item !== 'object' || item === null) return 'it is not an object';
    if (typeof id !== 'string' || id === '') return `it has no ${identity}`;
    if (this.#items.has(id)) return `another ${noun} of this server has the same ${identity}`;
    return undefined;
  }
}
