/** What servers listed last, for one kind of list, and how far that still counts. It is given lists; it asks nobody. */
import { sameJson } from '../../base/json/same-json.ts';
import type { Collected } from './lists.ts';

/**
 * `confirmed`: the server said so in this run. `overtaken`: it did, and has announced a change since. `remembered`: it said
 * so in an earlier run.
 */
export type Standing = 'confirmed' | 'overtaken' | 'remembered';

export interface Listing<Item> extends Omit<Collected<Item>, 'pages' | 'repaired'> {
  /** When the server said so, in milliseconds since the epoch. */
  readonly at: number;
}

export interface Held<Item> extends Listing<Item> {
  readonly standing: Standing;
  /** The connection it came over: another one may lead to another version of the server. */
  readonly from: object | undefined;
}

/** Taken before a list is asked for: tells whether something happened to it before the answer came. */
export interface Mark {
  readonly life: number;
  readonly changes: number;
}

export interface PutOutcome {
  /** The list is what the server offers now. False where a change was announced while it was read. */
  readonly confirmed: boolean;
  /** It is another list than before, and nobody was told so yet. */
  readonly silentlyChanged: boolean;
}

export class HeldLists<Item> {
  readonly #held = new Map<string, Held<Item>>();
  readonly #marks = new Map<string, Mark>();
  /** Servers whose announced change nobody has looked at yet: another announcement is no news. */
  readonly #announced = new Set<string>();
  /** Servers without a list that somebody asked for: their first list is news. */
  readonly #lacking = new Set<string>();

  get(server: string): Held<Item> | undefined {
    return this.#held.get(server);
  }

  mark(server: string): Mark {
    return this.#marks.get(server) ?? { life: 0, changes: 0 };
  }

  put(server: string, listing: Listing<Item>, from: object, mark: Mark): PutOutcome {
    const now = this.mark(server);
    // The list of a server that was forgotten meanwhile may be that of another definition.
    if (now.life !== mark.life) return { confirmed: false, silentlyChanged: false };
    const before = this.#held.get(server);
    const confirmed = now.changes === mark.changes;
    const comparable = before !== undefined && !this.#announced.has(server);
    const same = comparable && sameJson(before.items, listing.items) && sameJson(before.skipped, listing.skipped);
    const kept = same ? { items: before.items, skipped: before.skipped } : {};
    this.#held.set(server, { ...listing, ...kept, from, standing: confirmed ? 'confirmed' : 'overtaken' });
    this.#announced.delete(server);
    const lacked = this.#lacking.delete(server);
    return { confirmed, silentlyChanged: lacked || (comparable && !same) };
  }

  /** Takes in what an earlier run knew, where nothing better is there. */
  suggest(server: string, listing: Listing<Item>): void {
    if (!this.#held.has(server)) this.#held.set(server, { ...listing, from: undefined, standing: 'remembered' });
  }

  /** The server says that its list changed. True where that is news to whoever looked at the list last. */
  announce(server: string): boolean {
    const { life, changes } = this.mark(server);
    this.#marks.set(server, { life, changes: changes + 1 });
    const held = this.#held.get(server);
    if (held?.standing === 'confirmed') this.#held.set(server, { ...held, standing: 'overtaken' });
    const news = !this.#announced.has(server);
    this.#announced.add(server);
    return news;
  }

  /** Somebody asked for the list, and it could not be read: an announced change is not known to anybody yet. */
  missed(server: string): void {
    this.#announced.delete(server);
    if (!this.#held.has(server)) this.#lacking.add(server);
  }

  /** Whether somebody got an older list than the server has, or none. */
  isAwaited(server: string): boolean {
    return this.#lacking.has(server) || this.#held.get(server)?.standing === 'remembered';
  }

  /** As if the server had never been asked. A list that is on its way is not taken in. */
  forget(server: string): void {
    const { life, changes } = this.mark(server);
    this.#marks.set(server, { life: life + 1, changes });
    this.#held.delete(server);
    this.#announced.delete(server);
    this.#lacking.delete(server);
  }
}
