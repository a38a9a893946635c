/** What the adapter of a plain API gives: definitions as its requests want them, and answers to its calls. */
import type { ServerFailure } from '@junctor/core';
import type { RunOptions } from './options.ts';

/** The tools of a host for one API: what to send, and how to answer calls. */
export interface PlainTools<Tool, Call, Answer> {
  /** All definitions, the program's own included. They stay the same for as long as the run lasts. */
  readonly tools: Tool[];
  /** To be spread into the body of each request: `tools`, or nothing where there are none. Some APIs refuse an empty list. */
  readonly request: { readonly tools?: Tool[] };
  /** Whether a call is for one of the servers; the program's own tools are not. */
  has(call: Call): boolean;
  /**
   * Runs a call and gives its answer for the next request. A call that is denied, that fails or that names no tool is
   * answered too: the model reads why. Throws only where `signal` was aborted.
   */
  run(call: Call, options?: RunOptions): Promise<Answer>;
  /** Servers that could not be reached, each with its reason: their tools are not there. */
  readonly failures: readonly ServerFailure[];
  /** Ids of servers that still start: their tools come later. */
  readonly pending: readonly string[];
  /**
   * What servers say about the use of their tools, cleaned, cut and quoted as theirs. Put it at the end of your system
   * prompt where you want the model to know it; nothing does so by itself.
   */
  readonly serverInstructions: string | undefined;
  /** Names of tools that are left out because the API takes only so many. */
  readonly beyond: readonly string[];
}

/** The definitions in both forms. */
export function asRequest<Tool>(tools: Tool[]): Pick<PlainTools<Tool, never, never>, 'tools' | 'request'> {
  return { tools, request: tools.length > 0 ? { tools } : {} };
}
