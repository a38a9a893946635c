/**
 * Collects all pages of one list of a server: skips and counts bad entries, repairs fields, and stays within bounds of
 * pages, items, bytes and time. It does not keep lists (server-lists.ts does), and a connection is handed in.
 */
import { isJunctorError, JunctorError } from '../../base/error.ts';
import { RPC_CODE } from '../../base/rpc-code.ts';
import { monotonicMs } from '../../base/time/monotonic.ts';
import type { ListKind } from './list-kind.ts';
import { repairFields } from './repair.ts';

/** What is needed of a connection to read lists over it. */
export interface ListSource {
  readonly server: { readonly id: string };
  readonly greeting: { readonly capabilities: Readonly<Record<string, unknown>> };
  request(method: string, params: object, options: PageOptions): Promise<unknown>;
}

/** How large an answer may be, and how large it was. */
export interface PageOptions {
  readonly maxBytes: number;
  readonly onSize: (bytes: number) => void;
}

/** An item that is not used as it was listed, and why. */
export interface Skipped {
  /** What the server calls it, as far as it says. */
  readonly name: string;
  /** As a part of a sentence. */
  readonly because: string;
}

export interface Collected<Item> {
  readonly items: readonly Item[];
  readonly skipped: readonly Skipped[];
  /** Items that are used without some of their fields. Left out where there are none. */
  readonly repaired?: readonly Skipped[] | undefined;
  /** How many requests it took. */
  readonly pages: number;
  /** How long the server says that it counts. */
  readonly ttlMs?: number;
}

/** Far more than any honest server needs; a server that never ends its list must not keep us for ever. */
const MAX_PAGES = 1000;
/** More items are not read: a hostile list must not fill the memory that all servers share. */
const MAX_ITEMS = 10_000;
/** The same for items that are large. An item takes a multiple of its bytes once it is parsed. */
const MAX_BYTES = 32 * 1024 * 1024;
/** A page of nothing but empty objects takes 25 times its bytes: parsing a larger one would hold up, or end, the process. */
const MAX_PAGE_BYTES = 16 * 1024 * 1024;
/** No page is begun later than this. A page itself ends by the server's request timeout. */
const MAX_MS = 5 * 60_000;

const TOO_LARGE = `the list is larger than ${MAX_BYTES / 1024 / 1024} MiB, or a page of it than ${MAX_PAGE_BYTES / 1024 / 1024}`;

/** The list as the server has it now. Empty where the server has no such list. `refuse`: why an item cannot be used. */
export async function readList<Item>(
  source: ListSource,
  kind: ListKind<Item>,
  refuse?: (item: Item) => string | undefined,
): Promise<Collected<Item>> {
  // No capability, no list: asking would be a fault of ours, and no list is no error.
  if (source.greeting.capabilities[kind.list] === undefined) return EMPTY;
  try {
    return await new Reading(source, kind, refuse).collect();
  } catch (error) {
    if (kind.optional && isUnknownMethod(error)) return EMPTY;
    throw error;
  }
}

/** The usable ones of these items, whatever they are. */
export function sift<Item>(kind: ListKind<Item>, items: readonly unknown[]): Omit<Collected<Item>, 'pages'> {
  const sieve = new Sieve(kind);
  for (const item of items) sieve.add(item);
  return sieve.collected();
}

const EMPTY: Collected<never> = { items: [], skipped: [], pages: 0 };

function isUnknownMethod(error: unknown): boolean {
  return isJunctorError(error, 'server_error') && (error.cause as { code?: unknown }).code === RPC_CODE.methodNotFound;
}

class Reading<Item> {
  readonly #source: ListSource;
  readonly #kind: ListKind<Item>;
  readonly #sieve: Sieve<Item>;
  readonly #since = monotonicMs();
  readonly #cursors = new Set<string>();
  #bytes = 0;
  #pages = 0;
  #ttlMs = Number.POSITIVE_INFINITY;

  constructor(source: ListSource, kind: ListKind<Item>, refuse?: (item: Item) => string | undefined) {
    this.#source = source;
    this.#kind = kind;
    this.#sieve = new Sieve(kind, refuse);
  }

