/** What stands behind a door, and who comes to it. */
import type { Host, ServerLogLevel, Surface, ToolDefinition } from '@junctor/core';
import type { EraName, Frame } from '@junctor/core/internal';
import type { Subscriber } from '../relay/subscriptions.ts';
import type { Upstream } from '../relay/upstream.ts';
import type { Flight } from './flight.ts';
import type { Reply } from './reply.ts';
import type { Session } from './session.ts';

export interface Request {
  readonly method: string;
  readonly params: Record<string, unknown>;
}

/** Who sends a request. In the older era that is a session; in the newer one every request says it anew. */
export interface Caller {
  readonly era: EraName;
  readonly session: Session;
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly logLevel: ServerLogLevel | undefined;
}

/** One request on its way through a door. */
export interface Visit {
  readonly request: Request;
  readonly reply: Reply;
  readonly flight: Flight;
  readonly caller: Caller;
  /** Says an answer of the server in other words. Undefined: it has nothing to add. */
  readonly translate?: ((frame: Frame) => object | undefined) | undefined;
}

/** All servers of an agent, or one server as it is. */
export interface Room {
  /** Whose servers are behind the door. */
  readonly host: Host;
  /** Where its requests enter. */
  readonly surface: Surface;
  /** The agent it is the endpoint of; undefined at a server's own. */
  readonly agent: string | undefined;
  /** The folder of the project whose servers these are; undefined where they belong to none. */
  readonly project: string | undefined;
  /** The result of initialize. */
  greet(params: Record<string, unknown>, caller: Caller): Promise<object>;
  /** What server/discover tells, but for what is the same at every door. */
  discover(caller: Caller): Promise<object>;
  serve(request: Request, reply: Reply, flight: Flight, caller: Caller): void | Promise<void>;
  /** The tool behind a public name: its schema says which arguments are repeated as headers. */
  toolNamed(name: string, caller: Caller): ToolDefinition | undefined | Promise<ToolDefinition | undefined>;
  /** What a server tells, in the words of this door. */
  outward(server: string, method: string, params: object): object;
  /** From now on the subscriber hears of this resource. Undefined where there is none. */
  subscribe(uri: string, subscriber: Subscriber, caller: Caller): Promise<Followed | undefined>;
  /** Tells the caller of each change of a task of theirs. Undefined: they have no such task. */
  followTask(id: string, caller: Caller, tell: (state: object) => void): FollowedTask | undefined;
  /** The lives of servers whose news a caller waits for; opened if need be. */
  watched(caller: Caller): Promise<readonly Upstream[]>;
  /** Whether the lists of this server, as the host knows them, are what the session is shown. `news`: which one changed. */
  shows(host: Host, server: string, session: Session, news: string): boolean;
  /** Whether a session that uses this instance of a server hears that a list of it changed. `news`: nobody heard since it was read. */
  showsListsOf(upstream: Upstream, news: boolean): boolean;
}

/** A task that somebody hears about. */
export interface FollowedTask {
  /** As it is now, where there is something to say about it. */
  readonly now: object | undefined;
  stop(): void;
}

/** A resource at the server that has it. */
export interface Followed {
  readonly upstream: Upstream;
  readonly uri: string;
}
