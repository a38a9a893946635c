/**
 * The canonical config file: one strict schema from which types, JSON Schema, the reference page and the editor form
 * derive. Foreign spellings belong to dialects, never here.
 */
import { en } from 'zod/locales';
import * as z from 'zod/mini';
import { Profile } from './profile-schema.ts';
import { ACCOUNT_NAME } from './server-words.ts';
import { DockerSite, K8sSite, SandboxSite, SITE_KINDS, SshSite } from './site-schema.ts';

/**
 * Compiling a schema pays off after some thousand values; a config has far fewer, and a command is over before.
 */
z.config({ jitless: true, ...en() });

/** A key that may be left out, with what it is for. */
function may<Schema extends z.ZodMiniType>(schema: Schema, purpose: string): z.ZodMiniOptional<Schema> {
  return must(z.optional(schema), purpose);
}

/** A key that must be there. Noted in the registry: `z.describe` would make every schema twice, at every start. */
function must<Schema extends z.ZodMiniType>(schema: Schema, purpose: string): Schema {
  z.globalRegistry.add(schema, { description: purpose });
  return schema;
}

const milliseconds = z.int().check(z.positive());
const texts = z.record(z.string(), z.string());
const names = z.array(z.string().check(z.minLength(1)));

const timeouts = {
  connect_timeout_ms: may(milliseconds, 'How long starting and greeting may take. Default 60000.'),
  request_timeout_ms: may(milliseconds, 'How long a control request may take. Default 30000.'),
  tool_idle_timeout_ms: may(
    milliseconds,
    'How long a tool call may stay silent; progress starts it anew. Default 300000 (5 minutes).',
  ),
  tool_timeout_ms: may(milliseconds, 'How long a tool call may take in all. Default 97200000 (27 hours).'),
  debug: may(z.boolean(), 'Log headers, bodies, arguments, results and timings, secrets masked.'),
};

/** What any server may say, however it is reached. */
const common = {
  enabled: may(z.boolean(), 'false keeps the server defined but never connected. Missing means true.'),
  trust: may(
    z.enum(['trusted', 'untrusted']),
    'Tools of a trusted server run without asking, unless a rule says ask or deny. Missing means untrusted.',
  ),
  mode: may(
    z.enum(['shared', 'per_session', 'auto']),
    'One instance for all sessions, or one each. auto: stdio per session, everything else shared.',
  ),
  tools: may(
    z.strictObject({
      allow: may(names, 'Only these tools are offered; globs on the names the server uses.'),
      deny: may(names, 'These tools are not offered, even if allowed.'),
    }),
    'Which of its tools exist for anybody.',
  ),
  ...timeouts,
  tool_timeouts_ms: may(
    z.record(z.string(), milliseconds),
    'How long calls of single tools may take in all, by the names the server uses.',
  ),
  max_message_bytes: may(
    z.int().check(z.positive()),
    'A larger message fails its own request and nothing else. Default 134217728 (128 MiB).',
  ),
  protocol: may(
    z.enum(['auto', 'legacy', 'modern']),
    'Which era of MCP to speak: legacy up to 2025-11-25, modern from 2026-07-28. Default auto.',
  ),
  meta: may(
    z.strictObject({
      name: may(z.string(), 'What people call it.'),
      description: may(z.string(), 'What it is for.'),
      url: may(z.string(), 'Where to read more.'),
      icon: may(z.string(), 'A picture, as a URL.'),
    }),
    'How to show the server to people.',
  ),
};

const launch = {
  args: may(z.array(z.string()), 'Arguments, passed as they are: no shell reads them.'),
  cwd: may(z.string().check(z.minLength(1)), 'Directory the program starts in. Default: where Junctor was started.'),
  env: may(texts, 'Variables added to a small safe set; nothing else of your environment is passed on.'),
};

export const StdioServer = z.strictObject({
  transport: must(z.literal('stdio'), 'A program that speaks MCP on its standard input and output.'),
  command: must(z.string().check(z.minLength(1)), 'Program to start, found on PATH or given as a path.'),
  ...launch,
  ...common,
});

