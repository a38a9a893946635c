/** What may stand where on a command line, for the scripts of all shells. */
import { AGENT_NAMES } from '@junctor/core/light';
import { type CommandRow, GLOBAL_OPTIONS, type OptionSpecs } from '../../command.ts';

export interface Completed extends CommandRow {
  readonly options: OptionSpecs;
}

export async function withOptions(row: CommandRow): Promise<Completed> {
  return { ...row, options: { ...(await row.load()).options, ...GLOBAL_OPTIONS } };
}

export interface NextWord {
  readonly word: string;
  readonly summary: string;
}

/** What may follow the words typed so far: `mcp` → add, list, … */
export function nextWords(commands: readonly Completed[]): Map<string, NextWord[]> {
  const next = new Map<string, NextWord[]>();
  for (const { words, summary } of commands) {
    words.forEach((word, index) => {
      const before = words.slice(0, index).join(' ');
      const known = next.get(before) ?? [];
      const text = index === words.length - 1 ? summary : `${word} commands`;
      if (!known.some(one => one.word === word)) next.set(before, [...known, { word, summary: text }]);
    });
  }
  return next;
}

export function optionNames({ options }: Completed): string[] {
  return Object.keys(options).map(name => `--${name}`);
}

/** The command that prints the ids of the servers, a line each. It is run at each use: servers come and go. */
export const LIST_IDS = 'mcp list --ids';

/** After these words the id of a server follows. A new one is nobody's to guess. */
export function beforeServer(commands: readonly Completed[]): string[] {
  return commands
    .filter(({ words, positionals: [first = ''] = [] }) => /^\[?(ID|SERVER)\b/.test(first) && words.at(-1) !== 'add')
    .concat(commands.filter(({ words }) => words.join(' ') === 'trust add'))
    .map(({ words }) => words.join(' '));
}

/** After these, the name of an agent. */
export function beforeAgent(commands: readonly Completed[]): string[] {
  return commands
    .filter(({ positionals: [first = ''] = [] }) => /^\[?AGENT\b/.test(first))
    .map(({ words }) => words.join(' '));
}

export const AGENTS: readonly string[] = AGENT_NAMES;
