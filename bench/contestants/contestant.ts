/** What takes part: libraries that a host imports, and gateways that clients reach over http. */
export interface StdioUpstream {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
}

export interface HttpUpstream {
  readonly name: string;
  readonly url: string;
}

export type Upstream = StdioUpstream | HttpUpstream;

/** A library with its servers connected. */
export interface Connection {
  /** All tools of all servers, in the form the library hands to a model loop. */
  list(): Promise<readonly unknown[]>;
  /** Calls a tool of the first server by its plain name, and gives the text of the answer. */
  call(tool: string, args: Readonly<Record<string, unknown>>): Promise<string>;
  close(): Promise<unknown>;
}

export interface Library {
  readonly name: string;
  /** Loads the library and connects; loading counts, as it does for people. */
  connect(upstreams: readonly Upstream[]): Promise<Connection>;
}

/** `sse` is the older HTTP+SSE transport, which some peers serve only. */
export type Front = 'http' | 'sse';

export interface GatewayPlan {
  readonly argv: readonly string[];
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  /** Ends what the gateway leaves behind on purpose, such as a daemon. */
  readonly stopArgv?: readonly string[];
}

export interface Gateway {
  readonly name: string;
  readonly front: Front;
  /** Given an upstream, a free port and an empty home directory of its own. */
  plan(upstream: StdioUpstream, port: number, home: string): GatewayPlan;
}

export function isHttp(upstream: Upstream): upstream is HttpUpstream {
  return 'url' in upstream;
}

/** The text of an MCP tool result, as the SDK and the wire give it. */
export function textOf(result: unknown): string {
  const { content } = result as { content: readonly { text: string }[] };
  return content[0]?.text ?? '';
}
