/** A call of a tool, and who makes it. A surface creates the caller once, where a request enters, and hands it on unchanged. */

/** A tool by its server and the server's own name for it. No two tools have the same. */
export interface ToolRef {
  /** The id of the server in the config. */
  readonly server: string;
  /** As the server calls it. */
  readonly tool: string;
}

/** Where a request enters Junctor. */
export type Surface = 'library' | 'agent-endpoint' | 'server-endpoint' | 'rest' | 'command-line' | 'chat' | 'recording';

/** A human being. */
export interface Person {
  /** As the token, the login or the issuer names them; absent where nobody gave a name. */
  readonly name?: string | undefined;
}

/** The credential that came with a request. It says nothing of the credential itself. */
export interface TokenRef {
  /** Whose it is. */
  readonly kind: 'person' | 'agent' | 'server' | 'hub';
  /** Tells the owners of credentials apart. Compared as a whole, never read. */
  readonly owner: string;
  /** Who created the token, where that is known. */
  readonly createdBy?: string | undefined;
  /** The run that the token was made for: all its connections are one session. */
  readonly run?: string | undefined;
}

/** Who makes a call. Decisions, approvals, grants, the audit, statistics and traces all get this one value. */
export interface Caller {
  /** Where the call entered. */
  readonly surface: Surface;
  /** What a grant for the session is bound to. */
  readonly session?: string | undefined;
  /** The agent that calls: the owner of the token, or the agent whose endpoint it is. */
  readonly agent?: string | undefined;
  /** The person who calls, where one does. */
  readonly person?: Person | undefined;
  /** The folder of the project that the call is made in, where the program serves several. */
  readonly project?: string | undefined;
  /** What the request proved itself with. */
  readonly token?: TokenRef | undefined;
  /** What the client calls itself. Nobody checked it. */
  readonly client?: { readonly name: string; readonly version?: string | undefined } | undefined;
}

/** One call of one tool by one caller. */
export interface ToolCall {
  /** The tool that is called. */
  readonly ref: ToolRef;
  /** What it is called with. */
  readonly arguments: unknown;
  /** Who calls it. */
  readonly caller: Caller;
}
