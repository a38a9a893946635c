/** What a program decides about the tools it hands to a model: the same for every API. */
import type { CallOptions, NamingStrategy, SnapshotWait } from '@junctor/core';

/** `servers`: only their tools. Default: those of all. */
export interface ToolboxOptions extends SnapshotWait {
  /** Whose session it is, where one host serves several: a yes for the session, and results that were cut, are its own. */
  readonly session?: string;
  /** How the tools are named. Default: as the host says. */
  readonly naming?: NamingStrategy;
  /**
   * What becomes of a tool that is called like one of the program's own: it gets another name, or nothing is offered and
   * the error says which two they are. Default: rename.
   */
  readonly collisions?: 'rename' | 'refuse';
}

/** Options of an API whose models search a long list themselves. */
export interface DeferOptions {
  /**
   * Whether definitions are kept back until the provider's own search finds them. `auto`: where they would take too much
   * of the context window, and the model is known to search. Default: auto.
   */
  readonly defer?: boolean | 'auto';
  /** Public names of tools that are never kept back: the few that nearly every run uses. */
  readonly hot?: readonly string[];
  /** In tokens; what `auto` measures against. Default: 200,000. */
  readonly contextWindow?: number;
}

/** What one call may be given along. */
export type RunOptions = Pick<CallOptions, 'signal' | 'onProgress' | 'ask' | 'session'>;
