/** What a program decides about the tools it hands to a model: the same for every API. */
import type { Ask, CallOptions, NamingStrategy, SnapshotWait } from '@junctor/core';

/** What is kept back, so that many tools do not fill the context window. */
export interface DeferOptions {
  /**
   * Whether definitions are kept back until a search finds them: the provider's own where it has one and the model is known
   * to use it, else with the tools `find_tools`, `describe_tool` and `call_tool`. `auto`: as the config says under `search`,
   * where they would take too much of the context window. Default: auto.
   */
  readonly defer?: boolean | 'auto' | undefined;
  /** Public names of tools that are never kept back: the few that nearly every run uses. */
  readonly hot?: readonly string[] | undefined;
  /** In tokens; what `auto` measures against. Default: what the profile of the model says, else 200,000. */
  readonly contextWindow?: number | undefined;
}

/** `servers`: only their tools. Default: those of all. */
export interface ToolboxOptions extends SnapshotWait, DeferOptions {
  /** Whose session it is, where one host serves several: a yes for the session, and results that were cut, are its own. */
  readonly session?: string | undefined;
  /** Whether the tools for resources and prompts are there, where some server has them. Default: true. */
  readonly otherLists?: boolean | undefined;
  /** Asks a person about calls of this run that no rule allows. Default: the host's. */
  readonly ask?: Ask | undefined;
  /** How the tools are named. Default: as the host says. */
  readonly naming?: NamingStrategy | undefined;
  /**
   * What becomes of a tool that is called like one of the program's own: it gets another name, or nothing is offered and
   * the error says which two they are. Default: rename.
   */
  readonly collisions?: 'rename' | 'refuse' | undefined;
}

/** What one call may be given along. */
export type RunOptions = Pick<CallOptions, 'signal' | 'onProgress' | 'ask' | 'session'>;
