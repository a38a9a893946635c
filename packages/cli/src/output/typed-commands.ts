/**
 * Writes Junctor's commands as they work where they are read: the words that start this program, and the options that the next
 * command needs, too, to reach the same hub and files. Every message and page takes them from here.
 */

import { existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join, sep } from 'node:path';
import { type Surroundings, upwards } from '@junctor/core/light';
import type { CommandRow, GLOBAL_OPTIONS, ParsedOptions } from '../command.ts';
import { asWord } from './as-word.ts';

type SameOptions = Partial<Pick<ParsedOptions<typeof GLOBAL_OPTIONS>, 'data' | 'config' | 'dialect' | 'isolated'>>;

export interface TypedCommandsOptions {
  readonly rows: readonly CommandRow[];
  readonly surroundings: () => Surroundings;
  /** Whether the commands are typed where this one was; default: here. */
  readonly where?: 'here' | 'anywhere';
}

export class TypedCommands {
  /** The options of the command that writes: undefined until its line is parsed. */
  options: SameOptions | undefined;
  readonly #given: TypedCommandsOptions;
  #program: string | undefined;
  #names: Names | undefined;

  constructor(given: TypedCommandsOptions) {
    this.#given = given;
  }

  /** The same commands, typed in any folder and with these options. */
  anywhere(options: SameOptions): TypedCommands {
    const commands = new TypedCommands({ ...this.#given, where: 'anywhere' });
    commands.options = options;
    return commands;
  }

  get program(): string {
    this.#program ??= programIn(this.#given);
    return this.#program;
  }

  /** `hub token --agent codex` as a whole line to type. */
  line(words: string): string {
    return `${this.program} ${words}${this.optionsFor(words, words)}`;
  }

  /** The same for commands that stand in a sentence, each as `junctor hub stop`. */
  inText(text: string): string {
    if (!text.includes('junctor ')) return text;
    return text.replaceAll(
      this.#known.inText,
      (_all, name: string | undefined, words: string | undefined, at: number) => {
        if (name === undefined) return `${this.program} `;
        const [rest = ''] = text.slice(at).split('\n', 1);
        return `${this.program} ${name}${words ?? ''}${this.optionsFor(name, rest)}`;
      },
    );
  }

  /** Each after a space; without those that `rest` holds already. */
  optionsFor(words: string, rest: string): string {
    const { data, config, dialect, isolated } = this.options ?? {};
    const [name = ''] = this.#known.atStart.exec(words) ?? [];
    const readsFiles = !this.#known.dataOnly.has(name);
    const files = readsFiles ? { config, dialect } : {};
    const given = Object.entries({ data, ...files }).flatMap(([option, value]) =>
      value === undefined || holds(rest, option) ? [] : [` --${option} ${asWord(value)}`],
    );
    const alone = isolated && readsFiles && !holds(rest, 'isolated');
    return [...given, ...(alone ? [' --isolated'] : [])].join('');
  }

  get #known(): Names {
    this.#names ??= namesOf(this.#given.rows);
    return this.#names;
  }
}

interface Names {
  readonly inText: RegExp;
  readonly atStart: RegExp;
  /** Commands to which options that name config files mean nothing. */
  readonly dataOnly: ReadonlySet<string>;
}

/** What a command is about, where nothing but its options, or the end of the sentence, follows: `lock approve fs/write`. */
const WORDS = '((?: [^\\s,;()\'"{-][^\\s,;()]{0,200}){1,4}(?=$|[\\n,;)]| {1,2}[{-]| {2}))?';

function namesOf(rows: readonly CommandRow[]): Names {
  const named = rows.map(({ words, dataOnly }) => ({ name: words.join(' '), dataOnly }));
  // Longest first: `hub token` before `hub`.
  const names = named
    .map(({ name }) => name)
    .sort((one, other) => other.length - one.length)
    .join('|');
  // What `npx --prefix FOLDER` starts was written by us already.
  const before = `(?<![\\w./@'-]|--prefix (?:'[^']*'|\\S+) )`;
  return {
    inText: new RegExp(`${before}(?:npx )?junctor (?:(${names})(?![\\w-])${WORDS}|(?=--))`, 'g'),
    atStart: new RegExp(`^(${names})(?![\\w-])`),
    dataOnly: new Set(named.flatMap(({ name, dataOnly }) => (dataOnly ? [name] : []))),
  };
}

function holds(text: string, option: string): boolean {
  return new RegExp(` --${option}(?![\\w-])`).test(text);
}

/** Help is given also in a folder that is gone. */
function programIn({ surroundings, where = 'here' }: TypedCommandsOptions): string {
  try {
    return typedProgram(surroundings(), where);
  } catch {
    return 'junctor';
  }
}

/** How a person starts this very program: by its name, through npx, or by its file. */
const NAME = 'junctor';
const PROGRAMS = join('node_modules', '.bin');

/** `anywhere`: the words are not typed in this folder, or not known where. */
function typedProgram(surroundings: Surroundings, where: 'here' | 'anywhere'): string {
  const file = realPath(process.argv[1] ?? '');
  if (file === undefined) return NAME;
  if (isOnPath(file, surroundings)) return NAME;
  const above = installedAbove(file, surroundings.cwd);
  if (above !== undefined && where === 'here') return `npx ${NAME}`;
  const folder = above ?? installedAbove(file, dirname(file));
  if (folder !== undefined) return `npx --prefix ${asWord(folder)} ${NAME}`;
  return `${asWord(process.execPath)} ${asWord(file)}`;
}

function isOnPath(file: string, { env, platform }: Surroundings): boolean {
  const folders = (env.PATH ?? env.Path ?? '').split(delimiter).filter(folder => folder !== '');
  // npm puts these folders into PATH for the time of one command: the next one will not have them.
  const lasting = folders.filter(
    folder => env.npm_execpath === undefined || !`${folder}${sep}`.includes(PROGRAMS + sep),
  );
  if (platform === 'win32') return lasting.some(folder => existsSync(join(folder, `${NAME}.cmd`)));
  // A shell takes the first one that there is.
  const first = lasting.map(folder => realPath(join(folder, NAME))).find(found => found !== undefined);
  return first === file;
}

/** The nearest folder upward that has this program among those of its packages. */
function installedAbove(file: string, from: string): string | undefined {
  return [...upwards(from)].find(folder => realPath(join(folder, PROGRAMS, NAME)) === file);
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
