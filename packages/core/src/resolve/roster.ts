/** The servers of one run, as the rest of the house sees them. */
import type { NextStep } from '../base/error.ts';
import type { OAuthDef } from '../config/schema/server-schema.ts';
import type { TransportWord } from '../config/schema/server-words.ts';
import type { Site } from './site.ts';

export interface StdioEndpoint {
  readonly transport: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string | undefined;
  readonly env: Readonly<Record<string, string>>;
}

export interface RemoteEndpoint {
  /** As it is spoken: `streamable_http` is `http` on the wire. */
  readonly transport: 'http' | 'sse' | 'ws';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The program that serves the url, where Junctor has to start it. */
  readonly program: Omit<StdioEndpoint, 'transport'> | undefined;
  readonly signIn: SignInSettings;
}

/** What the config says about signing in to a server. */
export interface SignInSettings {
  /** false: never. */
  readonly oauth: OAuthDef | false;
  /** Id of the auth provider that has its credentials. */
  readonly provider: string | undefined;
  /** Which of several sign-ins; undefined: the one without a name. */
  readonly account: string | undefined;
  /** Its definition is not the person's own: a sign-in that names no address is never taken for its. */
  readonly ofProject?: true | undefined;
}

export interface Timeouts {
  readonly connectMs: number;
  readonly requestMs: number;
  /** Silence a tool call survives; progress starts it anew. */
  readonly toolIdleMs: number;
  readonly toolTotalMs: number;
  /** Total times of single tools. */
  readonly perToolMs: Readonly<Record<string, number>>;
  /** Somebody wrote how long a call may be silent; else the time of the whole call counts for that too. */
  readonly idleIsWritten: boolean;
  /** What the limits of tool calls are called where they are written. */
  readonly keys: { readonly idle: string; readonly total: string };
}

export type InstanceMode = 'shared' | 'per_session';

/** One server as it is used here: variables filled in, addresses rewritten, defaults applied. */
export interface ResolvedServer {
  /** Its id in the config. */
  readonly id: string;
  /** The word the config uses. */
  readonly written: TransportWord;
  /** One instance for all sessions, or one each. */
  readonly mode: InstanceMode;
  /** How it is reached. It may hold secrets. */
  readonly endpoint: StdioEndpoint | RemoteEndpoint;
  /** Where its program runs. Undefined: on this machine, or it has none that we start. */
  readonly site: Site | undefined;
  /** Whether its tools run without asking, where no rule says otherwise. */
  readonly trusted: boolean;
  /** How long things may take. */
  readonly timeouts: Timeouts;
  /** The largest message it may send. */
  readonly maxMessageBytes: number;
  /** Which era of MCP is spoken with it; `auto` finds out. */
  readonly protocol: 'auto' | 'legacy' | 'modern';
  /** Whether all that is said to it and by it is logged. */
  readonly debug: boolean;
  /** Everything it was made from, as one text: equal texts are the same server. */
  readonly definition: string;
  /** The part of it that a connection depends on: servers with equal texts may use one instance. */
  readonly connection: string;
  /** Whether the config leaves any of its tools out. */
  readonly filtered: boolean;
  /** Whether a bundle wants its tools searched, never listed. */
  readonly searched: boolean;
  /** Whether a tool of this name exists for anybody. */
  offers(tool: string): boolean;
}

export interface LeftOut {
  readonly id: string;
  readonly because: string;
  /**
   * `off`: somebody switched it off or left it out on purpose. `policy`: the executor does not allow it. `waiting`: it
   * came with a project and needs a person's approval. `broken`: something it names is missing or wrong.
   */
  readonly kind: 'off' | 'policy' | 'waiting' | 'broken';
  /** Of `waiting`: not the server itself waits, but the rules of the file that says where it is to run. */
  readonly forRules?: true;
  /** What to do about it, where that is not what its kind says. */
  readonly next?: NextStep;
}

/** The servers of one run. */
export interface Roster {
  /** By id. */
  readonly servers: ReadonlyMap<string, ResolvedServer>;
  /** The others, each with the reason. */
  readonly leftOut: readonly LeftOut[];
}
