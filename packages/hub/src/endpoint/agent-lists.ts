/** Resources and prompts of all servers of an agent, under names that lead back to their server. */
import type { Entry, Host, Offered, PromptDefinition, Snapshot, SnapshotWait, ToolDefinition } from '@junctor/core';
import { cleanListed, clientOf, publicNames, SEARCH_PATIENCE_MS } from '@junctor/core/inside';
import type { OwnList } from '../relay/own-lists.ts';
import type { Upstream } from '../relay/upstream.ts';
import { type Located, publicUri, readPublicUri } from '../results/public-uri.ts';
import type { Caller } from '../visit/room.ts';
import type { House } from './house.ts';

export interface NamedTools {
  /** Sorted by name. */
  readonly byName: ReadonlyMap<string, Entry>;
  /** How many of them their reader takes. */
  readonly cap: number | undefined;
}

interface Named {
  readonly server: string;
  readonly definition: PromptDefinition;
  readonly name: string;
}

/** A list waits this long for servers that are still starting; a slow one must not make a client give up on all. */
export const LIST_PATIENCE_MS = 5000;

export class AgentLists {
  readonly #house: House;
  readonly #host: Host;
  readonly #agent: string;

  constructor(house: House, agent: string) {
    this.#house = house;
    this.#host = house.host;
    this.#agent = agent;
  }

  get servers(): string[] {
    return this.#host.links.ids.filter(id => this.#host.serves(this.#agent, id));
  }

  /** Who reads the tools behind this door. */
  get reader(): { readonly client: string } {
    return { client: clientOf(this.#agent, this.#host.loaded) };
  }

  /** Whether a server that this caller has for itself offers other tools than the host knows of. */
  hasOwnTools({ session }: Caller): boolean {
    for (const upstream of session.upstreams.values()) if (this.#isOwn(upstream, 'tools')) return true;
    return false;
  }

  /** The tools of all servers, as this caller has them. */
  async ownTools(caller: Caller, wait: SnapshotWait = { patienceMs: LIST_PATIENCE_MS }): Promise<NamedTools> {
    const { byName, cap } = await this.#host.snapshot({ ...this.reader, servers: this.servers, ...wait });
    const own = [...caller.session.upstreams.values()].filter(upstream => this.#isOwn(upstream, 'tools'));
    const replaced = new Set(own.map(({ server }) => server.id));
    const kept = [...byName.values()].filter(
      ({ server }) => !replaced.has(server) && this.#host.serves(this.#agent, server),
    );
    const added = await Promise.all(own.map(upstream => this.#toolsOf(upstream)));
    const all: Entry[] = [...kept, ...added.flat()].sort((a, b) => (a.name < b.name ? -1 : 1));
    return { byName: new Map(all.map(entry => [entry.name, entry])), cap };
  }

  /** Every tool that this caller may search, sorted by name. */
  async searchable(caller: Caller): Promise<readonly Entry[]> {
    const wait = { patienceMs: SEARCH_PATIENCE_MS, again: true };
    if (this.hasOwnTools(caller)) return [...(await this.ownTools(caller, wait)).byName.values()];
    return this.mine(await this.#host.snapshot({ ...this.reader, servers: this.servers, ...wait }));
  }

  /** What of a snapshot this agent gets, also what is beyond the number of tools its client takes. */
  mine({ byName }: Snapshot): readonly Entry[] {
    return [...byName.values()].filter(({ server }) => this.#host.serves(this.#agent, server));
  }

  async resources(caller: Caller): Promise<object> {
    const all = await this.#all('resources', caller, id => this.#host.resources(id));
    return {
      resources: all.map(({ server, definition }) => ({
        ...cleanListed(definition),
        uri: publicUri(server, definition.uri),
      })),
    };
  }

  async templates(caller: Caller): Promise<object> {
    const all = await this.#all('resourceTemplates', caller, id => this.#host.resourceTemplates(id));
    return {
      resourceTemplates: all.map(({ server, definition }) => ({
        ...cleanListed(definition),
        uriTemplate: publicUri(server, definition.uriTemplate),
      })),
    };
  }

  async prompts(caller: Caller): Promise<object> {
    return {
      prompts: (await this.#named(caller)).map(({ definition, name }) => ({ ...cleanListed(definition), name })),
    };
  }

  /** The server and its own name of a prompt. */
  async prompt(name: string, caller: Caller): Promise<{ readonly server: string; readonly name: string } | undefined> {
    const found = (await this.#named(caller)).find(prompt => prompt.name === name);
    return found && { server: found.server, name: found.definition.name };
  }

  /** Whose resource it is. A tool may show an address as its server has it: that is good where it is clear whose it is. */
  async locate(uri: string, caller: Caller): Promise<Located | undefined> {
    const found = readPublicUri(uri);
    if (found) return this.#host.serves(this.#agent, found.server) ? found : undefined;
    const all = await this.#all('resources', caller, id => this.#host.resources(id));
    const having = all.filter(({ definition }) => definition.uri === uri);
    return having.length === 1 && having[0] ? { server: having[0].server, uri } : undefined;
  }

  async #named(caller: Caller): Promise<Named[]> {
    const all = await this.#all('prompts', caller, id => this.#host.prompts(id));
    const identities = all.map(({ server, definition }) => ({ server, tool: definition.name }));
    const names = publicNames(identities, 'server_tool', { servers: this.#host.links.ids });
    return all
      .map((prompt, index) => ({ ...prompt, name: names[index] as string }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  #isOwn(upstream: Upstream, list: OwnList): boolean {
    if (!upstream.lists.has(list) || this.#house.instances.isFirst(upstream)) return false;
    // Where a lockfile says what is offered, nothing is added to it.
    return list !== 'tools' || this.#host.lockfileOf(upstream.server.id) === undefined;
  }

  async #toolsOf(upstream: Upstream): Promise<readonly Entry[]> {
    const { server } = upstream;
    const link = upstream.live ?? (await upstream.ready());
    const found = (await upstream.lists.read('tools', link)) as readonly ToolDefinition[];
    const offered = found.filter(({ name }) => server.offers(name));
    return this.#host.shelve(server.id, offered, this.reader);
  }

  /** Of every server that answers in time. One that failed comes back by itself, and is not waited for. */
  async #all<Item>(
    list: OwnList,
    { session }: Caller,
    read: (server: string) => Promise<Offered<Item>[]>,
  ): Promise<Offered<Item>[]> {
    const lists = this.servers.map(async id => {
      const upstream = session.upstreams.get(id);
      if (upstream && this.#isOwn(upstream, list)) {
        const items = await upstream.lists.read(list, upstream.live ?? (await upstream.ready()));
        return items.map(definition => ({ server: id, definition: definition as Item }));
      }
      return 'lastError' in this.#host.links.state(id) ? [] : inTime(read(id)).catch(() => []);
    });
    return (await Promise.all(lists)).flat();
  }
}

async function inTime<Item>(reading: Promise<Item[]>): Promise<Item[]> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<Item[]>(resolve => {
    timer = setTimeout(() => resolve([]), LIST_PATIENCE_MS);
  });
  return Promise.race([reading, tooLate]).finally(() => clearTimeout(timer));
}
