/** The words of the local pipe: what a client says first, and what it is answered. */
import type { Surroundings, Told } from '@junctor/core/light';

/** The first line of a client: which door it wants, and what opens it. */
export interface PipeGreeting {
  readonly door: string;
  readonly token: string;
  /** Whether it wants the notifications of `HoldNotice`, which are no part of MCP. */
  readonly holds?: boolean;
  /** Where it works: it gets the servers of that project. Without it, those that the hub itself serves. */
  readonly at?: WorkPlace | undefined;
}

/** The folder that a program of this machine works in. */
export interface WorkPlace {
  readonly folder: string;
  /** How it sees the machine: where the hub sees another one, the folder means nothing to it. */
  readonly view: string;
}

/** What the hub made of a folder. */
export interface ProjectAnswer {
  /** What an address of an endpoint carries after `/w/`; null: endpoints that name no project serve it. */
  readonly id: string | null;
  /** The folder of the project whose servers are served there; null: none, only what counts in every folder. */
  readonly folder: string | null;
  /** Why the folder does not decide, where it does not: the hub was started with a config of its own, or cannot see it. */
  readonly because?: 'fixed' | 'unseen';
}

/**
 * What a hub says on the pipe about a request, by its `requestId`: that it waits for approval, and that it waits no more.
 * Between the two, no server has the request, whatever becomes of the hub.
 */
export type HoldNotice = 'notifications/junctor/held' | 'notifications/junctor/released';

/** In its place: what the hub would start, so that a command knows whether it is the same. Only for the hub's own token. */
export interface FingerprintsQuestion {
  readonly ask: 'fingerprints';
  readonly token: string;
  /** Where the command was typed. */
  readonly at?: WorkPlace | undefined;
}

/** Or which project a folder belongs to. Any token of this hub may ask: the pipe is open to this person's programs alone. */
export interface PipeProject {
  readonly ask: 'project';
  readonly token: string;
  readonly at: WorkPlace;
}

/** Or a token of one agent, good while this hub runs: a client must not come with a person's. Only for the hub's own token. */
export interface AgentTokenQuestion {
  readonly ask: 'agent-token';
  readonly agent: string;
  readonly token: string;
}

export type PipeQuestion = FingerprintsQuestion | AgentTokenQuestion;

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
  | { readonly open: true; readonly version: string; readonly project: ProjectAnswer }
  /** Of each server, by id; and where they are served. */
  | { readonly fingerprints: Readonly<Record<string, string>>; readonly project?: string | undefined }
  | { readonly project: ProjectAnswer }
  | { readonly agent_token: string }
  /** An errand has arrived; how it ended is the next line. */
  | { readonly taken: true }
  | { readonly done: ErrandDone }
  | { readonly elsewhere: true }
  /** The hub is starting or ending: come again. */
  | { readonly wait: true }
  | { readonly error: Told };

export function greetingIn(text: string): PipeGreeting | PipeQuestion | PipeProject | PipeErrand | undefined {
  try {
    const greeting = JSON.parse(text) as Partial<PipeGreeting> & { readonly ask?: string; readonly agent?: string };
    const { door, ask, agent, token, holds } = greeting;
    if (typeof token !== 'string') return undefined;
    const at = workPlaceIn(greeting.at);
    if (ask === 'fingerprints') return { ask, token, at };
    if (ask === 'agent-token') return typeof agent === 'string' ? { ask, agent, token } : undefined;
    if (ask === 'project') return at && { ask, token, at };
    if (ask === 'errand') return greeting as PipeErrand;
    return typeof door === 'string' ? { door, token, holds: holds === true, at } : undefined;
  } catch {
    return undefined;
  }
}

function workPlaceIn(at: Partial<WorkPlace> | undefined): WorkPlace | undefined {
  const { folder, view } = at ?? {};
  return typeof folder === 'string' && typeof view === 'string' ? { folder, view } : undefined;
}

export const NO_GREETING: PipeAnswer = {
  error: {
    code: 'usage',
    message: 'The first line on this pipe is {"door": "/mcp/<agent>", "token": "…"}.',
    hint: 'junctor connect AGENT does this for you',
  },
};
