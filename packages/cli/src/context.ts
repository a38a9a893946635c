/** What a command works with: where it runs, what the person asked of all commands, and the ways to answer. */

import type { HostOptions } from '@junctor/core';
import type { LoadMcpConfigOptions } from '@junctor/core/config-read';
import {
  DIALECT_NAMES,
  type DialectName,
  isDialectName,
  JunctorError,
  type Log,
  type Redactor,
  type Surroundings,
} from '@junctor/core/light';
import type { GLOBAL_OPTIONS, ParsedOptions } from './command.ts';
import type { TypedCommands } from './output/typed-commands.ts';

export interface Context {
  readonly global: ParsedOptions<typeof GLOBAL_OPTIONS>;
  readonly surroundings: Surroundings;
  readonly signal: AbortSignal;
  readonly redactor: Redactor;
  readonly log: Log;
  /** A person sits at this terminal and can be asked. */
  readonly interactive: boolean;
  /** How wide the terminal is that shows the answer; undefined where none does. */
  readonly columns: number | undefined;
  /** A hub runs it for whoever typed it: nothing may be started here that the hub does not have. */
  readonly errand: boolean;
  /** Writes commands as they are typed here, to go on with the same hub and files. */
  readonly commands: TypedCommands;
  /** Prints the answer: `json` for programs, `text` for people. */
  answer(answer: { readonly json: unknown; readonly text: string }): void;
  /** Tells the person something beside the answer, on stderr. */
  talk(line: string): void;
}

/** What every command that reads config passes on. */
export function loadOptions(context: Context): LoadMcpConfigOptions {
  const { config, isolated, strict } = context.global;
  return { path: config, dialect: dialectOf(context), isolated, strict, surroundings: context.surroundings };
}

/** How every command that needs servers opens a host. */
export function hostOptions(context: Context): HostOptions {
  const { log, redactor, signal } = context;
  return { ...loadOptions(context), data: context.global.data, log, redactor, signal, nextSteps: 'commands' };
}

export function dialectOf(context: Context): DialectName | undefined {
  const name = context.global.dialect;
  if (name === undefined || isDialectName(name)) return name;
  throw new JunctorError('usage', `There is no dialect '${name}'.`, { hint: `one of: ${DIALECT_NAMES.join(', ')}` });
}
