/**
 * The tools of each server, named for a view and kept: what one server changes costs the work of that server's tools, however
 * many others there are.
 */
import type { Entry, ToolDefinition } from './entry.ts';
import { Namer, onlyOnce, type ToolIdentity } from './naming/public-names.ts';
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

/** How the tools of a list are named. */
interface Naming {
  readonly namer: Namer;
  readonly view: View;
  /** Whether no other server has a tool of this name. */
  readonly isAlone: (name: string) => boolean;
}

/** A host has few views; more are not kept. */
const MAX_NAMERS = 32;

export class Shelves {
  readonly #published = new PublishedNames();
  readonly #made = new WeakMap<readonly ToolDefinition[], OneList>();
  /** The lists of all servers, as they were last named. */
  #all: readonly (readonly [string, readonly ToolDefinition[]])[] = [];
  /** Who names for a view, as long as the servers are the same. */
  readonly #namers = new Map<string, { readonly servers: string; readonly namer: Namer }>();

  /** The shelves of all servers. `ids`: those of every server that could be there. */
  of(lists: Iterable<readonly [string, readonly ToolDefinition[]]>, view: View, ids: Iterable<string>): Shelf[] {
    const namer = this.#namer(view, [...ids]);
    this.#all = [...lists];
    const isAlone = namer.joining.bare ? onlyOnce(namesIn(this.#all)) : () => false;
    return this.#all.map(([server, tools]) => this.#shelf(server, tools, { namer, view, isAlone }));
  }

  /** The shelf of one server whose tools are not those everybody gets. */
  ofOne(server: string, tools: readonly ToolDefinition[], view: View, ids: Iterable<string>): Shelf {
    const namer = this.#namer(view, [...ids]);
    const others = this.#all.filter(([id]) => id !== server);
    const isAlone = namer.joining.bare ? onlyOnce(namesIn([...others, [server, tools]])) : () => false;
    return this.#shelf(server, tools, { namer, view, isAlone });
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

  #shelf(server: string, tools: readonly ToolDefinition[], { namer, view, isAlone }: Naming): Shelf {
    const shared = namer.joining.bare ? tools.flatMap(({ name }) => (isAlone(name) ? [] : [name])) : [];
    const key = [view.key, server, ...namer.rivalsOf(server), '', ...shared].join('\0');
    const { shelves, inspections } = this.#listed(tools);
    let shelf = shelves.get(key);
    if (!shelf) {
      const facts: ShelfFacts = { server, audience: view.audience, inspections };
      const made = tools.map((definition, index) => {
        const identity: ToolIdentity = { server, tool: definition.name };
        const { name, because } = this.#published.publish(identity, namer, view.key, isAlone(definition.name));
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

function* namesIn(lists: readonly (readonly [string, readonly ToolDefinition[]])[]): Generator<string> {
  for (const [, tools] of lists) for (const { name } of tools) yield name;
}

export function byName(a: Entry, b: Entry): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}
