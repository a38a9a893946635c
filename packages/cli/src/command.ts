/** What a command is: its words, its options and what it does. Help, parsing and completion all read this. */
import type { ErrandDone } from '@junctor/hub/errand';
import type { Context } from './context.ts';

export interface OptionSpec {
  /** The placeholder of its value, as help shows it. Absent: the option is a switch. */
  readonly value?: string;
  /** May be given several times. */
  readonly many?: boolean;
  /** May be given without its value: then a person is asked for it. */
  readonly prompts?: boolean;
  /** Its value may begin with a dash: whatever follows it belongs to it. */
  readonly dashed?: boolean;
  readonly help: string;
}

/** As it is typed: one letter has one dash. */
export function dashed(name: string): string {
  return name.length === 1 ? `-${name}` : `--${name}`;
}

export type OptionSpecs = Readonly<Record<string, OptionSpec>>;

export type ParsedOptions<Specs extends OptionSpecs> = {
  readonly [Name in keyof Specs]: Specs[Name] extends { value: string }
    ? Specs[Name] extends { many: true }
      ? readonly string[]
      : string | undefined
    : boolean;
};

/** What a command does. It is loaded only when it is asked for: `--help` must not wait for the hub. */
export interface Command<Specs extends OptionSpecs = OptionSpecs> {
  readonly options?: Specs;
  /** It deals with SIGINT, SIGTERM and SIGHUP itself. */
  readonly ownSignals?: true;
  /** Shown under the options: when to use it, with an example. */
  readonly details?: string;
  /**
   * Has a running hub do it, which has loaded all that is needed: loading is most of what a command takes. Undefined where it
   * has to be run here.
   */
  atHub?(argv: readonly string[], context: Context, given: Given<Specs>): Promise<ErrandDone | undefined> | undefined;
  /** Returns an exit code where it is not 0. */
  run(context: Context, given: Given<Specs>): Promise<number | undefined>;
}

export interface Given<Specs extends OptionSpecs> {
  readonly options: ParsedOptions<Specs>;
  readonly words: readonly string[];
}

/** Lets the compiler infer the types of a command's options from their table. */
export function defineCommand<const Specs extends OptionSpecs>(command: Command<Specs>): Command {
  return command as unknown as Command;
}

/** One row of the table of commands: enough to find it and to name it, and the way to the rest. */
export interface CommandRow {
  readonly words: readonly string[];
  /** Placeholders of what stands without a dash: `ID`, `[SERVER]`, `TOOL…`. */
  readonly positionals?: readonly string[];
  readonly summary: string;
  /** It works on the data directory alone, or on the hub there: options that name config files mean nothing to it. */
  readonly dataOnly?: true;
  /** With --json it may print many documents, each in a line: a failure is one more. */
  readonly jsonLines?: true;
  load(): Promise<Command>;
}

/** Options every command takes. */
export const GLOBAL_OPTIONS = {
  config: { value: 'FILE', help: 'use this config file in place of the project file (also --mcp-config)' },
  dialect: { value: 'NAME', help: 'the format of that file, where it fits several' },
  isolated: { help: 'ignore user, plugin and foreign files: only --config or our project files count' },
  data: {
    value: 'DIR',
    help: 'keep data here (default: $JUNCTOR_DATA, else .junctor upward where a hub runs, else ~/.local/share/junctor)',
  },
  json: { help: 'print one JSON document on stdout' },
  strict: { help: 'fail where a config has any problem, in place of going on without that server' },
  'validate-config': { help: 'check the config and do nothing else' },
  debug: { help: 'say on stderr what happens, secrets masked' },
  help: { help: 'show this help' },
} as const satisfies OptionSpecs;
