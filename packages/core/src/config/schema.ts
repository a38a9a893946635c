/**
 * The canonical config file: one strict schema from which types, JSON Schema, the reference page and the editor form
 * derive. Foreign spellings belong to dialects, never here.
 */
import * as z from 'zod';

/**
 * Compiling a schema pays off after some thousand values; a config has far fewer, and a command is over before.
 */
z.config({ jitless: true });

export const SERVER_ID: RegExp = /^[a-zA-Z0-9_-]{1,64}$/;

/** The words a server's transport may be written with. `streamable_http` is `http` on the wire; the written word is kept. */
export const TRANSPORTS = ['stdio', 'http', 'streamable_http', 'sse', 'ws'] as const;
export type TransportWord = (typeof TRANSPORTS)[number];

const milliseconds = z.int().positive();
const texts = z.record(z.string(), z.string());
const names = z.array(z.string().min(1));

const timeouts = {
  connect_timeout_ms: milliseconds.optional().describe('How long starting and greeting may take. Default 60000.'),
  request_timeout_ms: milliseconds.optional().describe('How long a control request may take. Default 30000.'),
  tool_idle_timeout_ms: milliseconds
    .optional()
    .describe('How long a tool call may stay silent; progress starts it anew. Default 300000 (5 minutes).'),
  tool_timeout_ms: milliseconds
    .optional()
    .describe('How long a tool call may take in all. Default 97200000 (27 hours).'),
  debug: z.boolean().optional().describe('Log headers, bodies, arguments, results and timings, secrets masked.'),
};

/** What any server may say, however it is reached. */
const common = {
  enabled: z.boolean().optional().describe('false keeps the server defined but never connected. Missing means true.'),
  trust: z
    .enum(['trusted', 'untrusted'])
    .optional()
    .describe('Tools of a trusted server run without asking, unless a rule says ask or deny. Missing means untrusted.'),
  mode: z
    .enum(['shared', 'per_session', 'auto'])
    .optional()
    .describe('One instance for all sessions, or one each. auto: stdio per session, everything else shared.'),
  tools: z
    .strictObject({
      allow: names.optional().describe('Only these tools are offered; globs on the names the server uses.'),
      deny: names.optional().describe('These tools are not offered, even if allowed.'),
    })
    .optional()
    .describe('Which of its tools exist for anybody.'),
  ...timeouts,
  tool_timeouts_ms: z
    .record(z.string(), milliseconds)
    .optional()
    .describe('How long calls of single tools may take in all, by the names the server uses.'),
  max_message_bytes: z
    .int()
    .positive()
    .optional()
    .describe('A larger message fails its own request and nothing else. Default 134217728 (128 MiB).'),
  protocol: z
    .enum(['auto', 'legacy', 'modern'])
    .optional()
    .describe('Which era of MCP to speak: legacy up to 2025-11-25, modern from 2026-07-28. Default auto.'),
  meta: z
    .strictObject({
      name: z.string().optional().describe('What people call it.'),
      description: z.string().optional().describe('What it is for.'),
      url: z.string().optional().describe('Where to read more.'),
      icon: z.string().optional().describe('A picture, as a URL.'),
    })
    .optional()
    .describe('How to show the server to people.'),
};

const launch = {
  args: z.array(z.string()).optional().describe('Arguments, passed as they are: no shell reads them.'),
  cwd: z.string().min(1).optional().describe('Directory the program starts in. Default: where Junctor was started.'),
  env: texts.optional().describe('Variables added to a small safe set; nothing else of your environment is passed on.'),
};

export const StdioServer = z.strictObject({
  transport: z.literal('stdio').describe('A program that speaks MCP on its standard input and output.'),
  command: z.string().min(1).describe('Program to start, found on PATH or given as a path.'),
  ...launch,
  ...common,
});

const OAuth = z.strictObject({
  authorization_url: z.string().optional().describe('Where a person signs in.'),
  token_url: z.string().optional().describe('Where tokens are fetched.'),
  registration_url: z.string().optional().describe('Where a client registers.'),
  client_id: z.string().optional().describe('A client that is registered already.'),
  client_secret: z.string().optional().describe('Its secret; better a reference, ${secret:NAME}.'),
  scope: z.string().optional().describe('What to ask for, words apart by spaces.'),
});

export const RemoteServer = z.strictObject({
  transport: z
    .enum(['http', 'streamable_http', 'sse', 'ws'])
    .describe('http (or streamable_http): Streamable HTTP. sse: the older HTTP+SSE. ws: WebSocket.'),
  url: z.string().min(1).describe('The endpoint.'),
  headers: texts.optional().describe('Headers sent with every request.'),
  oauth: z
    .union([z.literal(false), OAuth])
    .optional()
    .describe('Endpoints and client for signing in, where they cannot be discovered. false: never sign in.'),
  bearer_token_env_var: z
    .string()
    .min(1)
    .optional()
    .describe('Name of an environment variable whose value is sent as Authorization: Bearer.'),
  auth_provider: z.string().min(1).optional().describe('Id of an auth provider that an embedding program passes in.'),
  command: z
    .string()
    .min(1)
    .optional()
    .describe('Program that serves the url; Junctor starts it and waits until it answers.'),
  ...launch,
  ...common,
});

export const ServerDef = z.discriminatedUnion('transport', [StdioServer, RemoteServer]);

export const Permissions = z.strictObject({
  allow: names.optional().describe('Tools that run without asking, such as mcp__fs__read_*.'),
  ask: names.optional().describe('Tools that always need a yes, even on a trusted server.'),
  deny: names.optional().describe('Tools that never run. Deny beats ask, ask beats allow.'),
});

