/**
 * The tools of each server, named for a view and kept: what one server changes costs the work of that server's tools, however
 * many others there are.
 */
import type { Entry, ToolDefinition } from './entry.ts';
import { Namer, type ToolIdentity } from './naming/public-names.ts';
import { PublishedNames } from './naming/published-names.ts';
import { type ShelfFacts, ShelvedTool } from './offered-tool.ts';
import { Inspections } from './schema-fit/inspections.ts';
import type { View } from './view.ts';

/** Sorted by public name. */
export type Shelf = readonly Entry[];

/** What was made of one list of tools, for whichever view. */
interface OneList {
  readonly shelves: Map<string, Shelf>;
  readonly inspections: Inspections;
}

/** A host has few views; more are not kept. */
const MAX_NAMERS = 32;

export class Shelves {
  readonly #published = new PublishedNames();
  readonly #made = new WeakMap<readonly ToolDefinition[], OneList>();
  /** Who names for a view, as long as the servers are the same. */
  readonly #namers = new Map<string, { readonly servers: string; readonly namer: Namer }>();

  /** The shelves of these servers. `all`: the ids of every server that could be there. */
  of(lists: Iterable<readonly [string, readonly ToolDefinition[]]>, view: View, all: Iterable<string>): Shelf[] {
    const namer = this.#namer(view, [...all]);
    return [...lists].map(([server, tools]) => this.#shelf(server, tools, namer, view));
  }

  #namer(view: View, all: readonly string[]): Namer {
    const servers = all.join('\0');
    const known = this.#namers.get(view.key);
    if (known?.servers === servers) return known.namer;
    const namer = new Namer({ strategy: view.naming, rule: view.audience?.names, servers: all });
    if (this.#namers.size >= MAX_NAMERS) this.#namers.clear();
    this.#namers.set(view.key, { servers, namer });
    return namer;
  }

  #shelf(server: string, tools: readonly ToolDefinition[], namer: Namer, view: View): Shelf {
    const key = [view.key, server, ...namer.rivalsOf(server)].join('\0');
    const { shelves, inspections } = this.#listed(tools);
    let shelf = shelves.get(key);
    if (!shelf) {
      const facts: ShelfFacts = { server, audience: view.audience, inspections };
      const made = tools.map((definition, index) => {
        const identity: ToolIdentity = { server, tool: definition.name };
        const { name, because } = this.#published.publish(identity, namer, view.key);
        const renamed = because === undefined ? undefined : { from: namer.plain(identity), because };
        return new ShelvedTool(name, definition, index, facts, renamed);
      });
      shelf = made.sort(byName);
      shelves.set(key, shelf);
    }
    return shelf;
  }

  #listed(tools: readonly ToolDefinition[]): OneList {
    let listed = this.#made.get(tools);
    if (!listed) {
      listed = { shelves: new Map(), inspections: new Inspections(tools) };
      this.#made.set(tools, listed);
    }
    return listed;
  }
}

export function byName(a: Entry, b: Entry): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}
