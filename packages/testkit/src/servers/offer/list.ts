/** A list that clients see: read in pages, and announced when it changes. */
import { CODE, RpcError } from '../rpc.ts';

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor?: string;
}

export class List<Item> {
  readonly #items: Item[];
  readonly #nameOf: (item: Item) => string;
  readonly #onChange: () => void;

  constructor(items: readonly Item[], nameOf: (item: Item) => string, onChange: () => void) {
    this.#items = [...items];
    this.#nameOf = nameOf;
    this.#onChange = onChange;
  }

  find(name: unknown): Item | undefined {
    return this.#items.find(item => this.#nameOf(item) === name);
  }

  page(cursor: unknown, size: number | undefined): Page<Item> {
    const from = cursor === undefined ? 0 : Number(cursor);
    if (!Number.isInteger(from) || from < 0) throw new RpcError(CODE.invalidParams, `Unknown cursor: ${cursor}`);
    const to = from + (size ?? this.#items.length);
    const items = this.#items.slice(from, to);
    return to < this.#items.length ? { items, nextCursor: String(to) } : { items };
  }

  /** A second item of a name takes the place of the first. */
  add(item: Item): void {
    const place = this.#items.findIndex(other => this.#nameOf(other) === this.#nameOf(item));
    if (place < 0) this.#items.push(item);
    else this.#items[place] = item;
    this.#onChange();
  }

  /** False when there is none of that name. */
  remove(name: string): boolean {
    const place = this.#items.findIndex(item => this.#nameOf(item) === name);
    if (place < 0) return false;
    this.#items.splice(place, 1);
    this.#onChange();
    return true;
  }
}