  async collect(): Promise<Collected<Item>> {
    let cursor: string | undefined;
    do cursor = await this.#page(cursor);
    while (cursor !== undefined);
    const found = { ...this.#sieve.collected(), pages: this.#pages };
    return Number.isFinite(this.#ttlMs) ? { ...found, ttlMs: this.#ttlMs } : found;
  }

  /** Reads one page. Returns the cursor of the next. */
  async #page(cursor: string | undefined): Promise<string | undefined> {
    const page = await this.#request(cursor);
    if (!page) return undefined;
    const { key, method } = this.#kind;
    const items = page[key];
    if (!Array.isArray(items)) {
      throw this.#malformed(`answered ${method} without a list`, `its answer has no list '${key}'`);
    }
    for (const item of items) {
      if (this.#sieve.seen >= MAX_ITEMS) return this.#cut(`the list has more than ${MAX_ITEMS} ${this.#kind.noun}s`);
      this.#sieve.add(item);
    }
    this.#ttlMs = Math.min(this.#ttlMs, lifeOf(page));
    return this.#next(page.nextCursor);
  }

  async #request(cursor: string | undefined): Promise<Record<string, unknown> | undefined> {
    const { method } = this.#kind;
    this.#pages++;
    const options = {
      maxBytes: Math.min(MAX_PAGE_BYTES, MAX_BYTES - this.#bytes),
      onSize: (bytes: number): void => {
        this.#bytes += bytes;
      },
    };
    try {
      const page = await this.#source.request(method, cursor === undefined ? {} : { cursor }, options);
      return (page ?? {}) as Record<string, unknown>;
    } catch (error) {
      if (!isJunctorError(error, 'message_too_large') || this.#sieve.seen === 0) throw error;
      return this.#cut(TOO_LARGE);
    }
  }

  #next(given: unknown): string | undefined {
    if (typeof given !== 'string' || given === '') return undefined;
    const never = `never ends its list of ${this.#kind.noun}s`;
    if (this.#cursors.has(given)) throw this.#malformed(never, 'it gave the same cursor twice');
    if (this.#pages > MAX_PAGES) throw this.#malformed(never, `it gave more than ${MAX_PAGES} pages`);
    if (this.#bytes >= MAX_BYTES) return this.#cut(TOO_LARGE);
    if (monotonicMs() - this.#since > MAX_MS)
      return this.#cut(`the list was not complete after ${MAX_MS / 60_000} minutes`);
    this.#cursors.add(given);
    return given;
  }

  /** The list ends here: what was read is used, and the reason stands where people look for missing items. */
  #cut(because: string): undefined {
    this.#sieve.skip('(the rest)', because);
  }

  #malformed(what: string, why: string): JunctorError {
    const server = this.#source.server.id;
    return new JunctorError('malformed_response', `Server '${server}' ${what}.`, {
      server,
      why,
      hint: 'report it to the author of the server',
      command: `junctor doctor ${server}`,
    });
  }
}

/**
 * 0 says nothing: every server of 2026-07-28 has to name a time, and most name this one, though they announce changes. Whether
 * others may see the list (`cacheScope`) is no question here: it is kept for this person alone.
 */
function lifeOf({ ttlMs }: Readonly<Record<string, unknown>>): number {
  return typeof ttlMs === 'number' && ttlMs > 0 ? ttlMs : Number.POSITIVE_INFINITY;
}

/** So many are named; a list of nothing but bad items must not fill the log. */
const MAX_NAMED = 100;

class Sieve<Item> {
  readonly #kind: ListKind<Item>;
  readonly #refuse: ((item: Item) => string | undefined) | undefined;
  readonly #items = new Map<string, Item>();
  readonly #skipped: Skipped[] = [];
  readonly #repaired: Skipped[] = [];
  #unnamed = 0;
  /** How many items came, usable or not. */
  seen = 0;

  constructor(kind: ListKind<Item>, refuse?: (item: Item) => string | undefined) {
    this.#kind = kind;
    this.#refuse = refuse;
  }

  add(item: unknown): void {
    this.seen++;
    const id = (item as Record<string, unknown> | null | undefined)?.[this.#kind.identity];
    const because = this.#whyUnusable(item, id) ?? this.#refuse?.(item as Item);
    if (because === undefined) this.#items.set(id as string, this.#repair(id as string, item as Item));
    else if (this.#skipped.length < MAX_NAMED) this.skip(typeof id === 'string' ? id : '(unnamed)', because);
    else this.#unnamed++;
  }

  skip(name: string, because: string): void {
    this.#skipped.push({ name, because });
  }

  collected(): Omit<Collected<Item>, 'pages'> {
    const items = [...this.#items];
    if (this.#kind.sorted) items.sort(([a], [b]) => (a < b ? -1 : 1));
    if (this.#unnamed > 0) this.skip(`(${this.#unnamed} more)`, `${MAX_NAMED} are named here`);
    const repaired = this.#repaired.length > 0 ? { repaired: this.#repaired } : {};
    return { items: items.map(([, item]) => item), skipped: this.#skipped, ...repaired };
  }

  #repair(id: string, item: Item): Item {
    const left: string[] = [];
    const repaired = repairFields(item as object, this.#kind.fields, left) as Item;
    if (left.length > 0 && this.#repaired.length < MAX_NAMED) {
      this.#repaired.push({ name: id, because: `not as the protocol wants it: ${left.join(', ')}` });
    }
    return this.#kind.complete?.(repaired) ?? repaired;
  }

  #whyUnusable(item: unknown, id: unknown): string | undefined {
    const { identity, noun } = this.#kind;
    if (typeof item !== 'object' || item === null) return 'it is not an object';
    if (typeof id !== 'string' || id === '') return `it has no ${identity}`;
    if (this.#items.has(id)) return `another ${noun} of this server has the same ${identity}`;
    return undefined;
  }
}
