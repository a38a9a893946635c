/** The tools behind an agent's door: which a session is told of, and which one a public name means. */
import type { Entry, Snapshot } from '@junctor/core';
import { type EraName, READ_RESULT, SEARCH_TOOLS, withinCap } from '@junctor/core/internal';
import type { AgentResults } from '../results/agent-results.ts';
import type { Caller } from '../visit/room.ts';
import { complete } from '../visit/stamp.ts';
import { type AgentLists, LIST_WAIT } from './agent-lists.ts';
import type { AgentSearch } from './agent-search.ts';
import type { House } from './house.ts';
import { withTaskSupport } from './task-offer.ts';

export interface AgentToolsParts {
  readonly lists: AgentLists;
  readonly search: AgentSearch;
  readonly results: AgentResults;
}

interface ListedTools {
  readonly snapshot: Snapshot;
  /** What else the list was made of. */
  readonly terms: string;
  readonly servers: readonly string[];
  readonly legacy: Buffer;
  readonly modern: Buffer;
}

/** A tool as it is offered, and the server that has it; none has our own. */
interface Shown {
  readonly offered: object;
  readonly server?: string | undefined;
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
    const known = this.#listed && lists.named(this.#listed.snapshot, name, caller);
    if (lists.hasOwnTools(caller, known?.server)) return lists.ownTool(name, caller);
    if (known) return known;
    return this.#snapshot().then(snapshot => lists.named(snapshot, name, caller));
  }

  /** The result of tools/list, and the servers whose tools it holds or lets a client search. */
  async list(caller: Caller): Promise<{ readonly result: Buffer | string; readonly servers: readonly string[] }> {
    const { lists, search, results } = this.#parts;
    if (lists.hasOwnTools(caller)) {
      const own = await lists.ownTools(caller);
      const shown = this.#shown([...own.byName.values()], lists.forApps(own, caller), own.cap, caller);
      return { result: this.#listFor(caller.era, shown), servers: serversOf(own.byName.values()) };
    }
    const snapshot = await this.#snapshot();
    const { hides } = caller.session.search ?? search.decisionFor(caller, lists.mine(snapshot));
    // Who gets which server may change while the servers stay as they are, and not every session searches the same.
    const servers = lists.servers.map(id => (hides(id) ? `(${id})` : id)).join();
    const apps = lists.forApps(snapshot, caller);
    const terms = [servers, results.budget, apps.length, this.#taskTerms()].join(' ');
    if (this.#listed?.snapshot !== snapshot || this.#listed.terms !== terms) {
      const shown = this.#shown(lists.mine(snapshot), apps, snapshot.cap, caller);
      const [legacy, modern] = [this.#listFor('legacy', shown), this.#listFor('modern', shown)];
      const listed = serversOf(lists.mine(snapshot));
      this.#listed = { snapshot, terms, servers: listed, legacy: Buffer.from(legacy), modern: Buffer.from(modern) };
    }
    return { result: this.#listed[caller.era], servers: this.#listed.servers };
  }

  /** Those that a session searches are behind our own; and an agent whose results are cut can read on in them. */
  #shown(all: readonly Entry[], apps: readonly Entry[], cap: number | undefined, caller: Caller): readonly Shown[] {
    const { lists, search, results } = this.#parts;
    const { hides } = search.decisionFor(caller, all);
    const cuts = results.budget !== undefined;
    const own = lists.servers.some(hides) ? SEARCH_TOOLS : cuts ? [READ_RESULT] : [];
    const listed = all.filter(({ server }) => !hides(server));
    const room = cap === undefined ? undefined : Math.max(0, cap - own.length);
    const shown = withinCap(listed, room).entries.map(({ offered, server }) => ({
      offered: cuts ? withoutResultSchema(offered) : offered,
      server,
    }));
    // No model reads these, so that they count against no limit and are never searched.
    return [...shown, ...own.map(offered => ({ offered })), ...apps];
  }

  #listFor(era: EraName, shown: readonly Shown[]): string {
    const { links } = this.#house.host;
    const tools = shown.map(({ offered, server }) =>
      server === undefined ? offered : withTaskSupport(offered, era, links.live(server)?.greeting),
    );
    return era === 'modern' ? complete('tools/list', { tools }) : JSON.stringify({ tools });
  }

  /** Which servers run tasks, as far as they are there: that is not a part of their lists. */
  #taskTerms(): string {
    const { links } = this.#house.host;
    const told = this.#parts.lists.servers.map(id => {
      const link = links.live(id);
      return link ? `${link.greeting.era}${link.hasTasks}` : '';
    });
    return told.join();
  }

  #snapshot(): Promise<Snapshot> {
    const { reader, servers } = this.#parts.lists;
    // A server that this agent does not get holds it up with nothing.
    return this.#house.host.snapshot({ ...reader, servers, ...LIST_WAIT });
  }
}

function serversOf(entries: Iterable<Entry>): readonly string[] {
  return [...new Set(Array.from(entries, ({ server }) => server))];
}

/** What is left of a result need not fit its schema, and clients refuse what does not. */
function withoutResultSchema({ outputSchema: _, ...offered }: Record<string, unknown>): object {
  return offered;
}
