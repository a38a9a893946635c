/** Which door a path leads to, and whether the bearer of a token may pass it. */
import type { Host } from '@junctor/core';
import type { AgentBook } from '../agents/agent-book.ts';
import type { Doors } from '../endpoint/doors.ts';
import { PEER_DOOR } from '../replicas/peer-door.ts';
import { type Bearer, METRICS } from '../store/bearer.ts';
import type { Room } from '../visit/room.ts';

export interface FoundDoor {
  readonly path: string;
  /** How it is spoken to: `mcp` is Streamable HTTP. */
  readonly way: 'mcp' | 'sse' | 'ws';
  readonly room: Room;
  /** The agent whose door it is; absent for a server's own door. */
  readonly agent?: string;
  /** The server behind it; absent for an agent's door. */
  readonly server?: string;
}

export interface NoDoor {
  readonly status: 403 | 404 | 503;
  readonly because: string;
}

export class DoorBook {
  readonly #book: AgentBook;
  readonly #doors: Doors;
  readonly #known = new Map<string, FoundDoor>();

  constructor(book: AgentBook, doors: Doors) {
    this.#book = book;
    this.#doors = doors;
    // Behind an agent's door may be other servers now; sessions go on, and find the new room at their next request.
    book.onChange(() => {
      this.#known.clear();
      doors.keepOnly([...book.hosts().map(({ host }) => host), ...book.hostsElsewhere()]);
      doors.refit((path, executor) => this.#agentRoomAt(path, executor));
    });
  }

  /** Sees to it that what is behind the bearer's doors can be found. Undefined: it can. */
  settle(bearer: Bearer): Promise<unknown> | undefined {
    const executor = executorOf(bearer);
    return executor === undefined ? undefined : this.#book.settle(agentOf(bearer), executor);
  }

  find(path: string, bearer: Bearer): FoundDoor | NoDoor {
    if (bearer.kind === 'hub') return this.#peerDoor(path);
    if (bearer.kind === METRICS) return { status: 403, because: 'This token opens /metrics only' };
    const whose = agentOf(bearer);
    const executor = executorOf(bearer);
    // A server's own door is that of the bearer's server: another agent may have another one under this id.
    const key = `${whose ?? ''} ${executor ?? ''} ${path}`;
    const known = this.#known.get(key);
    const door = known ?? this.#make(path, whose, executor);
    if ('status' in door) return door;
    if (!known) this.#known.set(key, door);
    if (bearer.kind === 'server' && door.server !== bearer.server)
      return { status: 403, because: `This token was made for /servers/${bearer.server}/mcp and opens nothing else` };
    if (whose === undefined) return door;
    if (door.agent !== undefined && door.agent !== whose)
      return { status: 403, because: `This token belongs to agent '${whose}': its door is /mcp/${whose}` };
    if (door.server !== undefined && !this.#hostOf(whose, executor)?.serves(whose, door.server))
      return { status: 403, because: `Agent '${whose}' does not get the server '${door.server}'` };
    return door;
  }

  /** A connection lasts: what is behind its door may be something else by the time of its next message. */
  roomAt(first: FoundDoor, bearer: Bearer): () => Room {
    return () => {
      // What is to be behind it now may have to be opened first; until then it stays what it was.
      this.settle(bearer)?.catch(() => {});
      const door = this.find(first.path, bearer);
      return 'status' in door ? first.room : door.room;
    };
  }

  #agentRoomAt(path: string, executor: string): Room | undefined {
    const agent = path.split('/').at(-1) ?? '';
    const elsewhere = executor !== 'local';
    if (elsewhere && !this.#book.hostOn(agent, executor)) return undefined;
    const door = this.find(path, elsewhere ? { kind: 'agent', agent, executor } : { kind: 'person' });
    return 'status' in door || door.agent === undefined ? undefined : door.room;
  }

  /** The only doors for other hubs, and for nobody else. */
  #peerDoor(path: string): FoundDoor | NoDoor {
    const [, lease] = PEER_DOOR.exec(path) ?? [];
    if (lease === undefined) return { status: 404, because: NOTHING_HERE };
    const room = this.#doors.peerRoom(lease);
    return room ? { path, way: 'ws', room } : { status: 503, because: 'Another hub runs this server by now' };
  }

  /** Undefined where it is not open yet: what belongs elsewhere, or into a sandbox, never runs on this machine meanwhile. */
  #hostOf(agent: string | undefined, executor: string | undefined): Host | undefined {
    return executor === undefined ? this.#book.hostOf(agent) : this.#book.hostOn(agent, executor);
  }

  #make(path: string, whose: string | undefined, executor: string | undefined): FoundDoor | NoDoor {
    const [, way, name] = /^\/(mcp|sse|ws)\/([^/]+)$/.exec(path) ?? [];
    const agent = name?.toLowerCase();
    const server = /^\/servers\/([^/]+)\/mcp$/.exec(path)?.[1];
    const host = this.#hostOf(agent ?? whose, executor);
    if (!host) return { status: 503, because: `What is on executor '${executor}' is not open yet: try again` };
    if (agent !== undefined) {
      if (!this.#book.knows(agent))
        return { status: 404, because: `Unknown agent '${agent}'. Known: ${this.#book.ids().join(', ')}` };
      return { path, way: way as FoundDoor['way'], room: this.#doors.agentRoom(host, agent), agent };
    }
    if (server === undefined) return { status: 404, because: NOTHING_HERE };
    if (host.server(server)) return { path, way: 'mcp', room: this.#doors.serverRoom(host, server), server };
    return { status: 404, because: `Unknown server '${server}'. Known: ${host.links.ids.join(', ')}` };
  }
}

function agentOf(bearer: Bearer): string | undefined {
  return bearer.kind === 'agent' ? bearer.agent : undefined;
}

/** Undefined for this machine. */
function executorOf(bearer: Bearer): string | undefined {
  return bearer.kind === 'agent' && bearer.executor !== 'local' ? bearer.executor : undefined;
}

const NOTHING_HERE =
  'Nothing is here. Agents connect to /mcp/<agent>, /sse/<agent> or /ws/<agent>, one server is at /servers/<id>/mcp';