const OAuth = z.strictObject({
  authorization_url: may(z.string(), 'Where a person signs in.'),
  token_url: may(z.string(), 'Where tokens are fetched.'),
  registration_url: may(z.string(), 'Where a client registers.'),
  client_id: may(z.string(), 'A client that is registered already.'),
  client_secret: may(z.string(), 'Its secret; better a reference, ${secret:NAME}.'),
  scope: may(z.string(), 'What to ask for, words apart by spaces.'),
  grant_type: may(
    z.enum(['authorization_code', 'client_credentials']),
    'client_credentials: a machine signs in with its own client, without a person. Default authorization_code.',
  ),
  private_key: may(
    z.string(),
    'PEM key with which the client signs in place of a secret; better a reference, ${secret:NAME}.',
  ),
  token_endpoint_auth_method: may(
    z.enum(['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none']),
    'How the client shows who it is. Default: what the authorization server supports.',
  ),
  issuer: may(z.string(), 'The authorization server to trust. Any other is refused.'),
  resource: may(
    z.string(),
    'Resource to ask a token for. Default: what the server says, else its url. Empty: none is named.',
  ),
  redirect_uri: may(
    z.string(),
    'Loopback address that is registered for the client. Default: http://127.0.0.1 on a free port.',
  ),
  client_metadata_url: may(
    z.string(),
    'https address of a client id metadata document, used where the authorization server takes them.',
  ),
});

export const RemoteServer = z.strictObject({
  transport: must(
    z.enum(['http', 'streamable_http', 'sse', 'ws']),
    'http (or streamable_http): Streamable HTTP. sse: the older HTTP+SSE. ws: WebSocket.',
  ),
  url: must(z.string().check(z.minLength(1)), 'The endpoint.'),
  headers: may(texts, 'Headers sent with every request.'),
  oauth: may(
    z.union([z.literal(false), OAuth]),
    'Endpoints and client for signing in, where they cannot be discovered. false: never sign in.',
  ),
  bearer_token_env_var: may(
    z.string().check(z.minLength(1)),
    'Name of an environment variable whose value is sent as Authorization: Bearer.',
  ),
  auth_provider: may(z.string().check(z.minLength(1)), 'Id of an auth provider that an embedding program passes in.'),
  account: may(
    z.string().check(z.regex(ACCOUNT_NAME)),
    'Which of several sign-ins to use: the name given to mcp login --account. Default: the one without a name.',
  ),
  command: may(
    z.string().check(z.minLength(1)),
    'Program that serves the url; Junctor starts it and waits until it answers.',
  ),
  ...launch,
  ...common,
});

export const ServerDef = z.discriminatedUnion('transport', [StdioServer, RemoteServer]);

export const Permissions = z.strictObject({
  allow: may(names, 'Tools that run without asking, such as mcp__fs__read_* or mcp__fs__write_file(path=/tmp/**).'),
  ask: may(names, 'Tools that need a yes, even on a trusted server.'),
  deny: may(names, 'Tools that never run. Deny beats ask, ask beats allow.'),
});

export const Bundle = z.strictObject({
  serverId: must(z.string(), 'A server of this config.'),
  mode: may(
    z.enum(['direct', 'meta']),
    'direct: the tools themselves are offered. meta: search, describe and call stand in for them.',
  ),
  allowTools: may(names.check(z.minLength(1)), 'Only these tools. Required for an untrusted server; never empty.'),
  denyTools: may(names, 'Not these, even if allowed.'),
});

