/** What the servers offer: their tools as numbered snapshots, known before a server has started, and their other lists. */
import { withDeadline } from './base/deadline.ts';
import type { Log } from './base/log.ts';
import type { Catalogue } from './catalogue/catalogue.ts';
import type { Entry, ToolDefinition } from './catalogue/entry.ts';
import { type ListName, TOOLS } from './catalogue/list-kind.ts';
import type { Snapshot, ToolList } from './catalogue/snapshot.ts';
import type { View } from './catalogue/view.ts';
import { type CatalogueOptions, listRules } from './catalogue-options.ts';
import type { SiftedTools, ToolLock } from './gate/tool-lock.ts';
import type { Link } from './link/link.ts';
import type { Links } from './link/links.ts';
import type { Memory } from './link/memory.ts';
import { logListed } from './log-state.ts';
import { OtherLists } from './other-lists.ts';
import { recallTools } from './recall-tools.ts';
import { ServerLists } from './server-lists.ts';

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
  readonly #tools: ServerLists<ToolDefinition>;
  /** Servers whose memory was asked: it does not change while we run. */
  readonly #recalled = new Set<string>();

  constructor(links: Links, options: OfferOptions) {
    this.#links = links;
    this.#options = options;
    const { memory, onChanged } = options;
    const rules = listRules(options);
    this.others = new OtherLists(links, { ...rules, onChanged });
    const onToolsChanged = (server: string): void => onChanged(server, 'tools');
    this.#tools = new ServerLists(
      links,
      TOOLS,
      { ...rules, onChanged: onToolsChanged },
      {
        refuse: (link, tool) => link.admit(tool),
        offers: (server, { name }) => server.offers(name),
        onListed: (server, { items, skipped, at }) => {
          logListed(options.log, server.id, items.length, skipped);
          void memory.remember(server, { catalogue: { tools: items, skipped, at } });
        },
      },
    );
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
    this.#loading ??= import('./catalogue/catalogue.ts').then(({ Catalogue }) => {
      this.#catalogue = new Catalogue();
      return this.#catalogue;
    });
    return this.#loading;
  }

  async snapshot(view: View, wait: SnapshotWait = {}): Promise<Snapshot> {
    const { servers = this.#links.ids, patienceMs, known = false } = wait;
    if (known) this.#recall(servers);
    const confirmed = new Set<string>();
    const reading = servers
      .filter(id => !(known && this.#counts(id, true)) && !this.#tools.isCurrent(id))
      .map(async id => {
        if ((await this.#tools.read(id)).confirmed) confirmed.add(id);
      });
    if (reading.length > 0) {
      const all = Promise.allSettled(reading);
      await (patienceMs === undefined ? all : atMost(patienceMs, all));
      if (patienceMs !== undefined) this.#recall(servers);
    }
    const catalogue = await this.prepare();
    const lists = this.#lists(known || patienceMs !== undefined, confirmed);
    return catalogue.snapshot(view, lists, this.#links.ids);
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
    const held = this.#tools.held(id);
    if (!held) return;
    // A call may come over this link before anybody lists its tools.
    for (const tool of held.items) link.admit(tool);
    if (held.standing === 'remembered') this.#tools.read(id).catch(() => {}); // its state tells the failure
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

/** Waits for the work or for the time, whichever ends first. The work goes on either way. */
async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  const timeUp = new Error('time is up');
  await withDeadline(work, { ms, error: () => timeUp }).catch(error => {
    if (error !== timeUp) throw error;
  });
}
