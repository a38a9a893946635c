/** The MCP side of a hub: its rooms, the sessions in them, and the lives of servers behind. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Caller as CoreCaller, Host, ToolRef } from '@junctor/core';
import { type Clock, type ConnectionPool, systemClock } from '@junctor/core/internal';
import { Permits } from '../approvals/permits.ts';
import { DoorNotes } from '../calls/door-notes.ts';
import type { Records } from '../calls/records.ts';
import { unnoted } from '../calls/unnoted.ts';
import type { AskingServers } from '../relay/asking-servers.ts';
import type { ClientFeatures } from '../relay/client-capabilities.ts';
import { ParkedCalls } from '../relay/eras/parked-calls.ts';
import type { InstanceLimits } from '../relay/instance-limits.ts';
import { InstancePool } from '../relay/instance-pool.ts';
import { type InstanceReport, reportOf } from '../relay/instance-report.ts';
import { Instances } from '../relay/instances.ts';
import { Onlookers, printedBefore, type SeenListener } from '../relay/onlookers.ts';
import { PersonConnection } from '../relay/person-connection.ts';
import { HubTasks } from '../relay/tasks/hub-tasks.ts';
import type { Upstream } from '../relay/upstream.ts';
import type { Leases } from '../replicas/leases.ts';
import type { Register } from '../replicas/register.ts';
import { TokenEnds } from '../security/token-ends.ts';
import type { Room } from '../visit/room.ts';
import type { Session } from '../visit/session.ts';
import { Sessions } from '../visit/sessions.ts';
import { AgentRoom } from './agent-room.ts';
import { Bodies } from './bodies.ts';
import type { ClientConnection } from './client-connection.ts';
import { answerAtDoor, type Door, type DoorContext, type Visitor } from './door.ts';
import { Elsewhere } from './elsewhere.ts';
import type { House } from './house.ts';
import { KeepAlive } from './keep-alive.ts';
import { News } from './news.ts';
import { openPipeDoor, type PipeVisit } from './pipe-door.ts';
import { ServerRoom } from './server-room.ts';
import { SseDoor, type StreamVisit } from './sse-door.ts';
import { type SocketVisit, WsDoor } from './ws-door.ts';

interface OpenHouse extends House {
  readonly leased: boolean;
  readonly news: () => void;
}

export interface DoorsOptions extends InstanceLimits {
  /** Manages the connections of all hosts. */
  readonly connections: ConnectionPool;
  /** Which servers ask their clients. */
  readonly asking: AskingServers;
  /** What the client that came last could do. */
  readonly expectedClient?: ClientFeatures | undefined;
  readonly clock?: Clock | undefined;
  /** Of the hubs on this database, where there may be several. */
  readonly register?: Register | undefined;
  /** What there is to be once, where several hubs stand on one database. */
  readonly leases?: Leases | undefined;
  /** Of what is open with a token that ends by itself. */
  readonly ends?: TokenEnds | undefined;
}

/** A server whose traffic is watched: those of these hosts. */
export interface Watched {
  readonly server: string;
  readonly hosts: () => Iterable<Host>;
}

/** Whose host it is. */
export interface HostOwner {
  /** The folder of its project. */
  readonly project?: string | undefined;
  /** Whether other hubs on the same database may run its shared servers. A folder of this machine is none of theirs. */
  readonly leased?: boolean;
}

const LOOK_AGAIN_MS = 25;

/** Of what a program printed before somebody came to look. */
const LINES_BEFORE = 200;

