/** What the servers offer: their tools as numbered snapshots, known before a server has started, and their other lists. */
import type { Log } from '../../base/log/log.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import type { Entry, ToolDefinition } from '../../catalogue/entry.ts';
import { InstanceLists, type InstanceListsOptions } from '../../catalogue/lists/instance-lists.ts';
import { type ListName, TOOLS } from '../../catalogue/lists/list-kind.ts';
import type { Memory } from '../../catalogue/lists/memory.ts';
import { recallTools } from '../../catalogue/lists/recall-tools.ts';
import { type ListHooks, ServerLists } from '../../catalogue/lists/server-lists.ts';
import type { Snapshot, ToolList } from '../../catalogue/snapshot.ts';
import type { View } from '../../catalogue/view.ts';
import type { Link } from '../../connections/link.ts';
import type { Links } from '../../connections/links.ts';
import type { SiftedTools, ToolLock } from '../../permissions/lockfile/tool-lock.ts';
import { type CatalogueOptions, listRules } from './catalogue-options.ts';
import { logListed, logUnlisted } from './log-state.ts';
import { OtherLists } from './other-lists.ts';

/** Whose tools are wanted, and how long they are waited for. */
export interface SnapshotWait {
  /** Ids of the servers. Default: all. */
  readonly servers?: readonly string[] | undefined;
  /** Servers that have not answered after this long appear with the tools of an earlier connection, or not yet. */
  readonly patienceMs?: number | undefined;
  /** Whoever asks will ask again: nothing waits longer for the sake of a client that reads its list only once. */
  readonly again?: boolean | undefined;
  /** Takes the tools of an earlier connection where there are any, marked stale, and asks only servers without. */
  readonly known?: boolean | undefined;
  /**
   * With `patienceMs`: whether a server that was ended while nobody used it is started again though its tools are known.
   * Default: true.
   */
  readonly wake?: boolean | undefined;
}

export interface OfferOptions extends CatalogueOptions {
  readonly memory: Memory;
  readonly log: Log;
  /** Hides what nobody approved. The one of the config in use. */
  readonly lock: () => ToolLock;
  /** A list is another one than it was. */
  readonly onChanged: (server: string, list: ListName) => void;
}

export class Offer {
  readonly others: OtherLists;
  readonly #links: Links;
  readonly #options: OfferOptions;
  /** Loaded while the first servers start: nobody is in need of names before there are tools. */
  #catalogue: Catalogue | undefined;
  #loading: Promise<Catalogue> | undefined;
  readonly #tools: ServerLists<ToolDefinition, Link>;
  /** Lists are never changed in place, so the names of each are gathered once. */
  readonly #names = new WeakMap<readonly ToolDefinition[], ReadonlySet<string>>();
  /** Servers whose memory was asked: it does not change while we run. */
  readonly #recalled = new Set<string>();

