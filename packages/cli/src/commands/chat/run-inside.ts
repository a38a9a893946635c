/** A command of the command line, run while chat goes on: with its defaults, for one server. */
import { type Command, GLOBAL_OPTIONS, type OptionSpecs } from '../../command.ts';
import type { Context } from '../../context.ts';
import { parse } from '../../parse.ts';

export async function runInside(command: Command, context: Context, server: string): Promise<void> {
  const row = { words: [], positionals: ['ID'], summary: '', load: async () => command };
  const known: OptionSpecs = GLOBAL_OPTIONS;
  const given = Object.entries(context.global).flatMap(([name, value]): string[] => {
    if (value === true) return [`--${name}`];
    return typeof value === 'string' && known[name]?.value !== undefined ? [`--${name}`, value] : [];
  });
  await command.run(context, parse([...given, server], row, command));
}
