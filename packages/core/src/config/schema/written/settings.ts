// Written by scripts/config-page.mjs from the schema of the config: change the schema, then run it again.

import type { ExecutorInput } from './executors.ts';
import type { ProfileInput } from './profiles.ts';

/** Every section of a config but its servers. */
export interface SettingsInput {
  /** Where editors find the JSON Schema of this file. */
  readonly $schema?: string | undefined;
  /** false: no server of any layer is connected. What is neither true nor false means the same. */
  readonly enabled?: boolean | undefined;
  /** For every server that does not say otherwise. */
  readonly defaults?:
    | {
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
      }
    | undefined;
  /** Selections of tools, by name. */
  readonly bundles?:
    | Readonly<
        Record<
          string,
          {
            /** A server of this config. */
            readonly serverId: string;
            /** direct: the tools themselves are offered. meta: search, describe and call stand in for them. */
            readonly mode?: 'direct' | 'meta' | undefined;
            /** Only these tools. Required for an untrusted server; never empty. */
            readonly allowTools?: readonly string[] | undefined;
            /** Not these, even if allowed. */
            readonly denyTools?: readonly string[] | undefined;
          }
        >
      >
    | undefined;
  /** What each agent gets. */
  readonly agents?:
    | Readonly<
        Record<
          string,
          {
            /** false: this agent gets no servers. */
            readonly enabled?: boolean | undefined;
            /** Ids of the servers it gets. Default: every enabled one. */
            readonly servers?: readonly string[] | undefined;
            /** Policies that hold for this agent on one executor, key by key above the general one. */
            readonly executors?: Readonly<Record<string, ExecutorInput>> | undefined;
            /** When this agent searches tools, key by key above the general search. */
            readonly search?: SearchInput | undefined;
            /** Rules for this agent. They count together with the general ones. */
            readonly permissions?: PermissionsInput | undefined;
            /**
             * true: a call of this agent that needs approval may be approved inside its own client, at most for
             * the session. Default false: only the inbox of the hub answers.
             */
            readonly approves_in_client?: boolean | undefined;
            /** What becomes of the results this agent gets. */
            readonly results?:
              | {
                  /**
                   * At the hub, longer results are cut for this agent, and the whole is kept. Default:
                   * `results.max_output_tokens` where that is set, else nothing is cut.
                   */
                  readonly max_output_tokens?: number | undefined;
                }
              | undefined;
          }
        >
      >
    | undefined;
  /** What each kind of runtime allows. */
  readonly executors?: Readonly<Record<string, ExecutorInput>> | undefined;
  /** Which tools may run. */
  readonly permissions?: PermissionsInput | undefined;
  /** How tools are called in public. */
  readonly naming?:
    | {
        /**
         * How server and tool are joined; auto: the server is left out where no other has a tool of that name.
         * Default `mcp__`. The hub knows `server_tool`, its default, and auto.
         */
        readonly strategy?: 'mcp__' | 'hash' | 'at' | 'mcp_' | 'colons' | 'server_tool' | 'auto' | undefined;
      }
    | undefined;
  /** What models can read, by an id of yours, or by that of a built-in profile to change it. */
  readonly model_profiles?: Readonly<Record<string, ProfileInput>> | undefined;
  /** The same of clients. */
  readonly client_profiles?: Readonly<Record<string, ProfileInput>> | undefined;
  /** When tools are searched instead of listed. */
  readonly search?: SearchInput | undefined;
  /** What becomes of results. */
  readonly results?:
    | {
        /** Longer results are cut, and the whole is kept. Default 25000. */
        readonly max_output_tokens?: number | undefined;
        /**
         * The same for single tools, by patterns such as `mcp__fs__read_*`. The first that covers a tool
         * counts.
         */
        readonly max_output_tokens_by_tool?: Readonly<Record<string, number>> | undefined;
        /** The longer edge of a picture; larger ones are made smaller. Default 1568. */
        readonly max_image_px?: number | undefined;
        /**
         * Pictures, sounds and files of one result together; what is above becomes a reference. Default
         * 5000000.
         */
        readonly max_media_bytes?: number | undefined;
        /** How large all kept results may be together; the oldest go first. Default 536870912 (512 MiB). */
        readonly store_max_bytes?: number | undefined;
        /** How many results are kept. Default 1000. */
        readonly store_max_count?: number | undefined;
        /** How long a result is kept. Default 604800000 (7 days). */
        readonly store_max_age_ms?: number | undefined;
        /** How long answers of read-only and idempotent tools count without asking again. Default 0: never. */
        readonly cache_ttl_ms?: number | undefined;
        /**
         * Whether structured output is checked against the output schema of its tool. warn: the result has a
         * warning, and the log says so once. strict: the call fails with `malformed_response`. Default warn.
         * The hub passes results on unchecked.
         */
        readonly validate_output?: 'warn' | 'strict' | 'off' | undefined;
      }
    | undefined;
  /** How long lists of servers count. */
  readonly catalogue?:
    | {
        /**
         * How long a list of tools, resources or prompts counts before its server is asked again; 0: not at
         * all. Default 300000 (5 min).
         */
        readonly ttl_ms?: number | undefined;
        /**
         * Whether a server that says its list changed is asked again. false: the list counts for `ttl_ms` all
         * the same. Default true.
         */
        readonly drop_on_list_changed?: boolean | undefined;
      }
    | undefined;
  /** How servers are watched. */
  readonly health?:
    | {
        /** How often a quiet server is pinged. Default 30000. */
        readonly ping_interval_ms?: number | undefined;
        /** How long an answer to that may take. Default 5000. */
        readonly ping_timeout_ms?: number | undefined;
        /**
         * How often a server is tried in a row before it counts as failed. Later attempts follow in the
         * background; 0: none. Default 5.
         */
        readonly reconnect_attempts?: number | undefined;
        /** The pause before the second of these attempts. Default 100. */
        readonly reconnect_first_wait_ms?: number | undefined;
        /** How many times longer each further pause is. Default 2. */
        readonly reconnect_factor?: number | undefined;
        /** No pause between these attempts is longer. Default 10000. */
        readonly reconnect_longest_wait_ms?: number | undefined;
        /** How often a quiet connection to a remote server is kept open with a sign. Default 50000. */
        readonly keep_alive_ms?: number | undefined;
        /** While a call runs, whoever follows it hears of it at least this often. Default 30000. */
        readonly heartbeat_ms?: number | undefined;
      }
    | undefined;
  /** How servers begin. */
  readonly startup?:
    | {
        /**
         * lazy: a server starts when it is first needed. eager: all start at once. Default: eager in chat and
         * hub, lazy in the library.
         */
        readonly connect?: 'lazy' | 'eager' | undefined;
        /** How many local servers may be starting at once. Default 3. */
        readonly local_at_once?: number | undefined;
        /** How many remote servers may be connecting at once. Default 20. */
        readonly remote_at_once?: number | undefined;
        /**
         * How long a local server counts as starting. spawned: until its process runs. ready: until it has
         * answered initialize, or has failed. Default spawned.
         */
        readonly slot_until?: 'spawned' | 'ready' | undefined;
      }
    | undefined;
  /** What is written to the log. */
  readonly log?:
    | {
        /** The least that is written. Default warn. */
        readonly level?: 'debug' | 'info' | 'warn' | 'error' | undefined;
        /**
         * How the hub writes its log. text: for people. json: one object a line, for programs that collect
         * logs. Default text.
         */
        readonly format?: 'text' | 'json' | undefined;
      }
    | undefined;
}