export const ExecutorPolicy = z
  .strictObject({
    allow_stdio: may(z.boolean(), 'Whether stdio servers may be used. Default true.'),
    allow_http: may(z.boolean(), 'Whether servers written as http may be used. Default true.'),
    allow_sse: may(z.boolean(), 'Whether sse servers may be used. Default true.'),
    allow_streamable_http: may(z.boolean(), 'Whether servers written as streamable_http may be used. Default true.'),
    allow_ws: may(z.boolean(), 'Whether ws servers may be used. Default true.'),
    stdio_proxy: may(
      z.boolean(),
      'Whether a stdio server may be shared through the hub. Default: true for local, false elsewhere.',
    ),
    http_url_rewrite: may(texts, 'Host, or host:port, and what to put in its place.'),
    env_injection: may(texts, 'Variables every server gets.'),
    env_server_wins: may(names, 'Injected variables that a server may set otherwise.'),
    home: may(
      z.string().check(z.minLength(1)),
      'Home directory of the agents there, as this machine sees it, such as a mounted volume. mcp export writes below it.',
    ),
    docker: may(DockerSite, 'Servers are started in a container, by the docker program.'),
    ssh: may(SshSite, 'Servers are started on another machine, by the ssh program.'),
    sandbox: may(
      SandboxSite,
      'Servers are confined on this machine, by bubblewrap. The executor named sandbox always does that.',
    ),
    k8s: may(K8sSite, 'Servers are started in a cluster, and Services there are reached, by the kubectl program.'),
  })
  .check(
    z.refine(policy => SITE_KINDS.filter(kind => policy[kind] !== undefined).length < 2, {
      error: `${SITE_KINDS.join(', ')}: an executor has one of them, since servers start at one place.`,
    }),
  );

export const Search = z.strictObject({
  enabled: may(
    z.boolean(),
    'false: definitions are listed, however many. Bundles with mode meta are searched all the same. Default true.',
  ),
  context_threshold: may(
    z.number().check(z.minimum(0), z.maximum(1)),
    'Share of the context window that descriptions may take before they are searched. Default 0.10.',
  ),
  min_context_window: may(z.int().check(z.positive()), 'Smaller windows always get the whole list. Default 32000.'),
  search_on_list_changed: may(z.boolean(), 'Index anew when a server changes its list. Default true.'),
});

export const Agent = z.strictObject({
  enabled: may(z.boolean(), 'false: this agent gets no servers.'),
  servers: may(names, 'Ids of the servers it gets. Default: every enabled one.'),
  executors: may(
    z.record(z.string(), ExecutorPolicy),
    'Policies that hold for this agent on one executor, key by key above the general one.',
  ),
  search: may(Search, 'When this agent searches tools, key by key above the general search.'),
  approves_in_client: may(
    z.boolean(),
    'false: whether a call of this agent may run is asked in the inbox of the hub only, not in its own client. Default true.',
  ),
  results: may(
    z.strictObject({
      max_output_tokens: may(
        z.int().check(z.positive()),
        'At the hub, longer results are cut for this agent, and the whole is kept. Default: results.max_output_tokens where that is set, else nothing is cut.',
      ),
    }),
    'What becomes of the results this agent gets.',
  ),
});