export const Bundle = z.strictObject({
  serverId: z.string().describe('A server of this config.'),
  mode: z
    .enum(['direct', 'meta'])
    .optional()
    .describe('direct: the tools themselves are offered. meta: search, describe and call stand in for them.'),
  allowTools: names.min(1).optional().describe('Only these tools. Required for an untrusted server; never empty.'),
  denyTools: names.optional().describe('Not these, even if allowed.'),
});

export const ExecutorPolicy = z.strictObject({
  allow_stdio: z.boolean().optional().describe('Whether stdio servers may be used. Default true.'),
  allow_http: z.boolean().optional().describe('Whether servers written as http may be used. Default true.'),
  allow_sse: z.boolean().optional().describe('Whether sse servers may be used. Default true.'),
  allow_streamable_http: z
    .boolean()
    .optional()
    .describe('Whether servers written as streamable_http may be used. Default true.'),
  allow_ws: z.boolean().optional().describe('Whether ws servers may be used. Default true.'),
  stdio_proxy: z
    .boolean()
    .optional()
    .describe('Whether a stdio server may be shared through the hub. Default: true for local, false elsewhere.'),
  http_url_rewrite: texts.optional().describe('Host, or host:port, and what to put in its place.'),
  env_injection: texts.optional().describe('Variables every server gets.'),
  env_server_wins: names.optional().describe('Injected variables that a server may set otherwise.'),
});

export const Agent = z.strictObject({
  enabled: z.boolean().optional().describe('false: this agent gets no servers.'),
  servers: names.optional().describe('Ids of the servers it gets. Default: every enabled one.'),
  executors: z
    .record(z.string(), ExecutorPolicy)
    .optional()
    .describe('Policies that hold for this agent on one executor, key by key above the general one.'),
});

/** Everything of a file but its servers, which are judged one by one so that a bad one never stops the others. */
export const FileFrame = z.strictObject({
  $schema: z.string().optional().describe('Where editors find the JSON Schema of this file.'),
  version: z.literal(1).optional().describe('Version of this format.'),
  enabled: z.boolean().optional().describe('false: no server of any layer is connected.'),
  defaults: z.strictObject(timeouts).optional().describe('For every server that does not say otherwise.'),
  servers: z.record(z.string(), z.unknown()).optional().describe('The servers, by id.'),
  bundles: z.record(z.string(), Bundle).optional().describe('Selections of tools, by name.'),
  agents: z.record(z.string(), Agent).optional().describe('What each agent gets.'),
  executors: z.record(z.string(), ExecutorPolicy).optional().describe('What each kind of runtime allows.'),
  permissions: Permissions.optional().describe('Which tools may run.'),
  naming: z
    .strictObject({
      strategy: z
        .enum(['mcp__', 'hash', 'at', 'mcp_', 'colons', 'server_tool'])
        .optional()
        .describe('How server and tool are joined. Default mcp__, at the hub server_tool.'),
    })
    .optional()
    .describe('How tools are called in public.'),
  search: z
    .strictObject({
      enabled: z.boolean().optional().describe('Whether tools may be searched at all. Default true.'),
      context_threshold: z
        .number()
        .min(0)
        .max(1)
        .optional()
        .describe('Share of the context window that descriptions may take before they are searched. Default 0.10.'),
      min_context_window: z
        .int()
        .positive()
        .optional()
        .describe('Smaller windows always get the whole list. Default 32000.'),
      search_on_list_changed: z
        .boolean()
        .optional()
        .describe('Index anew when a server changes its list. Default true.'),
    })
    .optional()
    .describe('When tools are searched instead of listed.'),
  results: z
    .strictObject({
      max_output_tokens: z
        .int()
        .positive()
        .optional()
        .describe('Longer results are cut, and the whole is kept. Default 25000.'),
      cache_ttl_ms: z
        .int()
        .nonnegative()
        .optional()
        .describe('How long results of read-only tools are kept. Default 0.'),
    })
    .optional()
    .describe('What becomes of results.'),
  health: z
    .strictObject({
      ping_interval_ms: milliseconds.optional().describe('How often a quiet server is pinged. Default 30000.'),
      ping_timeout_ms: milliseconds.optional().describe('How long an answer to that may take. Default 5000.'),
      reconnect_attempts: z
        .int()
        .nonnegative()
        .optional()
        .describe('How often a lost server is tried again. Default 5.'),
    })
    .optional()
    .describe('How servers are watched.'),
  log: z
    .strictObject({
      level: z.enum(['debug', 'info', 'warn', 'error']).optional().describe('The least that is written. Default warn.'),
    })
    .optional()
    .describe('What is written to the log.'),
});

export type McpServerDef = z.infer<typeof ServerDef>;
export type RemoteServerDef = z.infer<typeof RemoteServer>;
export type PermissionRules = z.infer<typeof Permissions>;
export type BundleDef = z.infer<typeof Bundle>;
export type ExecutorMcpPolicy = z.infer<typeof ExecutorPolicy>;
export type AgentDef = z.infer<typeof Agent>;
export type ConfigFrame = Omit<z.infer<typeof FileFrame>, '$schema' | 'version' | 'servers'>;

/** One file that passed the schema. */
export interface McpConfig extends ConfigFrame {
  readonly servers: Readonly<Record<string, McpServerDef>>;
  /** Entries that only say `enabled`, for a server of a lower layer. */
  readonly overlays: Readonly<Record<string, boolean>>;
}
