// Written by scripts/config-page.mjs from the schema of the config: change the schema, then run it again.

/** What one model or client can read. */
export interface ProfileInput {
  /** Id of the profile it begins from. Default: the built-in one of the same id, else default. */
  readonly extends?: string | undefined;
  /** What people call it. */
  readonly title?: string | undefined;
  /** Names of models it is for, `*` for anything: `gpt-*`. */
  readonly models?: readonly string[] | undefined;
  /** Of a client: id of the profile of its models, where none is named. */
  readonly provider?: string | undefined;
  /** What tools may be called. */
  readonly names?:
    | {
        /** Characters that may be used, with ranges, such as `A-Za-z0-9_-` (a - that stands last is itself). */
        readonly characters?: string | undefined;
        /** Characters that may stand first. Default: all of them. */
        readonly first?: string | undefined;
        /** How long it may be. */
        readonly max_length?: number | undefined;
        /** What a client puts before a name, {key} for the key of its entry. It counts as part of the length. */
        readonly prefix?: string | undefined;
        /** Names that are taken. */
        readonly reserved?: readonly string[] | undefined;
        /** What may stand nowhere in a name. */
        readonly forbidden?: readonly string[] | undefined;
      }
    | undefined;
  /** Longer descriptions are cut. Default 2000. */
  readonly description_chars?: number | undefined;
  /** How many tools are taken. Default: any number. */
  readonly max_tools?: number | undefined;
  /** Whether it reads the list again when it is told that tools changed. Unset: nobody knows. */
  readonly list_changed?: boolean | undefined;
  /** How a client reaches a server. */
  readonly transports?: readonly ('stdio' | 'http' | 'sse' | 'ws')[] | undefined;
  /** What results may hold beside text. */
  readonly media?: readonly ('image' | 'audio' | 'file')[] | undefined;
  /** How many tokens fit. */
  readonly context_window?: number | undefined;
  /** false: it calls no tools, so that none are searched for it. Default true. */
  readonly tool_calling?: boolean | undefined;
  /** Which JSON Schema is understood. */
  readonly schema?:
    | {
        /** false: no anyOf, oneOf, allOf, not, enum or if at the root. Default true. */
        readonly root_combinators?: boolean | undefined;
        /** inline: what `$ref` names is put in its place. Default keep. */
        readonly references?: 'keep' | 'inline' | undefined;
        /** The words that are understood; all others are left out. Default: any. */
        readonly keywords?: readonly string[] | undefined;
        /** The values of format that are understood. Default: any. */
        readonly formats?: readonly string[] | undefined;
        /** false: type is one word, never a list. Default true. */
        readonly type_lists?: boolean | undefined;
        /** How it is said that a value may be null: as a type, or with the word nullable. Default type. */
        readonly null?: 'type' | 'nullable' | undefined;
        /** strings: enum holds texts that are not empty. Default any. */
        readonly enums?: 'any' | 'strings' | undefined;
        /** alone: nothing may stand beside anyOf. Default any. */
        readonly any_of?: 'any' | 'alone' | undefined;
        /** true: every array says what its items are. Default false. */
        readonly items_required?: boolean | undefined;
        /**
         * How lists with a schema for each place are told: any way, with prefixItems, or not at all. Default
         * any.
         */
        readonly tuples?: 'any' | 'prefix' | 'none' | undefined;
        /** true: every schema names its type and holds only what belongs to it. Default false. */
        readonly typed?: boolean | undefined;
        /** What properties may be called. */
        readonly property_names?:
          | {
              /** Characters that may be used, with ranges, such as `A-Za-z0-9_-` (a - that stands last is itself). */
              readonly characters?: string | undefined;
              /** Characters that may stand first. Default: all of them. */
              readonly first?: string | undefined;
              /** How long it may be. */
              readonly max_length?: number | undefined;
            }
          | undefined;
        /** Where that counts. Default all. */
        readonly property_names_at?: 'root' | 'all' | undefined;
        /** How many levels there may be; deeper ones lose their details. */
        readonly max_depth?: number | undefined;
        /** Larger schemas are made smaller, step by step. */
        readonly budget_bytes?: number | undefined;
        /** true: tools are marked strict where that changes nothing. Default false. */
        readonly strict?: boolean | undefined;
      }
    | undefined;
  /** Where the facts are from. */
  readonly sources?: readonly string[] | undefined;
}
