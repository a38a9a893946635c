/**
 * Which life of a server a caller uses. `shared`: one for all sessions. `per_session`: one for each, and the one that was
 * started to list tools becomes the first session's. How many there are is bounded, and what nobody uses is ended.
 */
import type { Host, ResolvedServer } from '@junctor/core';
import type { Link } from '@junctor/core/inside';
import type { Whereabouts } from '../replicas/whereabouts.ts';
import { isOneSession } from '../visit/principal.ts';
import type { Caller } from '../visit/room.ts';
import type { Session } from '../visit/session.ts';
import { ANY_CLIENT, capabilitiesOf } from './client-capabilities.ts';
import { DEFAULT_IDLE_MS, DEFAULT_MAX_PER_SERVER, type InstanceLimits, tooMany } from './instance-limits.ts';
import { ModernLives } from './modern-lives.ts';
import type { Onlookers } from './onlookers.ts';
import { isKeptForSome, patienceWith } from './patience.ts';
import { type Lender, Upstream, type UpstreamOptions } from './upstream.ts';

export interface InstancesOptions extends InstanceLimits {
  readonly host: Host;
  readonly onlookers: Onlookers;
  /** Where shared servers run, if there are several hubs. */
  readonly whereabouts?: Whereabouts | undefined;
  /** A list changed in one life of a server. */
  readonly onListChanged: (upstream: Upstream, method: string) => void;
}

const LONGEST_SWEEP_MS = 60_000;

export class Instances implements Lender {
  readonly #options: InstancesOptions;
  readonly #host: Host;
  /** The lives that list tools, by server id. */
  readonly #first = new Map<string, Upstream>();
  readonly #modern = new ModernLives(server => this.#another(server, 'modern', {}));
  /** Lives of one session each, beside the first. */
  readonly #own = new Set<Upstream>();
  readonly #sweeper: NodeJS.Timeout;

  constructor(options: InstancesOptions) {
    this.#options = options;
    this.#host = options.host;
    this.#host.links.equip(server => this.#firstOf(server).outfit);
    const { idleMs = DEFAULT_IDLE_MS } = options;
    this.#sweeper = setInterval(() => this.#endIdle(idleMs), Math.min(idleMs / 4, LONGEST_SWEEP_MS)).unref();
  }

