/** Which door a path leads to, and whether the bearer of a token may pass it. */
import type { Host } from '@junctor/core';
import { agentId } from '@junctor/core/light';
import type { AgentBook } from '../agents/agent-book.ts';
import type { Place } from '../agents/places.ts';
import { IN_PROJECT, inProject, type Project, type Projects } from '../agents/projects.ts';
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
  /** The project that its address names; absent where it names none. */
  readonly project?: Project;
}

export interface NoDoor {
  readonly status: 403 | 404 | 503;
  readonly because: string;
}

/** Letters, marks and an end that an address of an endpoint has only in another spelling of it. */
const OTHER_SPELLING = /[A-Z_]|\/$/;

/** An agent's endpoint, or that of one server; of a project, where the address names one. */
const ENDPOINT = /^\/(?:(mcp|sse|ws)\/([^/]+)|servers\/([^/]+)\/mcp)(?:\/w\/([^/]+))?$/;

/** The one address of an endpoint: the id of an agent may be spelled in several ways, and a slash may follow. */
export function endpointPath(path: string): string {
  if (!OTHER_SPELLING.test(path)) return path;
  const plain = path.replace(/\/$/, '');
  const [, way, name, server, project] = ENDPOINT.exec(plain) ?? [];
  if (name !== undefined) return inProject(`/${way}/${agentId(name)}`, project);
  return server === undefined ? path : plain;
}

export class DoorBook {
  readonly #book: AgentBook;
  readonly #doors: Doors;
  /** Undefined where the hub serves one config, whatever its clients work on. */
  readonly #projects: Projects | undefined;
  readonly #known = new Map<string, FoundDoor>();

  constructor(book: AgentBook, doors: Doors, projects: Projects | undefined) {
    this.#book = book;
    this.#doors = doors;
    this.#projects = projects;
    // Behind an agent's door may be other servers now; sessions go on, and find the new room at their next request.
    book.onChange(() => {
      this.#known.clear();
      doors.refit((path, executor) => this.#agentRoomAt(path, executor));
    });
  }

  /** Sees to it that what is behind the bearer's endpoints can be found. Undefined: it can. */
  settle(path: string, bearer: Bearer): Promise<unknown> | undefined {
    const executor = executorOf(bearer);
    const at = path.lastIndexOf(IN_PROJECT);
    const project = at < 0 ? undefined : this.#projects?.get(path.slice(at + IN_PROJECT.length));
    if (project === undefined && executor === undefined) return undefined;
    const [whose, agent] = [agentOf(bearer), ENDPOINT.exec(path)?.[2]];
    // Nothing is opened for a token that does not get in.
    if (bearer.kind === 'hub' || bearer.kind === METRICS || isOthers(agent, whose)) return undefined;
    return this.#book.settle(agent ?? whose, { executor, project });
  }

  /** `path` is that of `endpointPath`: each spelling would get an endpoint handler of its own, and sessions of its own. */
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
    if ('project' in bearer && bearer.project !== undefined && bearer.project !== door.project?.id)
      return { status: 403, because: 'This token was made for one project and opens nothing else' };
    if (bearer.kind === 'server' && door.server !== bearer.server)
      return { status: 403, because: `This token was made for /servers/${bearer.server}/mcp and opens nothing else` };
    if (whose === undefined) return door;
    if (isOthers(door.agent, whose)) return notYours(whose);
    if (
      door.server !== undefined &&
      !this.#book.hostAt(whose, { executor, project: door.project })?.serves(whose, door.server)
    )
      return { status: 403, because: `Agent '${whose}' does not get the server '${door.server}'` };
    return door;
  }

  /** A connection lasts: what is behind its door may be something else by the time of its next message. */
  roomAt(first: FoundDoor, bearer: Bearer): () => Room {
    return () => {
      // What is to be behind it now may have to be opened first; until then it stays what it was.
      this.settle(first.path, bearer)?.catch(() => {});
      const door = this.find(first.path, bearer);
      return 'status' in door ? first.room : door.room;
    };
  }

  #agentRoomAt(path: string, executor: string): Room | undefined {
    const [, , agent = '', , id] = ENDPOINT.exec(path) ?? [];
    const elsewhere = executor !== 'local';
    const place = { executor: elsewhere ? executor : undefined, project: this.#projects?.get(id ?? '') };
    if (!this.#book.hostAt(agent, place)) return undefined;
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

  #make(path: string, whose: string | undefined, executor: string | undefined): FoundDoor | NoDoor {
    const [, way, agent, server, id] = ENDPOINT.exec(path) ?? [];
    const project = id === undefined ? undefined : this.#projects?.get(id);
    if (id !== undefined && !project) return { status: 404, because: this.#noProject(id) };
    const place: Place = { executor, project };
    // Undefined where it is not open yet: what belongs elsewhere, or into a sandbox, never runs on this machine meanwhile.
    const host = this.#book.hostAt(agent ?? whose, place);
    if (!host && whose !== undefined && isOthers(agent, whose)) return notYours(whose);
    if (!host) return { status: 503, because: `${describePlace(place)} is not open yet: try again` };
    const named = project === undefined ? {} : { project };
    if (agent !== undefined) {
      if (!this.#knows(agent, host))
        return { status: 404, because: `Unknown agent '${agent}'. Known: ${this.#book.ids().join(', ')}` };
      return { path, way: way as FoundDoor['way'], room: this.#doors.agentRoom(host, agent), agent, ...named };
    }
    if (server === undefined) return { status: 404, because: NOTHING_HERE };
    if (host.server(server)) return { path, way: 'mcp', room: this.#doors.serverRoom(host, server), server, ...named };
    return { status: 404, because: `Unknown server '${server}'. Known: ${host.links.ids.join(', ')}` };
  }

  /** Files of a project may name agents of their own. */
  #knows(agent: string, { loaded }: Host): boolean {
    return this.#book.knows(agent) || Object.keys(loaded.frame.agents ?? {}).some(name => agentId(name) === agent);
  }

  #noProject(id: string): string {
    if (!this.#projects) return 'This hub serves one config in every folder: leave /w/… out of the address';
    return `Unknown project '${id}'. junctor connect and junctor run register the folder they are started in`;
  }
}

function isOthers(agent: string | undefined, whose: string | undefined): boolean {
  return agent !== undefined && whose !== undefined && agent !== whose;
}

function notYours(whose: string): NoDoor {
  return { status: 403, because: `This token belongs to agent '${whose}': its door is /mcp/${whose}` };
}

function describePlace({ executor, project }: Place): string {
  const what = executor === undefined ? `The project ${project?.folder}` : `What is on executor '${executor}'`;
  return project && executor !== undefined ? `${what} in ${project.folder}` : what;
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
