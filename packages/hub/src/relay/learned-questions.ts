/**
 * Which requests make one server ask its client. A question of a server over stdio names no request: where one request was
 * inside, that one asks for certain; where several were, one of them does, and all of them are suspects until one is certain.
 */
import { hash } from 'node:crypto';

/** So many are kept, and so many groups of suspects. More, and a client that makes up names fills the database. */
const MAX_KEPT = 500;

/** Longer names are kept as their hash. */
const MAX_NAME = 200;

export class LearnedQuestions {
  readonly #certain = new Set<string>();
  #suspects: readonly (readonly string[])[] = [];
  /** All of them: every request is looked up here. */
  #all: ReadonlySet<string> = new Set();
  readonly #onLearned: () => void;

  /** `onLearned`: something is known that was not known before. */
  constructor(onLearned: () => void = () => {}) {
    this.#onLearned = onLearned;
  }

  /** Whether this request asks, or may be the one that did. */
  has(what: string): boolean {
    return this.#all.size > 0 && this.#all.has(keyOf(what));
  }

  /** The server asked while these requests were inside: one of them is why. */
  learn(whats: Iterable<string>): void {
    const group = [...new Set([...whats].map(keyOf))].slice(0, MAX_KEPT).sort();
    // Most questions are asked by requests that are known to ask.
    if (group.some(what => this.#certain.has(what))) return;
    const before = this.toJSON();
    this.#add(group);
    if (JSON.stringify(this.toJSON()) !== JSON.stringify(before)) this.#onLearned();
  }

  /** Adds what was learned elsewhere. Text that is none of ours is as good as none. */
  merge(stored: string | undefined): this {
    const found = read(stored);
    for (const what of found.certain) this.#add([what]);
    for (const group of found.suspects) this.#add(group);
    return this;
  }

  toJSON(): { readonly certain: readonly string[]; readonly suspects: readonly (readonly string[])[] } {
    return { certain: [...this.#certain].sort(), suspects: this.#suspects };
  }

  #add(group: readonly string[]): void {
    const [first] = group;
    if (first === undefined || group.some(what => this.#certain.has(what))) return;
    if (group.length === 1) {
      this.#certain.add(first);
      const [oldest] = this.#certain;
      if (this.#certain.size > MAX_KEPT && oldest !== undefined) this.#certain.delete(oldest);
      // It explains every question that was asked while it was inside: the others are no suspects any more.
      this.#suspects = this.#suspects.filter(one => !one.includes(first));
    } else if (!this.#suspects.some(one => one.join('\n') === group.join('\n'))) {
      this.#suspects = [...this.#suspects, group].slice(-MAX_KEPT);
    }
    this.#all = new Set([...this.#certain, ...this.#suspects.flat()]);
  }
}

function keyOf(what: string): string {
  return what.length <= MAX_NAME ? what : `sha256:${hash('sha256', what, 'hex')}`;
}

function read(stored: string | undefined): { certain: readonly string[]; suspects: readonly (readonly string[])[] } {
  try {
    const { certain, suspects } = JSON.parse(stored ?? '{}') as { certain?: unknown; suspects?: unknown };
    return { certain: textsIn(certain), suspects: Array.isArray(suspects) ? suspects.map(textsIn) : [] };
  } catch {
    return { certain: [], suspects: [] };
  }
}

function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter(one => typeof one === 'string') : [];
}