  /** The life of a server that this caller uses, at once where that is possible. */
  for(caller: Caller, id: string): Upstream | Promise<Upstream> {
    const server = this.#host.links.expect(id);
    const { session } = caller;
    const where = this.#options.whereabouts?.of(server) ?? 'here';
    if (where instanceof Promise) return where.then(() => this.for(caller, id));
    const known = session.upstreams.get(id);
    // Another definition is another server; and an agent that got servers of its own has left those of all.
    const same = known && known.lender === this && known.server.definition === server.definition;
    if (same && known.isLine === (where === 'there')) return known;
    known?.lender.release(known, session);
    if (where === 'there') return this.#lend(this.#lineFor(caller, server), session);
    if (server.mode === 'per_session') return this.#lend(this.#ownFor(caller, server), session);
    const first = this.#firstOf(server);
    if (caller.era === 'legacy' || !this.#modern.mayBeBeside(first)) return this.#lend(first, session);
    return this.#modern.of(server).then(modern => this.#lend(modern ?? first, session));
  }

  /** Whether it is the life that lists tools, which the host itself follows. */
  isFirst(upstream: Upstream): boolean {
    return this.#first.get(upstream.server.id) === upstream;
  }

  /** Every life of every server, and who uses it. */
  get all(): readonly Upstream[] {
    return [...this.#first.values(), ...this.#modern.all, ...this.#own];
  }

  /** The same as people see it: the lines of sessions to another hub are one life, which runs there. */
  lives(): readonly { readonly upstream: Upstream; readonly users: readonly Session[] }[] {
    const lines = [...this.#own].filter(({ isLine }) => isLine);
    return this.all.flatMap(upstream => {
      if (upstream.isLine) return [];
      const away = this.isFirst(upstream) ? lines.filter(({ server }) => server.id === upstream.server.id) : [];
      return [{ upstream, users: [upstream, ...away].flatMap(({ users }) => [...users]) }];
    });
  }

  close(): void {
    clearInterval(this.#sweeper);
    for (const { server } of this.#first.values()) this.#options.whereabouts?.release(server);
  }

  #lend(upstream: Upstream, session: Session): Upstream {
    session.upstreams.set(upstream.server.id, upstream);
    upstream.users.add(session);
    upstream.usedAt = performance.now();
    if (session.logLevel) upstream.wantLevel().catch(() => {});
    return upstream;
  }

  /**
   * A life of the server for this caller's session alone, though sessions share it: the shared one is held up by another
   * session, whose person is being asked say.
   */
  demote(caller: Caller, id: string): Upstream {
    const { session } = caller;
    const server = this.#host.links.expect(id);
    const known = session.upstreams.get(id);
    if (known?.owner === session) return known;
    const own = this.#newOwn(caller, server);
    known?.lender.release(known, session);
    return this.#lend(own, session);
  }

  /** The session is over, or goes elsewhere: what it alone held is ended. */
  release(upstream: Upstream, session: Session): void {
    session.upstreams.delete(upstream.server.id);
    upstream.forget(session);
    if (upstream.owner !== session) return;
    const heir = [...upstream.users].find(({ holder }) => holder === session.holder);
    if (heir) upstream.owner = heir;
    // The run may come back with another connection, and finds its server as it left it.
    if (heir || isOneSession(session.principal)) {
      upstream.usedAt = performance.now();
      return;
    }
    upstream.owner = undefined;
    void this.#endLife(upstream);
  }

  /** Whoever held these may not come back: also what waits for a run is ended. */
  endHeldBy(principals: ReadonlySet<string>): void {
    for (const upstream of this.all) if (principals.has(upstream.owner?.principal ?? '')) this.#takeBack(upstream);
  }

  /** The first can be opened again, by whoever lists tools or comes next; any other is gone for good. */
  async #endLife(upstream: Upstream): Promise<void> {
    if (this.#own.delete(upstream) || this.#modern.remove(upstream)) return upstream.instance.giveUp();
    await upstream.instance.end();
  }

  #firstOf(server: ResolvedServer): Upstream {
    const known = this.#first.get(server.id);
    if (known?.server.definition === server.definition) return known;
    const { onListChanged, whereabouts } = this.#options;
    if (known) whereabouts?.release(known.server);
    const reach = whereabouts?.covers(server) ? (one: ResolvedServer) => whereabouts.reach(one) : undefined;
    // Clients of the hub speak the older era as long as they do not say otherwise: answers pass to them as they are.
    const upstream = new Upstream({
      ...this.#begun(server),
      era: 'legacy',
      capabilities: ANY_CLIENT,
      onListChanged,
      reach,
    });
    this.#first.set(server.id, upstream);
    upstream.instance = this.#host.links.first(server.id);
    return upstream;
  }

  #ownFor(caller: Caller, server: ResolvedServer): Upstream {
    const first = this.#firstOf(server);
    const held = [first, ...this.#own].find(upstream => isHeldFor(upstream, caller, server));
    if (held) {
      if (held.owner?.ended) held.owner = caller.session;
      return held;
    }
    const fits = caller.era === 'legacy' || first.live?.greeting.era === 'modern';
    if (!first.owner && fits) return this.#adopt(first, caller.session);
    return this.#newOwn(caller, server);
  }

  /**
   * A session has a line of its own to the hub where the server runs: only that one sees all sessions, and tells which of
   * them the server means.
   */
  #lineFor(caller: Caller, server: ResolvedServer): Upstream {
    const held = [...this.#own].find(upstream => upstream.isLine && isHeldFor(upstream, caller, server));
    if (held) return held;
    const line = this.#another(server, 'legacy', capabilitiesOf(caller), true);
    line.owner = caller.session;
    this.#own.add(line);
    return line;
  }

  #newOwn(caller: Caller, server: ResolvedServer): Upstream {
    const { maxPerServer = DEFAULT_MAX_PER_SERVER } = this.#options;
    const count = [...this.#own].filter(({ server: { id }, isLine }) => id === server.id && !isLine).length + 1;
    if (count >= maxPerServer) throw tooMany(server.id, maxPerServer);
    const upstream = this.#another(server, caller.era, capabilitiesOf(caller));
    upstream.owner = caller.session;
    this.#own.add(upstream);
    return upstream;
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
    const { onListChanged, whereabouts } = this.#options;
    const prepare = (link: Link): Promise<void> => this.#admitTools(link);
    const reach = line && whereabouts ? (one: ResolvedServer) => whereabouts.line(one) : undefined;
    const upstream = new Upstream({ ...this.#begun(server), era, capabilities, onListChanged, prepare, reach, line });
    upstream.instance = this.#host.links.another(server.id, upstream.outfit);
    return upstream;
  }

  #begun(server: ResolvedServer): Pick<UpstreamOptions, 'server' | 'lender' | 'life' | 'onlooker'> {
    const { onlookers } = this.#options;
    const life = onlookers.newLife();
    return { server, lender: this, life, onlooker: () => onlookers.for(server.id, life) };
  }

  /** Some tools want arguments repeated as headers: a connection has to know them before one is called. */
  async #admitTools(link: Link): Promise<void> {
    if (link.greeting.era === 'legacy' || link.server.endpoint.transport !== 'http') return;
    const tools = await this.#host.listedTools(link.server.id).catch(() => []);
    for (const tool of tools) link.admit(tool);
  }

  #endIdle(idleMs: number): void {
    const now = performance.now();
    for (const upstream of [...this.#own, ...this.#modern.all, ...[...this.#first.values()].filter(isKeptForSome)]) {
      if (upstream.inUse || upstream.usedAt > now - patienceWith(upstream, idleMs)) continue;
      this.#takeBack(upstream);
    }
  }

  #takeBack(upstream: Upstream): void {
    for (const session of [...upstream.users]) {
      session.upstreams.delete(upstream.server.id);
      upstream.forget(session);
    }
    upstream.owner = undefined;
    void this.#endLife(upstream);
  }
}

/** Whether it is held for other connections of the same run. */
function isHeldFor({ owner, server }: Upstream, { session, era }: Caller, wanted: ResolvedServer): boolean {
  return owner?.holder === session.holder && owner.era === era && server.definition === wanted.definition;
}