/** When tools are searched instead of listed. */
export interface SearchInput {
  /**
   * false: definitions are listed, however many. Bundles with mode meta are searched all the same.
   * Default true.
   */
  readonly enabled?: boolean | undefined;
  /** Share of the context window that descriptions may take before they are searched. Default 0.10. */
  readonly context_threshold?: number | undefined;
  /** Smaller windows always get the whole list. Default 32000. */
  readonly min_context_window?: number | undefined;
  /** Index anew when a server changes its list. Default true. */
  readonly search_on_list_changed?: boolean | undefined;
}

/** Which tools may run. */
export interface PermissionsInput {
  /**
   * Tools that run without asking, such as `mcp__fs__read_*`, `mcp__fs__write_file(path=/tmp/**)`, or `{
   * "tools": "mcp__fs__*", "agents": ["codex"] }`.
   */
  readonly allow?: readonly (string | AgentsRuleInput)[] | undefined;
  /** Tools that need approval, even on a trusted server. */
  readonly ask?: readonly (string | AgentsRuleInput)[] | undefined;
  /** Tools that never run. Deny beats ask, ask beats allow. */
  readonly deny?: readonly (string | AgentsRuleInput)[] | undefined;
}

/** A rule that concerns some agents only. */
export interface AgentsRuleInput {
  /** A pattern such as `mcp__fs__read_*`. */
  readonly tools: string;
  /** Ids of the agents that the rule is for. */
  readonly agents: readonly string[];
}
