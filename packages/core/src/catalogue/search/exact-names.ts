/** Finds tools by their name, in whatever form somebody knows it: `read`, `fs/read`, `fs_read`, `mcp__fs__read`, `read@fs`. */
import { identityHash, type ToolIdentity } from '../naming/public-names.ts';
import { NAMING_STRATEGIES } from '../naming/strategy.ts';

/** A longer text is no name: the longest that are given out have a tenth of it. */
const MAX_NAME_CHARS = 1_000;
/** How a public name ends that had to be changed, or whose strategy asks for it. */
const HASHED = /^\S+_([0-9a-f]{8})$/;

export class ExactNames {
  /** By the letters and digits of the name alone: its forms differ in what stands between them. */
  readonly #slots = new Map<string, Set<number>>();
  readonly #identities = new Map<number, ToolIdentity>();

  add(slot: number, identity: ToolIdentity): void {
    this.#identities.set(slot, identity);
    for (const key of keysOf(identity)) {
      const slots = this.#slots.get(key);
      if (slots) slots.add(slot);
      else this.#slots.set(key, new Set([slot]));
    }
  }

  drop(slot: number): void {
    const identity = this.#identities.get(slot);
    if (!identity) return;
    this.#identities.delete(slot);
    for (const key of keysOf(identity)) {
      const slots = this.#slots.get(key);
      slots?.delete(slot);
      if (slots?.size === 0) this.#slots.delete(key);
    }
  }

  /** The tools this is a name of. One that has it letter for letter leaves the others out. */
  find(query: string): readonly number[] {
    const name = query.trim();
    if (name === '' || name.length > MAX_NAME_CHARS) return [];
    const alike = [...(this.#alike(name) ?? [])];
    const literal = alike.filter(slot => formsOf(this.#identities.get(slot) as ToolIdentity).includes(name));
    if (literal.length > 0) return literal;
    return alike.length > 0 ? alike : this.#byHash(name);
  }

  /** Also where a client has put something of its own before the public name. */
  #alike(name: string): ReadonlySet<number> | undefined {
    const whole = this.#slots.get(keyOf(name));
    if (whole || /\s/.test(name)) return whole;
    const parts = name.replace(/_[0-9a-f]{8}$/, '').split(/[^\p{L}\p{N}]+/u);
    for (let from = 0; from + 1 < parts.length; from++) {
      const rest = this.#slots.get(keyOf(parts.slice(from).join('')));
      if (rest) return rest;
    }
    return undefined;
  }

  /** A name that was cut tells its tool by the hash alone. */
  #byHash(name: string): number[] {
    const hash = HASHED.exec(name)?.[1];
    if (hash === undefined) return [];
    return [...this.#identities].filter(([, identity]) => identityHash(identity) === hash).map(([slot]) => slot);
  }
}

function keysOf({ server, tool }: ToolIdentity): Set<string> {
  return new Set([keyOf(tool), keyOf(`${server}/${tool}`), keyOf(`mcp/${server}/${tool}`), keyOf(`${tool}/${server}`)]);
}

function formsOf({ server, tool }: ToolIdentity): string[] {
  const joined = Object.values(NAMING_STRATEGIES).map(({ before, after }) => before(server) + tool + after(server));
  return [tool, `${server}/${tool}`, ...joined];
}

/** A name of signs alone is its own key. */
function keyOf(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '') || name;
}
