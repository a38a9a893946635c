/**
 * Every instance of every server of one hub, whichever host asked for it, and the sessions that use each. How many there are
 * is bounded by instances.ts, which decides who uses which; what nobody uses is ended here.
 */
import type { Host, ResolvedServer } from '@junctor/core';
import type { ConnectionPool, Instance, Onlooker } from '@junctor/core/internal';
import type { Leases } from '../replicas/leases.ts';
import { Whereabouts } from '../replicas/whereabouts.ts';
import type { Session } from '../visit/session.ts';
import type { AskingServers } from './asking-servers.ts';
import { ANY_CLIENT, type ClientFeatures } from './client-capabilities.ts';
import { DEFAULT_IDLE_MS, type InstanceLimits } from './instance-limits.ts';
import { leaveLines } from './leave-lines.ts';
import { ModernLives } from './modern-lives.ts';
import type { Onlookers } from './onlookers.ts';
import { isWorthEnding, patienceWith } from './patience.ts';
import { type Lender, Upstream, type UpstreamOptions } from './upstream.ts';

export interface InstancePoolOptions extends InstanceLimits {
  readonly connections: ConnectionPool;
  readonly onlookers: Onlookers;
  /** The hosts whose servers these are. */
  readonly hosts: () => Iterable<Host>;
  /** Whether other hubs on the same database may run the shared servers of a host. */
  readonly isLeased: (host: Host) => boolean;
  /** What there is to be once, where several hubs stand on one database. */
  readonly leases?: Leases | undefined;
  /** What the client that came last could do. Default: any client may come. */
  readonly expectedClient?: ClientFeatures | undefined;
  /** Which servers ask their clients. */
  readonly asking: AskingServers;
  /** A list changed in one instance of a server. */
  readonly onListChanged: UpstreamOptions['onListChanged'];
}

const LONGEST_SWEEP_MS = 60_000;

export class InstancePool implements Lender {
  readonly #options: InstancePoolOptions;
  /** The instances that list tools. */
  readonly #first = new Map<Instance, Upstream>();
  /** Beside first instances that speak the older era, where sessions share a server. */
  readonly modern: ModernLives = new ModernLives();
  /** Instances of one session each, beside the first. */
  readonly own: Set<Upstream> = new Set();
  /** Where shared servers run, if there are several hubs. */
  readonly whereabouts: Whereabouts | undefined;
  /** What the next client can probably do. */
  expectedClient: ClientFeatures;
  readonly #sweeper: NodeJS.Timeout;

  constructor(options: InstancePoolOptions) {
    this.#options = options;
    const { leases, expectedClient = ANY_CLIENT } = options;
    this.expectedClient = expectedClient;
    this.whereabouts = leases && new Whereabouts(leases, server => this.hostWith(server, options.isLeased));
    leases?.onMoved(({ server }) => leaveLines(this, server.connection));
    options.connections.equip(instance => this.firstAt(instance).outfit);
    const { idleMs = DEFAULT_IDLE_MS } = options;
    this.#sweeper = setInterval(() => this.#endIdle(idleMs), Math.min(idleMs / 4, LONGEST_SWEEP_MS)).unref();
  }

  get maxPerServer(): number | undefined {
    return this.#options.maxPerServer;
  }

  /** Whether it is the instance that lists tools, which hosts follow themselves. */
  isFirst(upstream: Upstream): boolean {
    return this.#first.get(upstream.instance) === upstream;
  }

