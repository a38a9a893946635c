/**
 * The lists of all servers of an agent, under names that lead back to their server. An instance that a session has for itself
 * may list something else than the host knows; where its list is bad or late, the host's list of that server stands in.
 */
import type { Entry, Host, Offered, PromptDefinition, Snapshot, SnapshotWait, ToolDefinition } from '@junctor/core';
import {
  cleanListed,
  clientOf,
  isAppOnly,
  type ListItems,
  publicNames,
  SEARCH_PATIENCE_MS,
  showsApps,
} from '@junctor/core/internal';
import type { Upstream } from '../relay/upstream.ts';
import { type Located, publicUri, readPublicUri } from '../results/public-uri.ts';
import type { Caller } from '../visit/room.ts';
import type { House } from './house.ts';

export interface NamedTools {
  /** Sorted by name. */
  readonly byName: ReadonlyMap<string, Entry>;
  /** Tools for the user interfaces of servers, by public name. */
  readonly appOnly: ReadonlyMap<string, Entry>;
  /** How many of them their reader takes. */
  readonly cap: number | undefined;
}

interface Named {
  readonly server: string;
  readonly definition: PromptDefinition;
  readonly name: string;
}

/** A list waits this long for servers that have just been started; a slow one must not make a client give up on all. */
export const LIST_PATIENCE_MS = 5000;

/** How lists are read for clients: a server that rests is not started only to be listed again. */
export const LIST_WAIT: { readonly patienceMs: number; readonly wake: boolean } = {
  patienceMs: LIST_PATIENCE_MS,
  wake: false,
};

export class AgentLists {
  readonly #house: House;
  readonly #host: Host;
  readonly #agent: string;
  /** What was made of the tools of an instance, by public name. */
  readonly #named = new WeakMap<readonly ToolDefinition[], ReadonlyMap<string, Entry>>();

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

