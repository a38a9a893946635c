// Written by scripts/config-page.mjs from the schema of the config: change the schema, then run it again.

/** Keys of every server, whatever its transport. */
export interface AnyServerInput {
  /** Arguments, passed as they are: no shell reads them. */
  readonly args?: readonly string[] | undefined;
  /** Directory the program starts in. Default: where Junctor was started. */
  readonly cwd?: string | undefined;
  /** Variables added to a small safe set; nothing else of your environment is passed on. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** false keeps the server defined but never connected. Missing means true. */
  readonly enabled?: boolean | undefined;
  /**
   * Tools of a trusted server run without asking, unless a rule says ask or deny. Missing means
   * untrusted.
   */
  readonly trust?: 'trusted' | 'untrusted' | undefined;
  /** One instance for all sessions, or one each. auto: stdio per session, everything else shared. */
  readonly mode?: 'shared' | 'per_session' | 'auto' | undefined;
  /** Which of its tools exist for anybody. */
  readonly tools?:
    | {
        /** Only these tools are offered; globs on the names the server uses. */
        readonly allow?: readonly string[] | undefined;
        /** These tools are not offered, even if allowed. */
        readonly deny?: readonly string[] | undefined;
      }
    | undefined;
  /**
   * Methods beyond the protocol that the hub forwards at `/servers/<id>/mcp`, such as `acme/*`. Default:
   * none.
   */
  readonly methods?: readonly string[] | undefined;
  /** How long starting and greeting may take. Default 60000. */
  readonly connect_timeout_ms?: number | undefined;
  /** How long a control request may take. Default 30000. */
  readonly request_timeout_ms?: number | undefined;
  /**
   * How long a tool call may stay silent; progress starts it anew. Default 300000 (5 minutes), or the
   * time for a whole call where one is written.
   */
  readonly tool_idle_timeout_ms?: number | undefined;
  /** How long a tool call may take in all. Default 97200000 (27 hours). */
  readonly tool_timeout_ms?: number | undefined;
  /** Log headers, bodies, arguments, results and timings, secrets masked. */
  readonly debug?: boolean | undefined;
  /** How long calls of single tools may take in all, by the names the server uses. */
  readonly tool_timeouts_ms?: Readonly<Record<string, number>> | undefined;
  /** A larger message fails its own request and nothing else. Default 134217728 (128 MiB). */
  readonly max_message_bytes?: number | undefined;
  /** Which era of MCP to speak: legacy up to 2025-11-25, modern from 2026-07-28. Default auto. */
  readonly protocol?: 'auto' | 'legacy' | 'modern' | undefined;
  /** How to show the server to people. */
  readonly meta?:
    | {
        /** What people call it. */
        readonly name?: string | undefined;
        /** What it is for. */
        readonly description?: string | undefined;
        /** Where to read more. */
        readonly url?: string | undefined;
        /** A picture, as a URL. */
        readonly icon?: string | undefined;
      }
    | undefined;
}

/** A program that speaks MCP on its standard input and output. */
export interface StdioServerInput extends AnyServerInput {
  /** A program that speaks MCP on its standard input and output. */
  readonly transport: 'stdio';
  /** Program to start, found on PATH or given as a path. */
  readonly command: string;
}

/** A server at an address; with `command`, one whose program Junctor starts. */
export interface RemoteServerInput extends AnyServerInput {
  /** http (or `streamable_http`): Streamable HTTP. sse: the older HTTP+SSE. ws: WebSocket. */
  readonly transport: 'http' | 'streamable_http' | 'sse' | 'ws';
  /** The endpoint. */
  readonly url: string;
  /** Headers sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Endpoints and client for signing in, where they cannot be discovered. false: never sign in. */
  readonly oauth?:
    | false
    | {
        /** Where a person signs in. */
        readonly authorization_url?: string | undefined;
        /** Where tokens are fetched. */
        readonly token_url?: string | undefined;
        /** Where a client registers. */
        readonly registration_url?: string | undefined;
        /** A client that is registered already. */
        readonly client_id?: string | undefined;
        /** Its secret; better a reference, `${secret:NAME}`. */
        readonly client_secret?: string | undefined;
        /** What to ask for, words apart by spaces. */
        readonly scope?: string | undefined;
        /**
         * `client_credentials`: a machine signs in with its own client, without a person. Default
         * `authorization_code`.
         */
        readonly grant_type?: 'authorization_code' | 'client_credentials' | undefined;
        /** PEM key with which the client signs in place of a secret; better a reference, `${secret:NAME}`. */
        readonly private_key?: string | undefined;
        /** How the client shows who it is. Default: what the authorization server supports. */
        readonly token_endpoint_auth_method?:
          | 'client_secret_basic'
          | 'client_secret_post'
          | 'private_key_jwt'
          | 'none'
          | undefined;
        /** The authorization server to trust. Any other is refused. */
        readonly issuer?: string | undefined;
        /** Resource to ask a token for. Default: what the server says, else its url. Empty: none is named. */
        readonly resource?: string | undefined;
        /** Loopback address that is registered for the client. Default: http://127.0.0.1 on a free port. */
        readonly redirect_uri?: string | undefined;
        /** https address of a client id metadata document, used where the authorization server takes them. */
        readonly client_metadata_url?: string | undefined;
        /**
         * true: the server may lead to an authorization server at a private or loopback address, though it is
         * at none itself.
         */
        readonly allow_private?: boolean | undefined;
      }
    | undefined;
  /** Name of an environment variable whose value is sent as Authorization: Bearer. */
  readonly bearer_token_env_var?: string | undefined;
  /** Id of an auth provider that an embedding program passes in. */
  readonly auth_provider?: string | undefined;
  /**
   * Which of several sign-ins to use: the name given to mcp login --account. Default: the one without a
   * name.
   */
  readonly account?: string | undefined;
  /** Program that serves the url; Junctor starts it and waits until it answers. */
  readonly command?: string | undefined;
}
