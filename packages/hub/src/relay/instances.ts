/**
 * Which instance of a server a caller of one host uses. `shared`: one for all sessions, also those of other hosts with an equal
 * server. `per_session`: one for each, and the one that was started to list tools becomes the first session's.
 */
import type { Host, ResolvedServer } from '@junctor/core';
import type { Link } from '@junctor/core/internal';
import type { Caller } from '../visit/room.ts';
import type { Session } from '../visit/session.ts';
import { capabilitiesOf, sameFeatures } from './client-capabilities.ts';
import { DEFAULT_MAX_PER_SERVER, shareOf, tooMany, unusedOfLargest } from './instance-limits.ts';
import type { InstancePool } from './instance-pool.ts';
import { Upstream } from './upstream.ts';

export class Instances {
  readonly #pool: InstancePool;
  readonly #host: Host;

  constructor(pool: InstancePool, host: Host) {
    this.#pool = pool;
    this.#host = host;
  }

  /** The instance of a server that this caller uses, at once where that is possible. */
  for(caller: Caller, id: string): Upstream | Promise<Upstream> {
    const server = this.#host.links.expect(id);
    const { session } = caller;
    const where = this.#pool.whereabouts?.of(server) ?? 'here';
    if (where instanceof Promise) return where.then(() => this.for(caller, id));
    const known = session.upstreams.get(id);
    // Another connection is another server, and an instance that was given up never comes back.
    const same = known && !known.isOver && known.server.connection === server.connection;
    if (same && known.isLine === (where === 'there')) return known;
    if (known) this.#pool.release(known, session);
    this.#pool.forgetOver();
    if (where === 'there') return this.#lend(this.#lineFor(caller, server), session);
    if (caller.era === 'legacy') this.#pool.expectedClient = caller.capabilities;
    if (server.mode === 'per_session') return this.#lend(this.#ownFor(caller, server), session);
    const first = this.#firstOf(server);
    const { modern } = this.#pool;
    if (caller.era === 'legacy' || !modern.mayBeBeside(first)) return this.#lend(first, session);
    return modern
      .of(server, () => this.#another(server, 'modern', {}))
      .then(found => this.#lend(found ?? first, session));
  }

  /** Whether it is the instance that lists tools, which the host itself follows. */
  isFirst(upstream: Upstream): boolean {
    return this.#pool.isFirst(upstream);
  }

  /**
   * An instance for this caller's session alone, though sessions share the server: the shared one is held up by another
   * session, whose person is being asked say.
   */
  demote(caller: Caller, id: string): Upstream {
    const { session } = caller;
    const server = this.#host.links.expect(id);
    const known = session.upstreams.get(id);
    if (known?.owner === session && !known.isOver) return known;
    const own = this.#newOwn(caller, server);
    if (known) this.#pool.release(known, session);
    return this.#lend(own, session);
  }

  /** The instance for calls that a person makes by hand, where sessions share the server; else one of that person alone. */
  forPerson(principal: string, id: string): Upstream {
    const server = this.#host.links.expect(id);
    this.#pool.forgetOver();
    return server.mode === 'shared' ? this.#firstOf(server) : this.ownOfPerson(principal, id);
  }

  /** It is kept for the next call of this person, until nobody used it for a while. */
  ownOfPerson(principal: string, id: string): Upstream {
    const server = this.#host.links.expect(id);
    const isTheirs = (one: Upstream): boolean =>
      one.person === principal && one.server.connection === server.connection && !one.isOver;
    const known = [...this.#pool.own].find(isTheirs);
    if (known) return known;
    this.#makeRoom(server, principal);
    // Nobody answers questions there: the server is told of no features.
    const upstream = this.#another(server, 'legacy', {});
    upstream.person = principal;
    this.#pool.own.add(upstream);
    return upstream;
  }

  #lend(upstream: Upstream, session: Session): Upstream {
    session.upstreams.set(upstream.server.id, upstream);
    upstream.users.add(session);
    upstream.usedAt = performance.now();
    if (session.logLevel) upstream.wantLevel().catch(() => {});
    return upstream;
  }

  #firstOf(server: ResolvedServer): Upstream {
    return this.#pool.firstAt(this.#host.links.first(server.id));
  }

  #ownFor(caller: Caller, server: ResolvedServer): Upstream {
    const first = this.#firstOf(server);
    const held = [first, ...this.#pool.own].find(upstream => isHeldFor(upstream, caller, server));
    if (held) {
      if (held.owner?.ended) held.owner = caller.session;
      return held;
    }
    if (!first.owner && this.#fits(first, caller)) return this.#adopt(first, caller.session);
    return this.#newOwn(caller, server);
  }

  /**
   * Whether the instance that lists tools can be this caller's. It was opened before the client was there, and told of the
   * features of another: it might offer what this client cannot serve.
   */
  #fits(first: Upstream, caller: Caller): boolean {
    if (caller.era === 'modern') return first.live?.greeting.era === 'modern';
    return sameFeatures(caller.capabilities, first.capabilities);
  }

  /**
   * A session has a line of its own to the hub where the server runs: only that one sees all sessions, and tells which of
   * them the server means.
   */
  #lineFor(caller: Caller, server: ResolvedServer): Upstream {
    const held = [...this.#pool.own].find(upstream => upstream.isLine && isHeldFor(upstream, caller, server));
    if (held) return held;
    const line = this.#another(server, 'legacy', capabilitiesOf(caller), true);
    line.owner = caller.session;
    this.#pool.own.add(line);
    return line;
  }

  #newOwn(caller: Caller, server: ResolvedServer): Upstream {
    this.#makeRoom(server, caller.session.principal);
    const upstream = this.#another(server, caller.era, capabilitiesOf(caller));
    upstream.owner = caller.session;
    this.#pool.own.add(upstream);
    return upstream;
  }

