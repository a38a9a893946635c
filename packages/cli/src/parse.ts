/** From words on a command line to a command with typed options. */

import { JunctorError, nearest } from '@junctor/core/light';
import {
  type Command,
  type CommandRow,
  dashed,
  GLOBAL_OPTIONS,
  type OptionSpecs,
  type ParsedOptions,
} from './command.ts';

/** An import would load all that node:util has, which every command would pay for. */
const { parseArgs } = process.getBuiltinModule('node:util');

export interface Parsed {
  readonly global: ParsedOptions<typeof GLOBAL_OPTIONS>;
  readonly options: ParsedOptions<OptionSpecs>;
  readonly words: readonly string[];
}

/** The command whose words the line begins with; the longest wins, so `hub token` is not `hub`. */
export function findCommand(argv: readonly string[], commands: readonly CommandRow[]): CommandRow | undefined {
  const words = leadingWords(argv);
  return commands
    .filter(({ words: own }) => own.every((word, index) => words[index] === word))
    .sort((a, b) => b.words.length - a.words.length)[0];
}

export function parse(argv: readonly string[], row: CommandRow, command: Command): Parsed {
  const specs: OptionSpecs = { ...GLOBAL_OPTIONS, ...command.options };
  const { values, positionals } = readArgs(argv, specs, row);
  const given = Object.fromEntries(
    Object.entries(specs).map(([name, spec]) => [name, values[name] ?? emptyValue(spec)]),
  ) as ParsedOptions<OptionSpecs>;
  const words = positionals.slice(row.words.length);
  if (!given.help) checkWords(row, words);
  return { global: given as Parsed['global'], options: given, words };
}

function readArgs(argv: readonly string[], specs: OptionSpecs, command: CommandRow): ReturnType<typeof parseArgs> {
  const options = Object.fromEntries(
    Object.entries(specs).map(([name, { value, many }]) => [
      name,
      {
        type: value === undefined ? ('boolean' as const) : ('string' as const),
        multiple: many === true,
        ...(name.length === 1 ? { short: name } : {}),
      },
    ]),
  );
  try {
    return parseArgs({ args: spelledOut(argv, specs), options, allowPositionals: true, strict: true });
  } catch (error) {
    const named = /'(--?[\w-]+)/.exec((error as Error).message)?.[1];
    const known = Object.keys(specs).map(dashed);
    const near = named === undefined || known.includes(named) ? undefined : nearest(named, known);
    const dashes = dashedValue(argv, named, specs);
    if (dashes !== undefined) {
      throw new JunctorError('usage', `'${dashes}' after ${named} could be its value or an option.`, {
        hint: `as a value it is written with =: ${named}=${dashes}`,
      });
    }
    throw new JunctorError('usage', explain(error as Error, named), {
      hint: near ? `did you mean ${near}?` : hintFor(named ?? '', argv, known, command),
    });
  }
}

/** Of an option that looks like none of ours: it may be one of another program, or the letter of one. */
function hintFor(named: string, argv: readonly string[], known: readonly string[], row: CommandRow): string {
  const { words, positionals = [] } = row;
  const name = `junctor ${words.join(' ')}`;
  const program = positionals.find(word => word.startsWith('[-- '));
  const before = argv.slice(0, argv.indexOf(named)).filter(word => !word.startsWith('-')).length;
  if (program !== undefined && !argv.includes('--') && before > words.length)
    return `what is for the program stands after two dashes: ${name} ${positionals[0]} ${program.slice(1, -1)}`;
  const [, letter] = /^-([a-z])$/i.exec(named) ?? [];
  const begun = letter === undefined ? [] : known.filter(one => one.startsWith(`--${letter.toLowerCase()}`));
  return begun.length > 0 ? `did you mean ${begun.join(' or ')}?` : `${name} --help`;
}

/** Other spellings of a global option, values with a dash, and options whose value a person will be asked for. */
function spelledOut(argv: readonly string[], specs: OptionSpecs): string[] {
  // Words after two dashes belong to another program.
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  const words: string[] = [];
  for (let index = 0; index < end; index++) {
    const word = argv[index] as string;
    const next = index + 1 < end ? argv[index + 1] : undefined;
    const spec = word.startsWith('--') ? specs[word.slice(2)] : undefined;
    if (spec?.dashed && next?.startsWith('-')) {
      words.push(`${word}=${next}`);
      index++;
    } else if (spec?.prompts && (next === undefined || next.startsWith('-'))) words.push(`${word}=`);
    else if (/^--mcp-config(=|$)/.test(word)) words.push(word.replace('--mcp-config', '--config'));
    else words.push(word === '-h' ? '--help' : word);
  }
  return [...words, ...argv.slice(end)];
}

/** The word with a dash that follows an option where its value belongs, such as `--cwd -x`. */
function dashedValue(argv: readonly string[], named: string | undefined, specs: OptionSpecs): string | undefined {
  if (named === undefined || specs[named.replace(/^--?/, '')]?.value === undefined) return undefined;
  return argv.find((word, index) => argv[index - 1] === named && word.startsWith('-') && word !== '--');
}

function explain(error: Error & { code?: string }, named: string | undefined): string {
  if (error.code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') return `There is no option ${named ?? 'of this name'}.`;
  const [first = ''] = error.message.split('\n');
  if (named === undefined || error.code !== 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE') return first;
  return first.includes('does not take') ? `${named} takes no value.` : `${named} needs a value.`;
}

function checkWords(command: CommandRow, words: readonly string[]): void {
  const wanted = command.positionals ?? [];
  const needed = wanted.filter(word => !word.startsWith('['));
  const name = `junctor ${command.words.join(' ')}`;
  if (words.length < needed.length) {
    throw new JunctorError('usage', `'${name}' needs ${needed.slice(words.length).join(' and ')}.`, {
      hint: `${name} --help`,
    });
  }
  const open = wanted.some(word => word.includes('…'));
  if (!open && words.length > wanted.length) {
    throw new JunctorError('usage', `'${name}' does not know what to do with '${words[wanted.length]}'.`, {
      hint: `${name} --help`,
    });
  }
}

function emptyValue(spec: { readonly value?: string; readonly many?: boolean }): unknown {
  if (spec.many) return [];
  return spec.value === undefined ? false : undefined;
}

/** The words before the first that belongs to an option. Values of global options in front are skipped. */
export function leadingWords(argv: readonly string[]): string[] {
  const words: string[] = [];
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index] as string;
    if (!word.startsWith('-')) {
      words.push(word);
      continue;
    }
    const [written, value] = word.slice(2).split('=', 2);
    const name = written === 'mcp-config' ? 'config' : written;
    const spec = GLOBAL_OPTIONS[name as keyof typeof GLOBAL_OPTIONS] as { value?: string } | undefined;
    if (!spec) break;
    if (spec.value !== undefined && value === undefined) index++;
  }
  return words;
}