  constructor(links: Links, options: OfferOptions) {
    this.#links = links;
    this.#options = options;
    const { memory, onChanged } = options;
    const rules = listRules(options);
    this.others = new OtherLists(links, { ...rules, onChanged });
    const onToolsChanged = (server: string): void => onChanged(server, 'tools');
    const hooks = this.#toolHooks;
    this.#tools = new ServerLists(
      links,
      TOOLS,
      { ...rules, onChanged: onToolsChanged },
      {
        ...hooks,
        onListed: (server, listing) => {
          hooks.onListed(server, listing);
          const { items, skipped, at } = listing;
          void memory.remember(server, { catalogue: { tools: items, skipped, at } });
        },
      },
    );
  }

  /** How tools are read, over whichever instance of a server. */
  get #toolHooks(): Required<ListHooks<ToolDefinition, Link>> {
    const { log } = this.#options;
    return {
      refuse: (link, tool) => link.admit(tool),
      offers: (server, { name }) => server.offers(name),
      onListed: (server, { items, skipped }) => logListed(log, server.id, items.length, skipped),
      onFailed: (server, error) => {
        // Why a server cannot be reached is in the log already, and one that was switched off has no lists.
        const state = this.#links.state(server);
        if (state.kind !== 'disabled' && !('lastError' in state)) logUnlisted(log, server, error);
      },
    };
  }

  /** The lists of one instance of a server beside the one that the host follows, whole: hosts that share it offer other parts. */
  ofInstance(options: Omit<InstanceListsOptions<Link>, 'tools'>): InstanceLists<Link> {
    const { offers: _, ...tools } = this.#toolHooks;
    return new InstanceLists({ ...options, tools });
  }

  /** The last snapshot that was taken: lets a hot path find a name without waiting. */
  get latest(): Snapshot | undefined {
    return this.#catalogue?.latest;
  }

  /** What a public name means that was given out, without waiting. */
  find(name: string): Entry | undefined {
    return this.#catalogue?.find(name);
  }

  /** Tools of a server that one caller has for itself, under the names everybody would see. */
  async shelve(server: string, tools: readonly ToolDefinition[], view: View): Promise<readonly Entry[]> {
    return (await this.prepare()).shelve(server, tools, view, this.#links.ids);
  }

  /** Has ready what gives tools their names. A good moment is while a server starts. */
  prepare(): Promise<Catalogue> {
    this.#loading ??= import('../../catalogue/catalogue.ts').then(({ Catalogue }) => {
      this.#catalogue = new Catalogue();
      return this.#catalogue;
    });
    return this.#loading;
  }

  async snapshot(view: View, wait: SnapshotWait = {}): Promise<Snapshot> {
    const { servers = this.#links.ids, patienceMs, known = false, wake } = wait;
    if (known || wake === false) this.#recall(servers);
    const confirmed = new Set<string>();
    const reading = servers
      .filter(id => !(known && this.#counts(id, true)) && !this.#tools.isCurrent(id))
      .map(async id => {
        if (patienceMs === undefined) return (await this.#tools.read(id)).confirmed && confirmed.add(id);
        this.#lookForSignIn(id);
        return (await this.#tools.soon(id, { patienceMs, wake }))?.confirmed && confirmed.add(id);
      });
    if (reading.length > 0) {
      await Promise.allSettled(reading);
      if (patienceMs !== undefined) this.#recall(servers);
    }
    const catalogue = await this.prepare();
    const lists = this.#lists(known || patienceMs !== undefined, confirmed);
    return catalogue.snapshot(view, lists, this.#links.ids);
  }

  /** What is known of these servers' tools, from this run or an earlier one. Nobody is asked. */
  async recalled(view: View, servers: readonly string[]): Promise<Snapshot> {
    this.#recall(servers);
    const catalogue = await this.prepare();
    return catalogue.snapshot(view, this.#lists(true, new Set()), this.#links.ids);
  }

  async collect(server: string): Promise<readonly ToolDefinition[]> {
    return (await this.sifted(server)).tools;
  }

  /** The tools of one server by whether a lockfile hides them. Not `confirmed`: the server cannot say what it offers now. */
  async sifted(server: string): Promise<SiftedTools & { readonly confirmed: boolean }> {
    const { list, confirmed } = await this.#tools.read(server);
    return { ...this.#options.lock().sift(server, list.items), confirmed };
  }

  /** How many tools a server offers, by its last list. */
  count(server: string): number {
    const held = this.#tools.held(server);
    return held ? this.#options.lock().sift(server, held.items).tools.length : 0;
  }

  /** Every tool the config lets through, whatever a lockfile says. */
  async listed(server: string): Promise<readonly ToolDefinition[]> {
    return (await this.#tools.read(server)).list.items;
  }

  /** Whether the last list of a server has this tool, also one of an earlier connection. Asks nobody. */
  lists(server: string, tool: string): boolean {
    if (!this.#tools.held(server)) this.#recall([server]);
    const items = this.#tools.held(server)?.items;
    if (!items) return false;
    let names = this.#names.get(items);
    if (!names) {
      names = new Set(items.map(({ name }) => name));
      this.#names.set(items, names);
    }
    return names.has(tool);
  }

  /** What is known of a tool without asking anybody. */
  known(server: string, tool: string): ToolDefinition | undefined {
    if (!this.#tools.isCurrent(server)) return undefined;
    return this.#tools.held(server)?.items.find(({ name }) => name === tool);
  }

  /** A server says that one of its lists changed: whoever asks next gets the new one. */
  announce(server: string, list: ListName): void {
    const dropped = this.#options.dropOnListChanged ?? true;
    const news = () => (list === 'tools' ? this.#tools.announce(server) : this.others.announce(server, list));
    if (!dropped || news()) this.#options.onChanged(server, list);
  }

  /** Drops every list of a server: whoever asks next gets what it offers then. */
  invalidate(server: string): void {
    this.#tools.forget(server);
    this.others.forget(server);
    // What an earlier run knew is even older.
    this.#recalled.add(server);
  }

  /** The server is defined otherwise, or gone: what is known of it belongs to another. */
  forget(server: string): void {
    this.invalidate(server);
    this.#recalled.delete(server);
  }

  /** A new connection: what was only remembered of the server can be confirmed now. */
  onReady(link: Link): void {
    const { id } = link.server;
    this.others.onReady(link);
    this.#tools.onReady(id);
    const held = this.#tools.held(id);
    if (!held) return;
    // A call may come over this link before anybody lists its tools.
    for (const tool of held.items) link.admit(tool);
  }

  /** A server that waits for a sign-in is connected once there is one. Nobody waits for that here. */
  #lookForSignIn(id: string): void {
    if (this.#links.state(id).kind === 'auth_required') this.#links.ready(id).catch(() => {}); // its state tells it
  }

  #recall(servers: readonly string[]): void {
    const known = new Set(this.#links.ids);
    for (const id of servers) {
      if (!known.has(id) || this.#tools.held(id) || this.#recalled.has(id)) continue;
      this.#recalled.add(id);
      const server = this.#links.expect(id);
      const listing = recallTools(this.#options.memory, server);
      if (listing) this.#tools.suggest(server, listing);
    }
  }

  /** Whether the held list of a server counts. One that was tried in vain is not vouched for by an earlier run. */
  #counts(id: string, withRemembered: boolean): boolean {
    const standing = this.#tools.held(id)?.standing;
    if (standing !== 'remembered') return standing !== undefined;
    return withRemembered && !('lastError' in this.#links.state(id));
  }

  #lists(withRemembered: boolean, confirmed: ReadonlySet<string>): Map<string, ToolList> {
    const lists = new Map<string, ToolList>();
    for (const id of this.#links.ids) {
      const held = this.#tools.held(id);
      if (!held || !this.#counts(id, withRemembered)) continue;
      const fresh = confirmed.has(id) || this.#tools.isCurrent(id);
      const { items, skipped, at } = held;
      const { tools, hidden } = this.#options.lock().sift(id, items);
      lists.set(id, { tools, skipped, hidden, staleSince: fresh ? undefined : new Date(at) });
    }
    return lists;
  }
}