  /** Throws where the server has as many instances as it may. */
  #makeRoom(server: ResolvedServer, principal: string): void {
    const { maxPerServer = DEFAULT_MAX_PER_SERVER } = this.#pool;
    const all = [...this.#pool.own].filter(one => one.server.connection === server.connection && !one.isLine);
    const own = all.filter(one => one.principal === principal).length;
    const share = shareOf(maxPerServer);
    if (own >= share) throw tooMany(server.id, maxPerServer, share);
    if (all.length + 1 >= maxPerServer) {
      const unused = unusedOfLargest(all, own);
      if (!unused) throw tooMany(server.id, maxPerServer);
      this.#pool.takeBack(unused);
    }
  }

  #adopt(first: Upstream, session: Session): Upstream {
    first.owner = session;
    // It asked for folders before anybody was there to name some.
    if (session.isParty && session.capabilities.roots && first.live?.greeting.era === 'legacy')
      first.live.conversation.notify('notifications/roots/list_changed');
    return first;
  }

  #another(
    server: ResolvedServer,
    era: 'legacy' | 'modern',
    capabilities: Readonly<Record<string, unknown>>,
    line = false,
  ): Upstream {
    const { whereabouts } = this.#pool;
    const prepare = (link: Link): Promise<void> => {
      if (!line && era === 'legacy' && !sameFeatures(capabilities, this.#firstOf(server).capabilities))
        void this.#compareTools(upstream, link);
      return this.#admitHeaders(link);
    };
    const reach = line && whereabouts ? (one: ResolvedServer) => whereabouts.line(one) : undefined;
    const upstream = new Upstream({ ...this.#pool.begun(server), era, capabilities, prepare, reach, line });
    upstream.instance = this.#host.links.another(server.id, upstream.outfit);
    return upstream;
  }

  /** A server may offer other tools to a client with other features: then the instance has a list of its own. */
  async #compareTools(upstream: Upstream, link: Link): Promise<void> {
    const { id } = link.server;
    const connections = { expect: () => link.server, live: () => link, ready: async () => link };
    const own = this.#host.instanceLists({ server: id, connections, onChanged: () => {} });
    const wait = { patienceMs: link.server.timeouts.requestMs };
    const [listed, known] = await Promise.all([own.soon('tools', wait), this.#host.listedTools(id)]).catch(() => []);
    const offers = this.#host.server(id)?.offers;
    if (!listed || !known || !offers || upstream.instance.link !== link) return;
    const namesOf = (tools: readonly { readonly name: string }[]): string =>
      JSON.stringify(tools.map(({ name }) => name).filter(offers));
    if (namesOf(listed) !== namesOf(known)) upstream.listsDiffer();
  }

  /** Some tools want arguments repeated as headers: a connection has to know them before one is called. */
  async #admitHeaders(link: Link): Promise<void> {
    if (link.greeting.era === 'legacy' || link.server.endpoint.transport !== 'http') return;
    await this.admitTools(link);
  }

  /** Lets a connection know what the server's tools need to be called. */
  async admitTools(link: Link): Promise<void> {
    const tools = await this.#host.listedTools(link.server.id).catch(() => []);
    for (const tool of tools) link.admit(tool);
  }
}

/** Whether it is held for other connections of the same run. */
function isHeldFor({ owner, server }: Upstream, { session, era }: Caller, wanted: ResolvedServer): boolean {
  return owner?.holder === session.holder && owner.era === era && server.connection === wanted.connection;
}