  /** Whether an instance that this caller has for itself offers other tools than the host knows of: of one server, or any. */
  hasOwnTools({ session }: Caller, server?: string): boolean {
    for (const upstream of session.upstreams.values())
      if ((server === undefined || upstream.server.id === server) && this.#isOwn(upstream, 'tools')) return true;
    return false;
  }

  /** The tools of all servers, as this caller has them. */
  async ownTools(caller: Caller, wait: SnapshotWait = LIST_WAIT): Promise<NamedTools> {
    const own = this.#withOwnTools(caller);
    const [snapshot, lists] = await Promise.all([
      this.#host.snapshot({ ...this.reader, servers: this.servers, ...wait }),
      Promise.all(own.map(upstream => this.#toolsOf(upstream))),
    ]);
    const replaced = new Set(own.flatMap(({ server }, index) => (lists[index] ? [server.id] : [])));
    const kept = [...snapshot.byName.values(), ...snapshot.appOnly.values()].filter(
      ({ server }) => !replaced.has(server) && this.#host.serves(this.#agent, server),
    );
    const added = lists.flatMap(tools => (tools ? [...tools.values()] : []));
    const all = [...kept, ...added].sort((a, b) => (a.name < b.name ? -1 : 1));
    const named = (app: boolean) =>
      new Map(all.filter(one => isAppOnly(one.definition) === app).map(entry => [entry.name, entry]));
    return { byName: named(false), appOnly: named(true), cap: snapshot.cap };
  }

  /**
   * The tool of a public name, where some instances of this caller have tools of their own. Only those lists are waited for
   * that can hold it: a call must not wait for the list of another server.
   */
  ownTool(name: string, caller: Caller): Entry | undefined | Promise<Entry | undefined> {
    for (const { lists } of this.#withOwnTools(caller)) {
      const tools = lists.current('tools');
      const found = tools && this.#named.get(tools)?.get(name);
      if (found && takes(caller, found)) return found;
    }
    return this.#findOwnTool(name, caller);
  }

  async #findOwnTool(name: string, caller: Caller): Promise<Entry | undefined> {
    const wait = { servers: this.servers, ...LIST_WAIT };
    const known = this.named(await this.#host.snapshot({ ...this.reader, ...wait }), name, caller);
    const own = this.#withOwnTools(caller).filter(({ server }) => known === undefined || server.id === known.server);
    if (known && own.length === 0) return known;
    const lists = await Promise.all(own.map(upstream => this.#toolsOf(upstream)));
    const found = lists.map(tools => tools?.get(name)).find(entry => entry && takes(caller, entry));
    return found ?? (lists.includes(undefined) ? known : undefined);
  }

  /** Every tool that this caller may search, sorted by name. */
  async searchable(caller: Caller): Promise<readonly Entry[]> {
    const wait = { patienceMs: SEARCH_PATIENCE_MS, again: true, wake: false };
    if (this.hasOwnTools(caller)) return [...(await this.ownTools(caller, wait)).byName.values()];
    return this.mine(await this.#host.snapshot({ ...this.reader, servers: this.servers, ...wait }));
  }

  /** The tool of a public name, where this caller gets it. */
  named({ byName, appOnly }: Pick<Snapshot, 'byName' | 'appOnly'>, name: string, caller: Caller): Entry | undefined {
    return byName.get(name) ?? this.forApps({ appOnly }, caller).find(one => one.name === name);
  }

  /** Tools for the user interfaces of servers. Only a client that shows these interfaces gets any. */
  forApps({ appOnly }: Pick<Snapshot, 'appOnly'>, { capabilities }: Caller): readonly Entry[] {
    if (appOnly.size === 0 || !showsApps(capabilities)) return [];
    return [...appOnly.values()].filter(({ server }) => this.#host.serves(this.#agent, server));
  }

  /** What of a snapshot this agent gets, also what is beyond the number of tools its client takes. */
  mine({ byName }: Snapshot): readonly Entry[] {
    return [...byName.values()].filter(({ server }) => this.#host.serves(this.#agent, server));
  }

  async resources(caller: Caller): Promise<object> {
    const all = await this.#all('resources', caller, id => this.#host.resources(id, LIST_WAIT));
    return {
      resources: all.map(({ server, definition }) => ({
        ...cleanListed(definition),
        uri: publicUri(server, definition.uri),
      })),
    };
  }

  async templates(caller: Caller): Promise<object> {
    const all = await this.#all('resourceTemplates', caller, id => this.#host.resourceTemplates(id, LIST_WAIT));
    return {
      resourceTemplates: all.map(({ server, definition }) => ({
        ...cleanListed(definition),
        uriTemplate: publicUri(server, definition.uriTemplate),
      })),
    };
  }

  async prompts(caller: Caller): Promise<object> {
    return {
      prompts: (await this.#namedPrompts(caller)).map(({ definition, name }) => ({ ...cleanListed(definition), name })),
    };
  }

  /** The server and its own name of a prompt. */
  async prompt(name: string, caller: Caller): Promise<{ readonly server: string; readonly name: string } | undefined> {
    const found = (await this.#namedPrompts(caller)).find(prompt => prompt.name === name);
    return found && { server: found.server, name: found.definition.name };
  }

  /** Whose resource it is. A tool may show an address as its server has it: that is good where it is clear whose it is. */
  async locate(uri: string, caller: Caller): Promise<Located | undefined> {
    const found = readPublicUri(uri);
    if (found) return this.#host.serves(this.#agent, found.server) ? found : undefined;
    const all = await this.#all('resources', caller, id => this.#host.resources(id, LIST_WAIT));
    const having = all.filter(({ definition }) => definition.uri === uri);
    return having.length === 1 && having[0] ? { server: having[0].server, uri } : undefined;
  }

  async #namedPrompts(caller: Caller): Promise<Named[]> {
    const all = await this.#all('prompts', caller, id => this.#host.prompts(id, LIST_WAIT));
    const identities = all.map(({ server, definition }) => ({ server, tool: definition.name }));
    const names = publicNames(identities, 'server_tool', { servers: this.#host.links.ids });
    return all
      .map((prompt, index) => ({ ...prompt, name: names[index] as string }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  #withOwnTools({ session }: Caller): Upstream[] {
    return [...session.upstreams.values()].filter(upstream => this.#isOwn(upstream, 'tools'));
  }

  #isOwn(upstream: Upstream, list: keyof ListItems): boolean {
    if (!upstream.lists.has(list) || this.#house.instances.isFirst(upstream)) return false;
    // Where a lockfile says what is offered, nothing is added to it.
    return list !== 'tools' || this.#host.lockfileOf(upstream.server.id) === undefined;
  }

  /** The tools of an instance by public name; undefined where it does not say in time what it offers. */
  async #toolsOf({ server, lists }: Upstream): Promise<ReadonlyMap<string, Entry> | undefined> {
    const tools = lists.current('tools') ?? (await lists.soon('tools', LIST_WAIT));
    if (!tools) return undefined;
    const known = this.#named.get(tools);
    if (known) return known;
    const offered = tools.filter(({ name }) => this.#host.server(server.id)?.offers(name));
    const entries = await this.#host.shelve(server.id, offered, this.reader);
    const named = new Map(entries.map(entry => [entry.name, entry]));
    this.#named.set(tools, named);
    return named;
  }

  /** Of every server, as far as it is known. One that failed comes back by itself, and is not waited for. */
  async #all<Name extends keyof ListItems>(
    list: Name,
    { session }: Caller,
    read: (server: string) => Promise<Offered<ListItems[Name]>[]>,
  ): Promise<Offered<ListItems[Name]>[]> {
    const lists = this.servers.map(async id => {
      const upstream = session.upstreams.get(id);
      const own = upstream && this.#isOwn(upstream, list) ? await upstream.lists.soon(list, LIST_WAIT) : undefined;
      if (own) return own.map(definition => ({ server: id, definition }));
      // The config may take a server out meanwhile.
      return read(id).catch(() => []);
    });
    return (await Promise.all(lists)).flat();
  }
}

/** Whether the client gets the tool: one for the user interface of a server is of use only where that is shown. */
function takes({ capabilities }: Caller, { definition }: Entry): boolean {
  return !isAppOnly(definition) || showsApps(capabilities);
}
