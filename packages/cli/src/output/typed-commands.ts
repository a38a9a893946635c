/**
 * Writes Junctor's commands as they work where they are read: the words that start this program, and the options that the next
 * command needs, too, to reach the same hub and files. Every message and page takes them from here.
 */
import type { Surroundings } from '@junctor/core/light';
import type { CommandRow, GLOBAL_OPTIONS, ParsedOptions } from '../command.ts';
import { asWord } from './as-word.ts';
import { typedProgram } from './typed-program.ts';

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
