/** Every failure Junctor reports: a code for programs, a sentence and a next step for people. */

/** What each code means, in one line. The reference page and the exit codes derive from this table. */
export const ERROR_CODES = {
  usage: 'The command or the call was given words it does not know.',
  config_invalid: 'A config file or value breaks the schema.',
  config_unreadable: 'A config file exists but cannot be read or parsed.',
  file_unwritable: 'A file could not be written; what was there before is still there.',
  config_conflict: 'The edit clashes with what the file already holds.',
  secret_unknown: 'No secret of this name is stored.',
  secret_unreadable: 'A stored secret cannot be read or kept: wrong key, altered file, or no way to the keyring.',
  server_unknown: 'No layer defines a server with this id.',
  server_unusable: 'The server is defined but left out of this run: switched off, filtered, or missing a variable.',
  trust_required: 'The server came with a project, and nobody has approved it yet.',
  command_not_found: 'The program of a server cannot be started: not found, or not executable.',
  folder_not_found: 'The folder that a server starts in (cwd) does not exist, or is a file.',
  executor_unavailable: 'The place where the server is to run cannot run it: no such container, host or program.',
  connection_failed: 'The server could not be reached, or ended while starting.',
  session_expired: 'The server has forgotten the session; it did not act on the request, which can be sent again.',
  connection_lost: 'The connection ended while a request was waiting; whether the server acted on it is unknown.',
  transport_unsupported: 'The transport of the server is one Junctor cannot speak yet.',
  protocol_unsupported: 'The server speaks a protocol version Junctor does not.',
  malformed_response: 'The server answered something that is not valid MCP.',
  message_too_large: 'A message was larger than max_message_bytes; only that request failed.',
  server_error: 'The server answered the request with a JSON-RPC error.',
  timeout: 'The server did not answer in time.',
  cancelled: 'The caller cancelled the request.',
  auth_required: 'The server asks for a sign-in.',
  sign_in_failed: 'A sign-in was begun and not completed: refused, run out of time, or not to be trusted.',
  not_offered: 'The server has no resources, prompts or completions, and was asked for one.',
  tool_not_found: 'No server offers a tool with this name.',
  name_taken: 'Two tools would have the same name, and neither may be renamed.',
  tool_failed: 'The tool ran and reported an error.',
  result_gone: 'No result is kept under this id: it was cleaned up, or it belongs to somebody else.',
  task_gone: 'The hub was restarted since the task began, and keeps it no more.',
  permission_denied: 'A rule or a person denied the call.',
  input_required: 'A value is missing that only a person can give, and nobody could be asked.',
  approval_required: 'The call needs approval, and nobody could be asked or answered in time.',
  tool_locked: 'The tool is new or changed since junctor.lock was written, and nobody has approved it yet.',
  too_many_instances: 'A server that has an instance for each session has as many as are allowed.',
  too_many_projects: 'The hub serves as many projects at once as are allowed.',
  hub_required: 'The command asks a running hub, and none runs on this data directory.',
  hub_closing: 'The hub is about to end: calls that run may finish, and no new ones begin.',
  hub_running: 'A hub already runs on this data directory.',
  hub_failed: 'No hub runs, and none could be started in the background.',
  database_failed: "The hub's database cannot be reached, or does not do what it was asked.",
  token_required: 'The hub was asked without a token that it knows.',
  token_refused: 'The hub knows the token, and it does not open this.',
  rate_limited: 'Too many requests came with one token, or without a good one; Retry-After says how long to wait.',
  not_found: 'The hub has nothing at this path, or under this id.',
  edit_outdated: 'Somebody else changed it since it was read; nothing was written.',
  model_required: 'The agent was started without a model, or without the key of its provider.',
  model_failed: 'The model provider did not answer: wrong key or name, too many requests, a broken line.',
  port_in_use: 'Another program listens on the port.',
  internal: 'A defect in Junctor.',
} as const;

/** What a program compares. The list is complete, and only ever grows. */
export type ErrorCode = keyof typeof ERROR_CODES;

/** What to do next, for each of two readers. */
export interface NextStep {
  /** For a program that embeds Junctor: what to pass or to call; and for everybody, where `command` says nothing else. */
  readonly hint?: string | undefined;
  /** For somebody who has the command line: what to type. */
  readonly command?: string | undefined;
}

/** What an error says beside its code and its sentence. */
export interface ErrorDetails extends NextStep {
  /** What was seen: the evidence behind the sentence. */
  readonly why?: string | undefined;
  /** The id of the server it is about. */
  readonly server?: string | undefined;
  /** What was thrown before, somewhere below. */
  readonly cause?: unknown;
  /** True where it is certain that the request never left. */
  readonly unsent?: boolean | undefined;
}

/** Every failure that Junctor reports. Tell them apart with `isJunctorError(error, 'auth_required')`. */
export class JunctorError extends Error {
  /** The same in what is printed of it, however short the names in a bundle are. */
  static override readonly name: string = 'JunctorError';
  override readonly name = 'JunctorError';
  /** What to compare: see `isJunctorError`. The text may change, the code does not. */
  readonly code: ErrorCode;
  /** What to do next, in a program. */
  declare readonly hint: string | undefined;
  /** The same at the command line, where that is something else: `junctor mcp login github`. */
  declare readonly command: string | undefined;
  /** What was seen: the evidence behind the sentence. */
  declare readonly why: string | undefined;
  /** The id of the server it is about. */
  declare readonly server: string | undefined;
  /** True where it is certain that the request never left. */
  readonly unsent: boolean;
  /** For a call that failed: whether it can have run. Set by whoever carried the call. */
  declare outcome: 'not_sent' | 'unknown' | 'done' | undefined;

  constructor(code: ErrorCode, sentence: string, details: ErrorDetails = {}) {
    super(sentence, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    // What is not known is not there: whoever prints the error reads no empty keys.
    if (details.hint !== undefined) this.hint = details.hint;
    if (details.command !== undefined) this.command = details.command;
    if (details.why !== undefined) this.why = details.why;
    if (details.server !== undefined) this.server = details.server;
    this.unsent = details.unsent ?? false;
  }

  /** What `JSON.stringify` writes: the sentence too, which an error hides from it. Neither stack nor cause. */
  toJSON(): Readonly<Record<string, unknown>> {
    const { name, code, message, why, hint, command, server, unsent, outcome } = this;
    return { name, code, message, why, hint, command, server, unsent, outcome };
  }
}

/** The same failure, with some of its details replaced. */
export function retold(error: JunctorError, details: ErrorDetails): JunctorError {
  const { code, message, hint, command, why, server, cause, unsent } = error;
  return new JunctorError(code, message, { hint, command, why, server, cause, unsent, ...details });
}

/** Whether it is an error of Junctor, and, where a code is given, one of that code. */
export function isJunctorError(error: unknown, code?: ErrorCode): error is JunctorError {
  return isOurs(error) && (code === undefined || error.code === code);
}

/** By its name too: `@junctor/core/pure`, and another version in the same program, have a class of their own. */
function isOurs(error: unknown): error is JunctorError {
  if (error instanceof JunctorError) return true;
  return error instanceof Error && error.name === 'JunctorError' && 'code' in error;
}

/** The words of anything that was thrown. */
export function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
