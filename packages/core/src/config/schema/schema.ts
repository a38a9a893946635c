/**
 * The canonical config file: one strict schema from which types, JSON Schema, the reference page and the editor form
 * derive. Foreign spellings belong to dialects, never here.
 */
import * as z from 'zod/mini';
import { isHost, isHostOrOrigin } from '../validate/bad-url.ts';
import { Profile } from './profile-schema.ts';
import { may, milliseconds, must, names, variables } from './schema-words.ts';
import { type McpServerDef, timeouts } from './server-schema.ts';
import { DockerSite, K8sSite, SandboxSite, SITE_KINDS, SshSite } from './site-schema.ts';

/** A rule that concerns some agents only. */
export const ScopedRule = z.strictObject({
  tools: must(z.string().check(z.minLength(1)), 'A pattern such as mcp__fs__read_*.'),
  agents: must(
    z.array(z.string().check(z.minLength(1))).check(z.minLength(1)),
    'Ids of the agents that the rule is for.',
  ),
});

const rules = z.array(z.union([z.string().check(z.minLength(1)), ScopedRule]));

export const Permissions = z.strictObject({
  allow: may(
    rules,
    'Tools that run without asking, such as mcp__fs__read_*, mcp__fs__write_file(path=/tmp/**), or { "tools": "mcp__fs__*", "agents": ["codex"] }.',
  ),
  ask: may(rules, 'Tools that need approval, even on a trusted server.'),
  deny: may(rules, 'Tools that never run. Deny beats ask, ask beats allow.'),
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

const rewrites = z.record(
  z.string().check(z.refine(isHost, { error: 'A URL rewrite replaces a host, or host:port, such as localhost:8000.' })),
  z.string().check(
    z.refine(isHostOrOrigin, {
      error: 'A URL rewrite puts a host, host:port, or http://host:port without a path, in its place.',
    }),
  ),
);

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
    http_url_rewrite: may(rewrites, 'Host, or host:port, and what to put in its place.'),
    env_injection: may(variables, 'Variables every server gets.'),
    env_server_wins: may(names, 'Injected variables that a server may set otherwise.'),
    home: may(
      z.string().check(z.minLength(1)),
      'Home directory of the agents there, as this machine sees it, such as a mounted volume. mcp export writes below it.',
    ),
    local: may(
      z.boolean(),
      'true: programs start on the machine of the hub. Where an executor but local has neither this nor docker, ssh, sandbox or k8s, none starts.',
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
    z.refine(policy => SITE_KINDS.filter(kind => policy[kind] !== undefined).length + (policy.local ? 1 : 0) < 2, {
      error: `${SITE_KINDS.join(', ')}, local: an executor has one of them, since servers start at one place.`,
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
  permissions: may(Permissions, 'Rules for this agent. They count together with the general ones.'),
  approves_in_client: may(
    z.boolean(),
    'true: a call of this agent that needs approval may be approved inside its own client, at most for the session. Default false: only the inbox of the hub answers.',
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
        z.enum(['mcp__', 'hash', 'at', 'mcp_', 'colons', 'server_tool', 'auto']),
        'How server and tool are joined; auto: the server is left out where no other has a tool of that name. Default mcp__. The hub knows server_tool, its default, and auto.',
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
      validate_output: may(
        z.enum(['warn', 'strict', 'off']),
        'Whether structured output is checked against the output schema of its tool. warn: the result has a warning, and the log says so once. strict: the call fails with malformed_response. Default warn. The hub passes results on unchecked.',
      ),
    }),
    'What becomes of results.',
  ),
  catalogue: may(
    z.strictObject({
      ttl_ms: may(
        z.int().check(z.nonnegative()),
        'How long a list of tools, resources or prompts counts before its server is asked again; 0: not at all. Default 300000 (5 min).',
      ),
      drop_on_list_changed: may(
        z.boolean(),
        'Whether a server that says its list changed is asked again. false: the list counts for ttl_ms all the same. Default true.',
      ),
    }),
    'How long lists of servers count.',
  ),
  health: may(
    z.strictObject({
      ping_interval_ms: may(milliseconds, 'How often a quiet server is pinged. Default 30000.'),
      ping_timeout_ms: may(milliseconds, 'How long an answer to that may take. Default 5000.'),
      reconnect_attempts: may(
        z.int().check(z.nonnegative()),
        'How often a server is tried in a row before it counts as failed. Later attempts follow in the background; 0: none. Default 5.',
      ),
      reconnect_first_wait_ms: may(milliseconds, 'The pause before the second of these attempts. Default 100.'),
      reconnect_factor: may(
        z.number().check(z.minimum(1), z.maximum(100)),
        'How many times longer each further pause is. Default 2.',
      ),
      reconnect_longest_wait_ms: may(milliseconds, 'No pause between these attempts is longer. Default 10000.'),
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
      slot_until: may(
        z.enum(['spawned', 'ready']),
        'How long a local server counts as starting. spawned: until its process runs. ready: until it has answered initialize, or has failed. Default spawned.',
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

/** Rules: patterns of tools such as `mcp__fs__read_*`, for all agents or for some. Deny beats ask, ask beats allow. */
export type PermissionRules = z.infer<typeof Permissions>;
export type BundleDef = z.infer<typeof Bundle>;
export type ExecutorMcpPolicy = z.infer<typeof ExecutorPolicy>;
export type SearchDef = z.infer<typeof Search>;
export type AgentDef = z.infer<typeof Agent>;
/** Everything of a config but its servers. */
export type ConfigFrame = Omit<z.infer<typeof FileFrame>, '$schema' | 'version' | 'servers'>;

/** One file that passed the schema. Where no entry is a mere switch, it is itself a config that can be passed on. */
export interface McpConfig extends ConfigFrame {
  /** By id, each wholly valid. */
  readonly servers: Readonly<Record<string, McpServerDef>>;
  /** Entries that only say `enabled`, for a server of a lower layer. */
  readonly overlays?: Readonly<Record<string, boolean>>;
  /** Ids whose entries are written wrongly. What a lower layer says about them does not count either. */
  readonly broken?: readonly string[];
  /** The one agent that its servers are for. */
  readonly agent?: string;
}