  /** Every instance, and who uses it. */
  get all(): readonly Upstream[] {
    return [...this.#first.values(), ...this.modern.all, ...this.own].filter(({ isOver }) => !isOver);
  }

  /** The same as people see it: the lines of sessions to another hub are one instance, which runs there. */
  lives(): readonly { readonly upstream: Upstream; readonly users: readonly Session[] }[] {
    const lines = [...this.own].filter(({ isLine }) => isLine);
    return this.all.flatMap(upstream => {
      if (upstream.isLine) return [];
      const { connection } = upstream.server;
      const away = this.isFirst(upstream) ? lines.filter(({ server }) => server.connection === connection) : [];
      return [{ upstream, users: [upstream, ...away].flatMap(({ users }) => [...users]) }];
    });
  }

  /**
   * What stands for a connection that hosts have now. A server that was taken out and came back has another connection, though
   * its definition is the same.
   */
  firstAt(instance: Instance): Upstream {
    const known = this.#first.get(instance);
    if (known) return known;
    this.forgetOver();
    const { server } = instance;
    const { whereabouts } = this;
    const reach = whereabouts?.covers(server) ? (one: ResolvedServer) => whereabouts.reach(one) : undefined;
    // A server that sessions share serves any client. One of each session most likely serves the client that came last.
    const capabilities = server.mode === 'shared' ? ANY_CLIENT : this.expectedClient;
    // Clients of the hub speak the older era as long as they do not say otherwise: answers pass to them as they are.
    const upstream = new Upstream({ ...this.begun(server), era: 'legacy', capabilities, reach });
    upstream.instance = instance;
    this.#first.set(instance, upstream);
    return upstream;
  }

  /** What every instance of a server begins with. */
  begun(
    server: ResolvedServer,
  ): Pick<UpstreamOptions, 'server' | 'lender' | 'life' | 'questions' | 'onlooker' | 'onListChanged' | 'makeLists'> {
    const { onlookers, onListChanged, asking } = this.#options;
    const questions = asking.of(server);
    const life = onlookers.newLife();
    const makeLists: UpstreamOptions['makeLists'] = options => this.#hostOf(server).instanceLists(options);
    const onlooker = (): Onlooker | undefined => onlookers.for(server.id, life);
    return { server, lender: this, life, questions, onlooker, onListChanged, makeLists };
  }

  /** A host that has this server, or one with an equal connection. */
  hostWith({ id, connection }: ResolvedServer, suits: (host: Host) => boolean = () => true): Host | undefined {
    for (const host of this.#options.hosts())
      if (host.server(id)?.connection === connection && suits(host)) return host;
    return undefined;
  }

  /** The session is over, or goes elsewhere: what it alone held is ended. */
  release(upstream: Upstream, session: Session): void {
    session.upstreams.delete(upstream.server.id);
    upstream.forget(session);
    if (upstream.owner !== session) return;
    const heir = [...upstream.users].find(({ holder }) => holder === session.holder);
    if (heir) upstream.owner = heir;
    // The run may come back with another connection, and finds its server as it left it. So does the owner of a task.
    if (heir || session.isOfOneRun || upstream.tasks.kept > 0) {
      upstream.usedAt = performance.now();
      return;
    }
    upstream.owner = undefined;
    void this.#endLife(upstream);
  }

  /** The session lets go of servers that its host no longer has. */
  leaveAbsent(session: Session, host: Host): void {
    for (const upstream of [...session.upstreams.values()])
      if (host.server(upstream.server.id)?.connection !== upstream.server.connection) this.release(upstream, session);
  }

  /** Who held these may not come back: also what waits for a run is ended. */
  endHeldBy(principals: ReadonlySet<string>): void {
    for (const upstream of this.all) if (principals.has(upstream.principal ?? '')) this.takeBack(upstream);
  }

  /** Their servers left the config of every host: they answer nobody, and must not count against the limits. */
  forgetOver(): void {
    for (const upstream of this.own) if (upstream.isOver) this.own.delete(upstream);
    for (const upstream of this.modern.all) if (upstream.isOver) this.modern.remove(upstream);
    for (const [instance, { server, isOver }] of this.#first) {
      if (!isOver) continue;
      this.#first.delete(instance);
      if (!this.hostWith(server)) this.whereabouts?.release(server);
    }
  }

  /** A host is about to close. What no other host has may run at another hub from now on. */
  dismissed(host: Host): void {
    for (const server of host.resolution.servers.values())
      if (!this.hostWith(server)) this.whereabouts?.release(server);
  }

  close(): void {
    clearInterval(this.#sweeper);
    for (const { server } of this.#first.values()) this.whereabouts?.release(server);
  }

  /** The first can be opened again, by a list or a call; any other is gone for good. */
  async #endLife(upstream: Upstream): Promise<void> {
    if (this.own.delete(upstream) || this.modern.remove(upstream)) return upstream.instance.giveUp();
    await upstream.instance.end();
  }

  #endIdle(idleMs: number): void {
    this.forgetOver();
    const now = performance.now();
    for (const upstream of [...this.own, ...this.modern.all, ...[...this.#first.values()].filter(isWorthEnding)]) {
      if (upstream.inUse || upstream.usedAt > now - patienceWith(upstream, idleMs)) continue;
      this.takeBack(upstream);
    }
  }

  /** Ends an instance, whoever uses it. */
  takeBack(upstream: Upstream): void {
    for (const session of [...upstream.users]) {
      session.upstreams.delete(upstream.server.id);
      upstream.forget(session);
    }
    upstream.owner = undefined;
    void this.#endLife(upstream);
  }

  /** A host that has this server: how its lists are read is the same for all. */
  #hostOf(server: ResolvedServer): Host {
    const found = this.hostWith(server) ?? [...this.#options.hosts()][0];
    if (!found) throw new Error(`no host has server '${server.id}'`);
    return found;
  }
}
