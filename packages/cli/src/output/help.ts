import { VERSION } from '@junctor/core/light';
import {
  type Command,
  type CommandRow,
  dashed,
  GLOBAL_OPTIONS,
  type OptionSpec,
  type OptionSpecs,
} from '../command.ts';
import { table } from './table.ts';

export function generalHelp(commands: readonly CommandRow[]): string {
  const rows = commands.map(command => [`  ${usageWords(command)}`, command.summary]);
  return [
    `junctor ${VERSION}: join any agent to any MCP server`,
    '',
    'usage: junctor COMMAND [OPTIONS]',
    '',
    table(['commands', ''], rows),
    '',
    optionTable('every command takes', { ...GLOBAL_OPTIONS, version: { help: 'print the version' } }),
    '',
    'exit codes: 0 done, 1 it failed, 2 used wrongly, 3 a person is needed, 130 interrupted',
    'junctor COMMAND --help tells more.',
  ].join('\n');
}

export function commandHelp(row: CommandRow, command: Command): string {
  const parts = [`usage: junctor ${usageWords(row)} [OPTIONS]`, '', row.summary];
  if (command.options) parts.push('', optionTable('options', command.options));
  parts.push('', optionTable('every command takes', GLOBAL_OPTIONS));
  if (command.details) parts.push('', command.details);
  return parts.join('\n');
}

function usageWords(command: CommandRow): string {
  return [...command.words, ...(command.positionals ?? [])].join(' ');
}

function optionTable(title: string, options: OptionSpecs): string {
  return table(
    [title, ''],
    Object.entries(options).map(([name, spec]) => [`  ${optionWords(name, spec)}`, spec.help]),
  );
}

function optionWords(name: string, { value, many }: OptionSpec): string {
  return `${dashed(name)}${value === undefined ? '' : ` ${value}`}${many ? ' …' : ''}`;
}
