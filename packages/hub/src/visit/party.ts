/**
 * Whoever can have caused what a server says of its own accord: a session of the older era, where questions reach the client
 * as requests; or one call of the newer era, where they can only be the answer to that call.
 */
import type { ServerLogLevel } from '@junctor/core';
import { SERVER_LOG_LEVELS } from '@junctor/core/internal';

export interface Question {
  readonly server: string;
  readonly method: string;
  readonly params: unknown;
  /** Aborted when the answer is not wanted any more. */
  readonly signal: AbortSignal;
}

export interface Party {
  /** What is told apart: requests with equal ones may be answered each other's questions. */
  readonly session: object;
  /** Its client has been given questions, and has not come back yet. */
  readonly away: boolean;
  /** What the client said it can do. */
  readonly capabilities: Readonly<Record<string, unknown>>;
  /** The least important log lines it wants; undefined where it never said. */
  readonly logLevel: ServerLogLevel | undefined;
  ask(question: Question): Promise<unknown>;
  tell(server: string, method: string, params: object): void;
}

/** Whether a client with these capabilities may be asked this. */
export function canBeAsked(
  { capabilities }: Pick<Party, 'capabilities'>,
  { method, params }: Pick<Question, 'method' | 'params'>,
): boolean {
  if (method === 'roots/list') return capabilities.roots !== undefined;
  if (method === 'sampling/createMessage') return capabilities.sampling !== undefined;
  if (method !== 'elicitation/create') return false;
  const modes = capabilities.elicitation as { form?: unknown; url?: unknown } | undefined;
  if (modes === undefined) return false;
  if ((params as { mode?: unknown } | undefined)?.mode === 'url') return modes.url !== undefined;
  // A client that names no mode has forms: they were there first.
  return modes.form !== undefined || modes.url === undefined;
}

/** Whether a line of this level is for somebody who wants `least` and above. Who never said takes what comes. */
export function wantsLine(least: ServerLogLevel | undefined, level: unknown): boolean {
  if (least === undefined) return true;
  return SERVER_LOG_LEVELS.indexOf(level as ServerLogLevel) >= SERVER_LOG_LEVELS.indexOf(least);
}

export function isLogLevel(word: unknown): word is ServerLogLevel {
  return (SERVER_LOG_LEVELS as readonly unknown[]).includes(word);
}
