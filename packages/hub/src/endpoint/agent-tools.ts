/** The tools behind an agent's door: which a session is told of, and which one a public name means. */
import type { Entry, Snapshot } from '@junctor/core';
import { READ_RESULT, SEARCH_TOOLS, withinCap } from '@junctor/core/inside';
import type { AgentResults } from '../results/agent-results.ts';
import type { Caller } from '../visit/room.ts';
import { complete } from '../visit/stamp.ts';
import { type AgentLists, LIST_PATIENCE_MS } from './agent-lists.ts';
import type { AgentSearch } from './agent-search.ts';
import type { House } from './house.ts';

export interface AgentToolsParts {
  readonly lists: AgentLists;
  readonly search: AgentSearch;
  readonly results: AgentResults;
}

interface ListedTools {
  readonly snapshot: Snapshot;
  /** What else the list was made of. */
  readonly terms: string;
  readonly legacy: Buffer;
  readonly modern: Buffer;
}

export class AgentTools {
  readonly #house: House;
  readonly #parts: AgentToolsParts;
  /** The list as bytes, made once per snapshot, as each era wants it. */
  #listed: ListedTools | undefined;

  constructor(house: House, parts: AgentToolsParts) {
    this.#house = house;
    this.#parts = parts;
  }

  /** The tool of a public name, at once where the list is known. */
  entry(name: string, caller: Caller): Entry | undefined | Promise<Entry | undefined> {
    const { lists } = this.#parts;
    if (lists.hasOwnTools(caller)) return lists.ownTools(caller).then(({ byName }) => byName.get(name));
    const known = this.#listed?.snapshot.byName.get(name);
    if (known) return known;
    return this.#snapshot().then(({ byName }) => byName.get(name));
  }

  /** The result of tools/list. */
  async list(caller: Caller): Promise<Buffer | string> {
    const { lists, search, results } = this.#parts;
    if (lists.hasOwnTools(caller)) {
      const own = await lists.ownTools(caller);
      const list = this.#shown([...own.byName.values()], own.cap, caller);
      return caller.era === 'modern' ? complete('tools/list', list) : JSON.stringify(list);
    }
    const snapshot = await this.#snapshot();
    const { hides } = caller.session.search ?? search.decisionFor(caller, lists.mine(snapshot));
    // Who gets which server may change while the servers stay as they are, and not every session searches the same.
    const servers = lists.servers.map(id => (hides(id) ? `(${id})` : id)).join();
    const terms = results.budget === undefined ? servers : `${servers} ${results.budget}`;
    if (this.#listed?.snapshot !== snapshot || this.#listed.terms !== terms) {
      const list = this.#shown(lists.mine(snapshot), snapshot.cap, caller);
      const [legacy, modern] = [JSON.stringify(list), complete('tools/list', list)];
      this.#listed = { snapshot, terms, legacy: Buffer.from(legacy), modern: Buffer.from(modern) };
    }
    return this.#listed[caller.era];
  }

  /** Those that a session searches are behind our own; and an agent whose results are cut can read on in them. */
  #shown(all: readonly Entry[], cap: number | undefined, caller: Caller): { readonly tools: object[] } {
    const { lists, search, results } = this.#parts;
    const { hides } = search.decisionFor(caller, all);
    const cuts = results.budget !== undefined;
    const own = lists.servers.some(hides) ? SEARCH_TOOLS : cuts ? [READ_RESULT] : [];
    const listed = all.filter(({ server }) => !hides(server));
    const room = cap === undefined ? undefined : Math.max(0, cap - own.length);
    const shown = withinCap(listed, room).entries.map(({ offered }) => (cuts ? withoutResultSchema(offered) : offered));
    return { tools: [...shown, ...own] };
  }

  #snapshot(): Promise<Snapshot> {
    const { reader, servers } = this.#parts.lists;
    // A server that this agent does not get holds it up with nothing.
    return this.#house.host.snapshot({ ...reader, servers, patienceMs: LIST_PATIENCE_MS });
  }
}

/** What is left of a result need not fit its schema, and clients refuse what does not. */
function withoutResultSchema({ outputSchema: _, ...offered }: Record<string, unknown>): object {
  return offered;
}
