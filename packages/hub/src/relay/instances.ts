/**
 * Which life of a server a caller uses. `shared`: one for all sessions. `per_session`: one for each, and the one that was
 * started to list tools becomes the first session's. How many there are is bounded, and what nobody uses is ended.
 */
import { type Host, JunctorError, type ResolvedServer } from '@junctor/core';
import type { Link } from '@junctor/core/inside';
import { isOneSession } from '../endpoint/principal.ts';
import type { Caller } from '../endpoint/room.ts';
import type { Session } from '../endpoint/session.ts';
import type { Onlookers } from './onlookers.ts';
import { type Lender, Upstream, type UpstreamOptions } from './upstream.ts';

export interface InstanceLimits {
  /** A server has at most so many lives at once. */
  readonly maxPerServer?: number | undefined;
  /** A life that nobody used for this long is ended; whoever comes next has a new one. */
  readonly idleMs?: number | undefined;
}

export interface InstancesOptions extends InstanceLimits {
  readonly host: Host;
  readonly onlookers: Onlookers;
  /** A list changed in one life of a server. */
  readonly onListChanged: (upstream: Upstream, method: string) => void;
}

/** Each may be a process: more than this of one server is rather a mistake than a need. */
export const DEFAULT_MAX_PER_SERVER = 64;
export const DEFAULT_IDLE_MS = 10 * 60_000;
const LONGEST_SWEEP_MS = 60_000;
/** A run whose last connection is gone has this long to come back; most are over. */
const RETURN_MS = 30_000;

/** What servers are told of clients that are not known yet. A client that lacks some of it says so when it is asked. */
const ANY_CLIENT = { roots: { listChanged: true }, sampling: {}, elicitation: { form: {}, url: {} } };

export class Instances implements Lender {
  readonly #options: InstancesOptions;
  readonly #host: Host;
  /** The lives that list tools, by server id. */
  readonly #first = new Map<string, Upstream>();
  /** Lives in the newer era beside a first one that speaks the older, where sessions share a server. */
  readonly #modern = new Map<string, Upstream>();
  /** Definitions of servers that were found to speak only the older era. */
  readonly #onlyLegacy = new Set<string>();
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
    const known = session.upstreams.get(id);
    // Another definition is another server; and an agent that got servers of its own has left those of all.
    if (known && known.lender === this && known.server.definition === server.definition) return known;
    known?.lender.release(known, session);
    if (server.mode === 'per_session') return this.#lend(this.#ownFor(caller, server), session);
    const first = this.#firstOf(server);
    if (caller.era === 'legacy' || !this.#maySpeakModern(first)) return this.#lend(first, session);
    return this.#modernOf(server).then(modern => this.#lend(modern ?? first, session));
  }

  /** Whether it is the life that lists tools, which the host itself follows. */
  isFirst(upstream: Upstream): boolean {
    return this.#first.get(upstream.server.id) === upstream;
  }

  /** Every life of every server, and who uses it. */
  get all(): readonly Upstream[] {
    return [...this.#first.values(), ...this.#modern.values(), ...this.#own];
  }

  close(): void {
    clearInterval(this.#sweeper);
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

  /** The first can be opened again, by whoever lists tools or comes next; any other is gone for good. */
  async #endLife(upstream: Upstream): Promise<void> {
    if (this.#own.delete(upstream) || this.#modern.get(upstream.server.id) === upstream) {
      if (this.#modern.get(upstream.server.id) === upstream) this.#modern.delete(upstream.server.id);
      return upstream.instance.giveUp();
    }
    await upstream.instance.end();
  }

  #firstOf(server: ResolvedServer): Upstream {
    const known = this.#first.get(server.id);
    if (known?.server.definition === server.definition) return known;
    const { onListChanged } = this.#options;
    // Clients of the hub speak the older era as long as they do not say otherwise: answers pass to them as they are.
    const upstream = new Upstream({ ...this.#begun(server), era: 'legacy', capabilities: ANY_CLIENT, onListChanged });
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

  #newOwn(caller: Caller, server: ResolvedServer): Upstream {
    const { maxPerServer = DEFAULT_MAX_PER_SERVER } = this.#options;
    const count = [...this.#own].filter(({ server: { id } }) => id === server.id).length + 1;
    if (count >= maxPerServer) throw tooMany(server.id, maxPerServer);
    // In the newer era each request says what its client can do, and the next may say something else.
    const capabilities = caller.era === 'legacy' ? caller.capabilities : ANY_CLIENT;
    const upstream = this.#another(server, caller.era, capabilities);
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

  /** A server that Junctor starts itself is not started twice, only to be spoken to in another way. */
  #maySpeakModern({ server, live }: Upstream): boolean {
    if (server.endpoint.transport !== 'http' || server.endpoint.program || server.protocol === 'legacy') return false;
    return live?.greeting.era !== 'modern' && !this.#onlyLegacy.has(server.definition);
  }

  async #modernOf(server: ResolvedServer): Promise<Upstream | undefined> {
    let upstream = this.#modern.get(server.id);
    if (upstream?.server.definition !== server.definition) {
      upstream = this.#another(server, 'modern', {});
      this.#modern.set(server.id, upstream);
    }
    const link = upstream.live ?? (await upstream.ready().catch(() => undefined));
    if (link?.greeting.era === 'modern') return upstream;
    // What keeps it from answering is told by the first life, to whoever uses that.
    if (link) this.#onlyLegacy.add(server.definition);
    if (this.#modern.get(server.id) === upstream) await this.#endLife(upstream);
    return undefined;
  }

  #another(
    server: ResolvedServer,
    era: 'legacy' | 'modern',
    capabilities: Readonly<Record<string, unknown>>,
  ): Upstream {
    const { onListChanged } = this.#options;
    const prepare = (link: Link): Promise<void> => this.#admitTools(link);
    const upstream = new Upstream({ ...this.#begun(server), era, capabilities, onListChanged, prepare });
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
    const adopted = [...this.#first.values()].filter(({ owner }) => owner);
    for (const upstream of [...this.#own, ...this.#modern.values(), ...adopted]) {
      const patienceMs = upstream.owner?.ended ? Math.min(idleMs, RETURN_MS) : idleMs;
      if (upstream.inUse || upstream.usedAt > now - patienceMs) continue;
      for (const session of [...upstream.users]) {
        session.upstreams.delete(upstream.server.id);
        upstream.forget(session);
      }
      upstream.owner = undefined;
      void this.#endLife(upstream);
    }
  }
}

/** Whether it is held for other connections of the same run. */
function isHeldFor({ owner, server }: Upstream, { session, era }: Caller, wanted: ResolvedServer): boolean {
  return owner?.holder === session.holder && owner.era === era && server.definition === wanted.definition;
}

function tooMany(id: string, max: number): JunctorError {
  return new JunctorError('too_many_instances', `Server '${id}' runs ${max} times already, once for each session.`, {
    server: id,
    why: `no more than ${max} are allowed at once`,
    hint: `end sessions that are not needed, set "mode": "shared" on server '${id}', or start the hub with a higher --max-instances`,
  });
}
