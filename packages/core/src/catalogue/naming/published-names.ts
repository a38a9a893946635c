/**
 * The names that were given out. A name keeps meaning the same tool as long as a host lives: a tool that comes later and
 * would be called the same gets another name, and a tool keeps its own where a new server makes it ambiguous. Nobody's call
 * ends up at a tool that took over a name.
 */
import type { GivenName, Namer, ToolIdentity } from './public-names.ts';

/** Far more than any catalogue has. Beyond it the oldest are forgotten, so that a server cannot fill our memory with names. */
const MAX_NAMES = 200_000;

export class PublishedNames {
  readonly #owners = new Map<string, ToolIdentity>();
  /** Names other than the plain ones, by what they are for. */
  readonly #kept = new Map<string, string>();

  /** `isAlone`: no other server has a tool of this name. Gives a tool its name, which means this tool from now on: the one it had, else the one it should have, else a free one. */
  publish(identity: ToolIdentity, namer: Namer, view: string, isAlone = false): GivenName {
    const given = this.#choose(identity, namer, view, isAlone);
    const { name, because } = given;
    if (!this.#owners.has(name)) {
      this.#owners.set(name, identity);
      dropOldest(this.#owners);
    }
    if (because !== undefined || namer.joining.bare) {
      this.#kept.set(keyOf(view, identity), name);
      dropOldest(this.#kept);
    }
    return given;
  }

  #choose(identity: ToolIdentity, namer: Namer, view: string, isAlone: boolean): GivenName {
    const kept = this.#kept.size > 0 ? this.#kept.get(keyOf(view, identity)) : undefined;
    if (kept !== undefined) return { name: kept, because: whyKept(kept, identity, namer) };
    const bare = isAlone ? namer.bareName(identity) : undefined;
    if (bare !== undefined && this.#isFree(bare, identity)) return { name: bare };
    const given = namer.name(identity);
    if (this.#isFree(given.name, identity)) return this.#stillPlain(identity, namer, given);
    return { name: this.#freeName(identity, namer), because: given.because ?? 'taken' };
  }

  /** A tool that goes by its plain name keeps it, also where another server has come that makes it ambiguous. */
  #stillPlain(identity: ToolIdentity, namer: Namer, given: GivenName): GivenName {
    if (given.because !== 'ambiguous') return given;
    const plain = namer.plain(identity);
    return this.#owners.has(plain) && this.#isFree(plain, identity) ? { name: plain } : given;
  }

  #freeName(identity: ToolIdentity, namer: Namer): string {
    const names = [8, 16, 24].map(digits => namer.hashed(identity, digits));
    return names.find(name => this.#isFree(name, identity)) ?? (names.at(-1) as string);
  }

  #isFree(name: string, { server, tool }: ToolIdentity): boolean {
    const owner = this.#owners.get(name);
    return owner === undefined || (owner.server === server && owner.tool === tool);
  }
}

/** Why a tool that keeps its name has not the one it would get. */
function whyKept(kept: string, identity: ToolIdentity, namer: Namer): GivenName['because'] {
  if (namer.joining.bare && kept === identity.tool) return undefined;
  const { name, because } = namer.name(identity);
  return because ?? (kept === name ? undefined : 'taken');
}

function keyOf(view: string, { server, tool }: ToolIdentity): string {
  return `${view}\0${server}\0${tool}`;
}

function dropOldest(names: Map<string, unknown>): void {
  if (names.size > MAX_NAMES) names.delete(names.keys().next().value as string);
}
