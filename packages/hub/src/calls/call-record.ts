/** What is known of one call, from its arrival to its end. */

/** What a door says as a call arrives. */
export interface CallAbout {
  /** Whose token it came with. */
  readonly bearer: 'person' | 'agent';
  /** The agent whose door it came in by; undefined at a server's own door. */
  readonly agent?: string | undefined;
  readonly session: string;
  readonly server: string;
  /** By the server's own name. */
  readonly tool: string;
  readonly args: unknown;
  /** Hides the secrets of the host it goes to. Asked later, when nobody waits. */
  mask(text: string): string;
}

/** `done`: it was answered. `unknown`: it was sent, and nobody knows what became of it. */
export type CallOutcome = 'done' | 'not_sent' | 'unknown';

export interface CallEnd {
  readonly outcome: CallOutcome;
  /** It ended as a tool error, or in no answer at all. */
  readonly failed: boolean;
  /** Why, where it failed. */
  readonly code?: string | undefined;
  /** The size of the answer. */
  readonly bytes: number;
}

/** A call as its door keeps it. */
export interface OpenCall {
  /** What the gate or a person said about it. */
  judged(verdict: string, because: string): void;
  /** Resolves once it is certain to be found after a crash; undefined where it is. Nothing is sent before that. */
  sending(): Promise<void> | undefined;
  /** Once. What comes after that is ignored. */
  ended(end: CallEnd): void;
}

/** What runs now, for people. */
export interface RunningCall {
  readonly call_id: string;
  readonly bearer: 'person' | 'agent';
  readonly agent: string;
  readonly session: string;
  readonly server: string;
  readonly tool: string;
  readonly started: number;
  readonly sent: boolean;
}