export class Doors {
  readonly sessions: Sessions = new Sessions(({ id }, how) => {
    this.#records.sessions.closed(id, how);
    // What was allowed for a session ends with it.
    for (const host of this.#houses.keys()) host.grants.endSession(id);
  });
  readonly #records: Records;
  readonly #instances: InstancePool;
  readonly #leases: Leases | undefined;
  readonly #houses = new Map<Host, OpenHouse>();
  readonly #parked: ParkedCalls;
  readonly #tasks: HubTasks;
  readonly #permits: Permits;
  readonly #onlookers = new Onlookers();
  readonly #keepAlive = new KeepAlive();
  readonly #news = new News(this.sessions);
  readonly #context: DoorContext;
  readonly #sse: SseDoor;
  readonly #ws: WsDoor;

  constructor(
    records: Records,
    {
      clock = systemClock,
      register,
      leases,
      connections,
      expectedClient,
      asking,
      ends = new TokenEnds(),
      ...limits
    }: DoorsOptions,
  ) {
    this.#leases = leases;
    this.#records = records;
    this.#instances = new InstancePool({
      ...limits,
      connections,
      expectedClient,
      asking,
      onlookers: this.#onlookers,
      hosts: () => this.#houses.keys(),
      isLeased: host => this.#houses.get(host)?.leased ?? false,
      leases,
      onListChanged: (upstream, method, news) => this.#news.changedIn(upstream, method, news),
    });
    this.#parked = new ParkedCalls(register?.id);
    this.#tasks = new HubTasks(register?.id);
    this.#permits = new Permits(this.#parked, clock, register?.id);
    const { sessions } = this;
    const elsewhere =
      register &&
      new Elsewhere({
        register,
        rows: records.sessionRows,
        book: records.sessions,
        sessions,
        flush: () => records.flush(),
      });
    this.#context = {
      sessions,
      connections: new Set(),
      keepAlive: this.#keepAlive,
      bodies: new Bodies(),
      news: this.#news,
      ends,
      elsewhere,
    };
    this.#sse = new SseDoor(this.#context);
    this.#ws = new WsDoor(this.#context);
  }

  /** Takes a host in, before its servers start. */
  admit(host: Host, { project, leased = true }: HostOwner = {}): House {
    const known = this.#houses.get(host);
    if (known) return known;
    const instances = new Instances(this.#instances, host);
    const notes = new DoorNotes(this.#records, host);
    const house = {
      host,
      project,
      leased,
      instances,
      parked: this.#parked,
      tasks: this.#tasks,
      permits: this.#permits,
      notes,
      news: this.#news.follow(host),
    };
    this.#houses.set(host, house);
    return house;
  }

  /** Where a call runs that a person makes by hand. */
  byPerson(host: Host, { token }: CoreCaller, ref: ToolRef): PersonConnection {
    const { instances } = this.admit(host);
    return new PersonConnection({ instances, principal: token?.owner ?? 'person', ...ref });
  }

  /** Lets go of a host that is closed. */
  dismiss(host: Host): void {
    const house = this.#houses.get(host);
    this.#houses.delete(host);
    if (house) this.#instances.dismissed(host);
    house?.news();
  }

  /** Behind the doors of some sessions are other servers now: they are told, and need not ask for something else first. */
  refit(roomAt: (door: string, executor: string) => Room | undefined): void {
    const moved = new Set<Session>();
    for (const session of this.sessions.all) {
      const room = roomAt(session.door, session.room.host.resolution.executor);
      if (!room || room.host === session.room.host) continue;
      session.room = room;
      moved.add(session);
    }
    if (moved.size > 0) this.#news.replacedFor(moved);
  }

  /** Whether a client is connected to this host, or waits for an answer of it. */
  isBusy(host: Host): boolean {
    for (const { room, outlet, running } of this.sessions.all)
      if (room.host === host && (outlet?.open || running.size > 0)) return true;
    return false;
  }

  /** Ends the connections and sessions of clients of these hosts. */
  endAt(hosts: ReadonlySet<Host>, reason: string): void {
    for (const connection of [...this.#context.connections]) if (connection.isAt(hosts)) connection.hangUp(reason);
    for (const session of [...this.sessions.all]) if (hosts.has(session.room.host)) this.sessions.close(session);
  }

  /** Some servers of a host are new, others or gone: its agents are told. */
  serversChanged(host: Host): void {
    const sessions = [...this.sessions.all].filter(({ room }) => room.host === host);
    // Another host may still have the server that this one lost: its instance lives on without these sessions.
    for (const session of sessions) this.#instances.leaveAbsent(session, host);
    this.#news.replacedFor(new Set(sessions.filter(({ room }) => room instanceof AgentRoom)));
  }

  agentRoom(host: Host, agent: string): Room {
    return new AgentRoom(this.admit(host), agent);
  }

  serverRoom(host: Host, server: string): Room {
    return new ServerRoom(this.admit(host), server);
  }

  /** What this hub runs for others under a lease of this name. */
  peerRoom(lease: string): Room | undefined {
    const leased = this.#leases?.held(lease);
    if (!leased?.host) return undefined;
    return new ServerRoom({ ...this.admit(leased.host), notes: unnoted(leased.host) }, leased.server.id);
  }

  answer(door: Door, visitor: Visitor, request: IncomingMessage, response: ServerResponse): Promise<void> {
    return answerAtDoor(door, this.#context, visitor, request, response);
  }

  answerSse(visit: StreamVisit): Promise<void> {
    return this.#sse.answer(visit);
  }

  upgrade(visit: SocketVisit): Promise<void> {
    return this.#ws.upgrade(visit);
  }

  openPipe(visit: PipeVisit): ClientConnection {
    return openPipeDoor(this.#context, visit);
  }

  /** Tells of all that is said to a server and by it, until the function that comes back is called. */
  watch({ server, hosts }: Watched, listener: SeenListener): () => void {
    const isIts = ({ server: { id, connection } }: Upstream): boolean =>
      id === server && Iterator.from(hosts()).some(host => host.server(id)?.connection === connection);
    const upstreams = (): Upstream[] => this.#instances.all.filter(isIts);
    for (const { instance, life } of upstreams()) {
      const text = instance.link?.conversation.program.output?.lines(LINES_BEFORE) ?? '';
      if (text !== '') listener(printedBefore(life, text));
    }
    // Servers of two projects may have one id. What ended is still heard out.
    const lives = new Set<number>();
    const own: SeenListener = seen => {
      if (!lives.has(seen.life)) for (const { life } of upstreams()) lives.add(life);
      if (lives.has(seen.life)) listener(seen);
    };
    this.#onlookers.add(server, own);
    for (const upstream of upstreams()) upstream.look();
    return () => {
      this.#onlookers.remove(server, own);
      for (const upstream of upstreams()) upstream.look();
    };
  }

  /** Every life of every server, and the sessions that use it. */
  report(): InstanceReport[] {
    return this.#instances.lives().map(({ upstream, users }) => reportOf(upstream, users));
  }

  /** Ends at once all that is open for these owners of tokens, and all that was kept for them. */
  sendAway(principals: ReadonlySet<string>, reason: string): void {
    for (const connection of [...this.#context.connections])
      if (principals.has(connection.principal)) connection.hangUp(reason);
    for (const session of [...this.sessions.all]) if (principals.has(session.principal)) this.sessions.close(session);
    this.#permits.endOf(principals, reason);
    this.#parked.endOf(principals, reason);
    this.#tasks.endOf(principals, reason);
    this.#instances.endHeldBy(principals);
  }

  /** Waits until nothing runs here for other hubs, so long at most. */
  async finishForPeers(graceMs: number): Promise<void> {
    const busy = (): boolean =>
      [...this.sessions.all].some(one => one.owner.bearer.kind === 'hub' && one.running.size > 0);
    for (const end = performance.now() + graceMs; busy() && performance.now() < end; ) await sleep(LOOK_AGAIN_MS);
  }

  async close(): Promise<void> {
    this.#news.close();
    await this.#ws.close();
    this.sessions.closeAll();
    this.#permits.close();
    this.#parked.close();
    this.#tasks.close();
    this.#keepAlive.close();
    for (const host of [...this.#houses.keys()]) this.dismiss(host);
    this.#instances.close();
  }
}