/** Everything of a file but its servers, which are judged one by one so that a bad one never stops the others. */
export const FileFrame = z.strictObject({
  $schema: may(z.string(), 'Where editors find the JSON Schema of this file.'),
  version: may(z.literal(1), 'Version of this format.'),
  enabled: may(
    z.boolean(),
    'false: no server of any layer is connected. What is neither true nor false means the same.',
  ),
  defaults: may(z.strictObject(timeouts), 'For every server that does not say otherwise.'),
  servers: may(z.record(z.string(), z.unknown()), 'The servers, by id.'),
  bundles: may(z.record(z.string(), Bundle), 'Selections of tools, by name.'),
  agents: may(z.record(z.string(), Agent), 'What each agent gets.'),
  executors: may(z.record(z.string(), ExecutorPolicy), 'What each kind of runtime allows.'),
  permissions: may(Permissions, 'Which tools may run.'),
  naming: may(
    z.strictObject({
      strategy: may(
        z.enum(['mcp__', 'hash', 'at', 'mcp_', 'colons', 'server_tool']),
        'How server and tool are joined. Default mcp__, at the hub server_tool.',
      ),
    }),
    'How tools are called in public.',
  ),
  model_profiles: may(
    z.record(z.string(), Profile),
    'What models can read, by an id of yours, or by that of a built-in profile to change it.',
  ),
  client_profiles: may(z.record(z.string(), Profile), 'The same of clients.'),
  search: may(Search, 'When tools are searched instead of listed.'),
  results: may(
    z.strictObject({
      max_output_tokens: may(
        z.int().check(z.positive()),
        'Longer results are cut, and the whole is kept. Default 25000.',
      ),
      max_output_tokens_by_tool: may(
        z.record(z.string(), z.int().check(z.positive())),
        'The same for single tools, by patterns such as mcp__fs__read_*. The first that covers a tool counts.',
      ),
      max_image_px: may(
        z.int().check(z.positive()),
        'The longer edge of a picture; larger ones are made smaller. Default 1568.',
      ),
      max_media_bytes: may(
        z.int().check(z.positive()),
        'Pictures, sounds and files of one result together; what is above becomes a reference. Default 5000000.',
      ),
      store_max_bytes: may(
        z.int().check(z.nonnegative()),
        'How large all kept results may be together; the oldest go first. Default 536870912 (512 MiB).',
      ),
      store_max_count: may(z.int().check(z.positive()), 'How many results are kept. Default 1000.'),
      store_max_age_ms: may(milliseconds, 'How long a result is kept. Default 604800000 (7 days).'),
      cache_ttl_ms: may(
        z.int().check(z.nonnegative()),
        'How long answers of read-only and idempotent tools count without asking again. Default 0: never.',
      ),
    }),
    'What becomes of results.',
  ),
  health: may(
    z.strictObject({
      ping_interval_ms: may(milliseconds, 'How often a quiet server is pinged. Default 30000.'),
      ping_timeout_ms: may(milliseconds, 'How long an answer to that may take. Default 5000.'),
      reconnect_attempts: may(z.int().check(z.nonnegative()), 'How often a lost server is tried again. Default 5.'),
      keep_alive_ms: may(
        milliseconds,
        'How often a quiet connection to a remote server is kept open with a sign. Default 50000.',
      ),
      heartbeat_ms: may(
        milliseconds,
        'While a call runs, whoever follows it hears of it at least this often. Default 30000.',
      ),
    }),
    'How servers are watched.',
  ),
  startup: may(
    z.strictObject({
      connect: may(
        z.enum(['lazy', 'eager']),
        'lazy: a server starts when it is first needed. eager: all start at once. Default: eager in chat and hub, lazy in the library.',
      ),
      local_at_once: may(z.int().check(z.positive()), 'How many local servers may be starting at once. Default 3.'),
      remote_at_once: may(
        z.int().check(z.positive()),
        'How many remote servers may be connecting at once. Default 20.',
      ),
    }),
    'How servers begin.',
  ),
  log: may(
    z.strictObject({
      level: may(z.enum(['debug', 'info', 'warn', 'error']), 'The least that is written. Default warn.'),
      format: may(
        z.enum(['text', 'json']),
        'How the hub writes its log. text: for people. json: one object a line, for programs that collect logs. Default text.',
      ),
    }),
    'What is written to the log.',
  ),
});

/** One server that passed the schema. To write one down, `McpServerInput` is the better type. */
export type McpServerDef = z.infer<typeof ServerDef>;
export type RemoteServerDef = z.infer<typeof RemoteServer>;
export type OAuthDef = z.infer<typeof OAuth>;
/** Patterns of tools such as `mcp__fs__read_*`. Deny beats ask, ask beats allow. */
export type PermissionRules = z.infer<typeof Permissions>;
export type BundleDef = z.infer<typeof Bundle>;
export type ExecutorMcpPolicy = z.infer<typeof ExecutorPolicy>;
export type SearchDef = z.infer<typeof Search>;
export type AgentDef = z.infer<typeof Agent>;
export type ConfigFrame = Omit<z.infer<typeof FileFrame>, '$schema' | 'version' | 'servers'>;

/** One file that passed the schema. Where no entry is a mere switch, it is itself a config that can be passed on. */
export interface McpConfig extends ConfigFrame {
  /** By id, each wholly valid. */
  readonly servers: Readonly<Record<string, McpServerDef>>;
  /** Entries that only say `enabled`, for a server of a lower layer. */
  readonly overlays?: Readonly<Record<string, boolean>>;
  /** Ids whose entries are written wrongly. What a lower layer says about them does not count either. */
  readonly broken?: readonly string[];
}
