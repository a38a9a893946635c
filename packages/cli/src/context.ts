/** What a command works with: where it runs, what the person asked of all commands, and the ways to answer. */
import type { HostOptions } from '@junctor/core';
import type { Log, Redactor, Surroundings } from '@junctor/core/inside';
import type { GLOBAL_OPTIONS, ParsedOptions } from './command.ts';

export interface Context {
  readonly global: ParsedOptions<typeof GLOBAL_OPTIONS>;
  readonly surroundings: Surroundings;
  readonly signal: AbortSignal;
  readonly redactor: Redactor;
  readonly log: Log;
  /** A person sits at this terminal and can be asked. */
  readonly interactive: boolean;
  /** Prints the answer: `json` for programs, `text` for people. */
  answer(answer: { readonly json: unknown; readonly text: string }): void;
  /** Tells the person something beside the answer, on stderr. */
  talk(line: string): void;
}

/** How every command that needs servers opens a host. */
export function hostOptions(context: Context): HostOptions {
  const { config, isolated } = context.global;
  return { path: config, isolated, surroundings: context.surroundings, log: context.log };
}
