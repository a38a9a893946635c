/** What the hub keeps, table by table. Both databases hold the same; JSON is kept as text, times as milliseconds. */
import type { CallEnd } from '@junctor/core';
import type { Generated } from 'kysely';

export interface Tables {
  agent_configs: AgentConfigRow;
  agent_overrides: AgentOverrideRow;
  executor_policies: ExecutorPolicyRow;
  calls: CallTable;
  tool_statistics: ToolStatisticsRow;
  tool_durations: ToolDurationsRow;
  approvals: ApprovalRow;
  grants: GrantRow;
  sessions: SessionRow;
  attachments: AttachmentRow;
  page_sessions: PageSessionRow;
  page_codes: PageCodeRow;
  hubs: HubRow;
  sealing_keys: SealingKeyRow;
  sign_ins: SignInRow;
  hub_tokens: HubTokenRow;
  token_uses: TokenUseRow;
  acts: ActTable;
  secrets: SecretRow;
  leases: LeaseRow;
  server_questions: ServerQuestionsRow;
  migrations: MigrationRow;
}

/** What was posted for an agent. */
export interface AgentConfigRow {
  agent: string;
  body: string;
  updated: number;
}

/** A policy for one agent on one executor. */
export interface AgentOverrideRow {
  agent: string;
  executor: string;
  policy: string;
  updated: number;
}

export interface ExecutorPolicyRow {
  executor: string;
  policy: string;
  updated: number;
}

/** One call that is over, whatever became of it. Empty text stands for no agent and no session. */
export interface CallRow {
  call_id: string;
  /** Whose token it came with: `person`, or `agent`. */
  bearer: string;
  agent: string;
  /** The person who made the call, where their token or login has a name. */
  person: string;
  /** Where it entered: `agent-endpoint`, `server-endpoint`, `rest`. */
  surface: string;
  /** The folder of the project it was made in; empty where it was made in none. */
  project: string;
  session: string;
  server: string;
  tool: string;
  /** What the gate or a person said, and why. */
  verdict: string;
  because: string;
  started: number;
  ms: number;
  bytes_in: number;
  bytes_out: number;
  /** `done`, `not_sent`, or `unknown`: sent, and nobody knows what became of it. */
  outcome: CallEnd['outcome'];
  /** 1: it ended as a tool error, or in no answer at all. */
  failed: number;
  code: string | null;
  /** Secrets masked, and cut where they are long. */
  arguments: string | null;
}

export interface CallTable extends CallRow {
  seq: Generated<number>;
}

export interface ToolStatisticsRow {
  agent: string;
  server: string;
  tool: string;
  calls: number;
  errors: number;
  bytes: number;
  last_used: number;
}

/** How many calls of a tool fell into one class of durations. */
export interface ToolDurationsRow {
  agent: string;
  server: string;
  tool: string;
  class: number;
  count: number;
}

export interface ApprovalRow {
  id: string;
  /** The hub where the call waits. */
  hub: string;
  agent: string;
  /** The folder of the project the call was made in; empty where it was made in none. */
  project: string;
  session: string;
  server: string;
  tool: string;
  /** JSON; where `cut` is set, a text with the beginning of it. */
  arguments: string;
  /** Length and SHA-256 of the whole as JSON, where that is longer. */
  cut: string | null;
  /** What the person who is asked can read, as JSON, where that is more. Null once the question is settled. */
  readable: string | null;
  because: string;
  asked: number;
  expires: number | null;
  /** Null while it is open. */
  outcome: string | null;
  answered: number | null;
  /** Who said it, and where. */
  answered_by: string | null;
  /** What the model was told with a no. */
  note: string | null;
  /** An answer as JSON, given at another hub than the one where the call waits, which has not read it yet. */
  said: string | null;
}

export interface GrantRow {
  id: string;
  body: string;
  granted: number;
}

export interface SessionRow {
  id: string;
  /** The hub it is at, where several stand on one database. */
  hub: string;
  agent: string;
  server: string;
  /** The folder of the project that its client works in; empty where it works in none. */
  project: string;
  client: string;
  protocol: string;
  opened: number;
  seen: number;
  closed: number | null;
  /** Whose token opened it, in a form that says nothing about the token, and at which door. */
  principal: string | null;
  door: string | null;
  /** What its client can do, as JSON. */
  capabilities: string | null;
  /** When its hub ended without its client having ended it: another hub may take it up. */
  lost: number | null;
}

/** How far one session has come with one server: when each step was first seen. */
export interface AttachmentRow {
  session: string;
  server: string;
  delivered: number | null;
  initialised: number | null;
  listed: number | null;
  called: number | null;
}

/** A browser that is logged in to the page. */
export interface PageSessionRow {
  /** Of its cookie. */
  sha256: string;
  created: number;
  expires: number;
  /** Who asked for the address that logged in. */
  name: string | null;
  /** What they asked with, as in `TokenMaker`. The login ends with it. */
  made_by: string | null;
}

/** An address that logs a browser in, once, at whichever hub on this database. */
export interface PageCodeRow {
  sha256: string;
  expires: number;
  name: string | null;
  made_by: string | null;
  /** The login ends at this time at the latest. */
  until: number | null;
}

/** A hub that lives, where several stand on one PostgreSQL. */
export interface HubRow {
  /** The same in every life of it. */
  id: string;
  life: string;
  /** Where the other hubs reach it. */
  url: string;
  /** The public key of this life of it, by which the others know that it is it who asks. */
  key: string;
  /** The machine and the folder where its journal lies. */
  machine: string;
  data_directory: string;
  version: string;
  started: number;
  /** When it last said that it lives, by the clock of the database. */
  seen: number;
}

/** What tells whether a hub has the key that something was sealed with; not the key. */
export interface SealingKeyRow {
  id: string;
  /** Where the key comes from: `passphrase`, `keyring` or `key_file`. */
  kind: string;
  salt: string;
  proof: string;
  made: number;
}

/** What somebody signed in to, of whichever account. */
export interface SignInRow {
  name: string;
  sealing_key: string;
  box: string;
  updated: number;
}

/** A token that hubs on one database have in common. */
export interface HubTokenRow {
  sha256: string;
  agent: string | null;
  session: string | null;
  executor: string | null;
  opens: string | null;
  name: string | null;
  created: string;
  expires: string | null;
  /** Who made it, as in `TokenMaker`. */
  made_by: string | null;
  made_by_name: string | null;
}

/** Something that a person changed at the hub. */
export interface ActRow {
  at: number;
  act: string;
  /** Empty: their token has no name. */
  person: string;
  /** What they showed, as in `TokenMaker`. */
  made_with: string;
  via: string;
  address: string;
  target: string;
  before: string | null;
  after: string | null;
  outcome: string;
}

export interface ActTable extends ActRow {
  seq: Generated<number>;
}

export type StoredAct = ActRow & { readonly seq: number };

/** When a token was last used, by whichever hub. */
export interface TokenUseRow {
  sha256: string;
  used: number;
}

/** What one hub of several runs for all of them. */
export interface LeaseRow {
  what: string;
  /** Of the hub that runs it. */
  life: string;
  since: number;
}

/** Which requests make a server ask its client. */
export interface ServerQuestionsRow {
  /** A hash of its id and of how it is reached. */
  server: string;
  /** `LearnedQuestions` as JSON. */
  body: string;
  updated: number;
}

/** A secret that hubs on one database have in common, sealed. */
export interface SecretRow {
  name: string;
  sealing_key: string;
  box: string;
  updated: number;
}

export interface MigrationRow {
  name: string;
  at: number;
}
