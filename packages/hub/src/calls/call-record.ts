/** What is known of one call, from its arrival to its end. */
import type { Caller, CallObserver, Decision, CallEnd as EndOfCall, ToolCall } from '@junctor/core';

/** What a door says as a call arrives. */
export interface CallAbout {
  /** Who makes it. */
  readonly caller: Caller;
  readonly server: string;
  /** By the server's own name. */
  readonly tool: string;
  readonly args: unknown;
  /** Hides the secrets of the host it goes to. Asked later, when nobody waits. */
  mask(text: string): string;
}

/** How a call ended, as it is written down. */
export type CallEnd = Pick<EndOfCall, 'outcome' | 'failed' | 'code' | 'bytes'>;

/** The record of one call, which watches it. */
export interface OpenCall extends CallObserver {
  readonly id: string;
  /** A person is asked about it. */
  asked(because: string): void;
  judged(call: ToolCall, decision: Decision): void;
  sending(): Promise<void> | undefined;
  /** Once. What comes after that is ignored. */
  ended(call: ToolCall, end: CallEnd): void;
}

/** What runs now, for people. */
export interface RunningCall {
  readonly call_id: string;
  readonly bearer: 'person' | 'agent';
  readonly agent: string;
  readonly person: string;
  readonly surface: string;
  /** The folder of the project it was made in; empty where it was made in none. */
  readonly project: string;
  readonly session: string;
  readonly server: string;
  readonly tool: string;
  readonly started: number;
  readonly sent: boolean;
}

/** Made once for each caller: a session makes many calls. */
const WORDS = new WeakMap<Caller, CallerWords>();

/** The caller as rows and lines name it. */
export function callerWords(caller: Caller): CallerWords {
  const known = WORDS.get(caller);
  if (known) return known;
  const { surface, session, agent, person, token, project } = caller;
  const words: CallerWords = {
    bearer: token?.kind === 'agent' ? 'agent' : 'person',
    agent: agent ?? '',
    person: person?.name ?? '',
    surface,
    project: project ?? '',
    session: session ?? '',
  };
  WORDS.set(caller, words);
  return words;
}

export type CallerWords = Pick<RunningCall, 'bearer' | 'agent' | 'person' | 'surface' | 'project' | 'session'>;
