import { VERSION } from '@junctor/core/light';
import {
  type Command,
  type CommandRow,
  dashed,
  GLOBAL_OPTIONS,
  type OptionSpec,
  type OptionSpecs,
} from '../command.ts';
import { folded, table } from './table.ts';

/** `columns`: how wide the terminal is; undefined where the text goes elsewhere. */
export function generalHelp(commands: readonly CommandRow[], columns: number | undefined): string {
  return [
    `junctor ${VERSION}: join any agent to any MCP server`,
    '',
    'usage: junctor COMMAND [OPTIONS]',
    '',
    pairs('commands', commands.map(commandPair), columns),
    '',
    optionTable('every command takes', { ...GLOBAL_OPTIONS, version: { help: 'print the version' } }, columns),
    '',
    'exit codes: 0 done, 1 it failed, 2 used wrongly, 3 a person is needed, 130 interrupted',
    'junctor COMMAND --help tells more.',
  ].join('\n');
}

/** `related`: the commands whose words go on from this one's, such as `hub token` from `hub`. */
export function commandHelp(
  row: CommandRow,
  command: Command,
  related: readonly CommandRow[],
  columns: number | undefined,
): string {
  const parts = [`usage: junctor ${usageWords(row)} [OPTIONS]`, '', row.summary];
  if (command.options) parts.push('', optionTable('options', command.options, columns));
  parts.push('', optionTable('every command takes', GLOBAL_OPTIONS, columns));
  if (command.details) parts.push('', command.details);
  if (related.length > 0) parts.push('', pairs('see also', related.map(commandPair), columns));
  return parts.join('\n');
}

function usageWords(command: CommandRow): string {
  return [...command.words, ...(command.positionals ?? [])].join(' ');
}

function commandPair(command: CommandRow): Pair {
  return [`  ${usageWords(command)}`, command.summary];
}

function optionTable(title: string, options: OptionSpecs, columns: number | undefined): string {
  const rows = Object.entries(options).map(([name, spec]): Pair => [`  ${optionWords(name, spec)}`, spec.help]);
  return pairs(title, rows, columns);
}

type Pair = readonly [what: string, text: string];

/** With less room than this beside them, texts stand below what they are about. */
const ROOM_FOR_TEXT = 30;
const BELOW = '      ';

/** On a narrow terminal a text goes on in its own column, not at the edge. */
function pairs(title: string, rows: readonly Pair[], columns = Number.POSITIVE_INFINITY): string {
  const widest = Math.max(title.length, ...rows.map(([what]) => what.length)) + 2;
  const isBelow = columns - widest < ROOM_FOR_TEXT;
  const indentation = isBelow ? BELOW : ' '.repeat(widest);
  const lines = rows.map(([what, text]): Pair => [what, folded(text, columns - indentation.length, indentation)]);
  if (!isBelow) return table([title, ''], lines);
  return [title, ...lines.map(([what, text]) => `${what}\n${BELOW}${text}`)].join('\n');
}

function optionWords(name: string, { value, many }: OptionSpec): string {
  return `${dashed(name)}${value === undefined ? '' : ` ${value}`}${many ? ' …' : ''}`;
}
