/** What the servers offer, asked for once and kept until they say it changed: the catalogue and the links, joined. */
import { withDeadline } from './base/deadline.ts';
import { Catalogue } from './catalogue/catalogue.ts';
import { collectTools } from './catalogue/collect.ts';
import type { ToolDefinition } from './catalogue/entry.ts';
import type { NamingStrategy } from './catalogue/naming/strategy.ts';
import type { Snapshot } from './catalogue/snapshot.ts';
import type { Link } from './link/link.ts';
import type { Links } from './link/links.ts';

export interface SnapshotWait {
  readonly servers?: readonly string[];
  readonly patienceMs?: number;
}

/** A server that changes its list each time it is read is left without one until it rests. */
const MAX_READS = 5;

export class Offer {
  readonly #links: Links;
  readonly #catalogue = new Catalogue();
  readonly #collecting = new Map<string, Promise<void>>();

  constructor(links: Links) {
    this.#links = links;
  }

  /** The last snapshot while it still holds: lets a hot path go on without waiting. */
  get latest(): Snapshot | undefined {
    return this.#catalogue.latest;
  }

  drop(server: string): void {
    this.#catalogue.drop(server);
  }

  async snapshot(naming: NamingStrategy, { servers = this.#links.ids, patienceMs }: SnapshotWait): Promise<Snapshot> {
    const missing = servers.filter(id => !this.#catalogue.has(id));
    if (missing.length > 0) {
      const collecting = Promise.allSettled(missing.map(id => this.collect(id)));
      await (patienceMs === undefined ? collecting : atMost(patienceMs, collecting));
    }
    return this.#catalogue.snapshot(naming);
  }

  async collect(server: string): Promise<readonly ToolDefinition[]> {
    const known = this.#catalogue.toolsOf(server);
    if (known) return known;
    let collecting = this.#collecting.get(server);
    if (!collecting) {
      collecting = this.#read(server).finally(() => this.#collecting.delete(server));
      this.#collecting.set(server, collecting);
    }
    await collecting;
    return this.#catalogue.toolsOf(server) ?? [];
  }

  /** A server may change its list while it is being read, as some do right after their greeting: then it is read again. */
  async #read(server: string): Promise<void> {
    for (let attempt = 0; attempt < MAX_READS; attempt++) {
      const generation = this.#catalogue.generation(server);
      const link = await this.#links.ready(server);
      const tools = hasTools(link) ? (await collectTools(server, cursor => listPage(link, cursor))).tools : [];
      const offered = tools.filter(({ name }) => link.server.offers(name));
      if (this.#catalogue.put(server, offered, generation)) return;
    }
  }
}

/** Waits for the work or for the time, whichever ends first. The work goes on either way. */
async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  const timeUp = new Error('time is up');
  await withDeadline(work, { ms, error: () => timeUp }).catch(error => {
    if (error !== timeUp) throw error;
  });
}

function hasTools(link: Link): boolean {
  return link.greeting.capabilities.tools !== undefined;
}

async function listPage(link: Link, cursor: string | undefined): Promise<object> {
  return (await link.request('tools/list', cursor === undefined ? {} : { cursor })) as object;
}
