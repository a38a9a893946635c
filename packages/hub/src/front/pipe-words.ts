/** The words of the local pipe: what a client says first, and what it is answered. */
import type { Surroundings, Told } from '@junctor/core/light';

/** The first line of a client: which door it wants, and what opens it. */
export interface PipeGreeting {
  readonly door: string;
  readonly token: string;
}

/** In its place: what the hub would start, so that a command knows whether it is the same. Only for the hub's own token. */
export interface PipeQuestion {
  readonly ask: 'fingerprints';
  readonly token: string;
}

/** Or a command that is to be run here, where all it needs is loaded already. Only for the hub's own token. */
export interface PipeErrand extends Errand {
  readonly ask: 'errand';
  readonly token: string;
  /** How the command sees the machine: where the hub sees another one, it cannot act for it. */
  readonly view: string;
}

export interface Errand {
  /** As they were typed. */
  readonly words: readonly string[];
  /** Where they were typed. */
  readonly surroundings: Surroundings;
}

/** What came of it: what is to be said where it was typed, and the exit code. */
export interface ErrandDone {
  readonly code: number;
  readonly said: readonly (readonly [how: 'answer' | 'document' | 'talk', text: string])[];
}

/** Runs errands. Undefined for one that has to be run where it was typed; then nothing was done for it. */
export type ErrandRunner = (errand: Errand, signal: AbortSignal) => Promise<ErrandDone | undefined>;

/** What the hub answers to that line; each later line is a message of MCP. */
export type PipeAnswer =
  | { readonly open: true; readonly version: string }
  /** Of each server, by id. */
  | { readonly fingerprints: Readonly<Record<string, string>> }
  /** An errand has arrived; how it ended is the next line. */
  | { readonly taken: true }
  | { readonly done: ErrandDone }
  | { readonly elsewhere: true }
  /** The hub is starting or ending: come again. */
  | { readonly wait: true }
  | { readonly error: Told };

export function greetingIn(text: string): PipeGreeting | PipeQuestion | PipeErrand | undefined {
  try {
    const greeting = JSON.parse(text) as Partial<PipeGreeting> & { readonly ask?: string };
    const { door, ask, token } = greeting;
    if (typeof token !== 'string') return undefined;
    if (ask === 'fingerprints') return { ask, token };
    if (ask === 'errand') return greeting as PipeErrand;
    return typeof door === 'string' ? { door, token } : undefined;
  } catch {
    return undefined;
  }
}

export const NO_GREETING: PipeAnswer = {
  error: {
    code: 'usage',
    message: 'The first line on this pipe is {"door": "/mcp/<agent>", "token": "…"}.',
    hint: 'junctor connect AGENT does this for you',
  },
};
