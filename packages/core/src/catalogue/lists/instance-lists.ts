/**
 * The lists of one instance of a server, from the moment it announces that they changed. Until then the host's lists are good
 * for all instances of the server, and this one is not asked.
 */
import { systemClock } from '../../base/time/clock.ts';
import type { ToolDefinition } from '../entry.ts';
import {
  type ListKind,
  type ListName,
  PROMPTS,
  type PromptDefinition,
  RESOURCE_TEMPLATES,
  RESOURCES,
  type ResourceDefinition,
  type ResourceTemplateDefinition,
  TOOLS,
} from './list-kind.ts';
import {
  type ListConnection,
  type ListConnections,
  type ListHooks,
  type ListWait,
  ServerLists,
} from './server-lists.ts';

/** What each list holds. */
export interface ListItems {
  readonly tools: ToolDefinition;
  readonly prompts: PromptDefinition;
  readonly resources: ResourceDefinition;
  readonly resourceTemplates: ResourceTemplateDefinition;
}

const KINDS: { readonly [Name in keyof ListItems]: ListKind<ListItems[Name]> } = {
  tools: TOOLS,
  prompts: PROMPTS,
  resources: RESOURCES,
  resourceTemplates: RESOURCE_TEMPLATES,
};

export interface InstanceListsOptions<Connection extends ListConnection> {
  /** The id of the server that it is an instance of. */
  readonly server: string;
  /** The connection of this instance. */
  readonly connections: ListConnections<Connection>;
  readonly tools: ListHooks<ToolDefinition, Connection>;
  /** A list is another one than it was, and the instance has not said so. */
  readonly onChanged: (list: ListName) => void;
}

type Changed<Connection extends ListConnection> = {
  [Name in keyof ListItems]?: ServerLists<ListItems[Name], Connection>;
};

export class InstanceLists<Connection extends ListConnection = ListConnection> {
  readonly #options: InstanceListsOptions<Connection>;
  #changed: Changed<Connection> = {};

  constructor(options: InstanceListsOptions<Connection>) {
    this.#options = options;
  }

  /** The instance says that a list changed. True where that is news to whoever read the list last. */
  announce(list: ListName): boolean {
    const news = this.#announce(list);
    return list === 'resources' ? this.#announce('resourceTemplates') || news : news;
  }

  /** Whether it has a list of this kind that may differ from the host's. */
  has(list: keyof ListItems): boolean {
    return this.#changed[list] !== undefined;
  }

  /** What it is known to offer now, without asking. */
  current<Name extends keyof ListItems>(list: Name): readonly ListItems[Name][] | undefined {
    const lists = this.#changed[list];
    const { server } = this.#options;
    return lists?.isCurrent(server) ? lists.held(server)?.items : undefined;
  }

  /** What it offers, as far as it says so in time. A list that failed is not waited for again over the same connection. */
  async soon<Name extends keyof ListItems>(
    list: Name,
    wait: ListWait,
  ): Promise<readonly ListItems[Name][] | undefined> {
    return (await this.#of(list).soon(this.#options.server, wait))?.list.items;
  }

  /** A new connection is as the host knows the server, as long as it says nothing else. */
  forget(): void {
    this.#changed = {};
  }

  #announce(list: keyof ListItems): boolean {
    return this.#of(list).announce(this.#options.server);
  }

  #of<Name extends keyof ListItems>(list: Name): ServerLists<ListItems[Name], Connection> {
    const known = this.#changed[list];
    if (known) return known as ServerLists<ListItems[Name], Connection>;
    const { connections, tools, onChanged } = this.#options;
    const kind = KINDS[list] as ListKind<ListItems[Name]>;
    // It counts until the instance says that it changed, or as long as the instance says.
    const rules = { ttlMs: Number.POSITIVE_INFINITY, clock: systemClock, onChanged: () => onChanged(kind.list) };
    const hooks = list === 'tools' ? (tools as unknown as ListHooks<ListItems[Name], Connection>) : {};
    const made = new ServerLists(connections, kind, rules, hooks);
    this.#changed = { ...this.#changed, [list]: made };
    return made;
  }
}
