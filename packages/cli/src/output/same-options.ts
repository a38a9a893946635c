/** The options of a command that the next one needs, too, to work on the same files: as they are typed, each after a space. */
import type { Context } from '../context.ts';

/** `data`: for commands that go to the data directory alone. */
export function sameOptions({ global }: Context, which: 'data' | 'all'): string {
  const { data, config, dialect, isolated } = global;
  const files = which === 'data' ? {} : { config, dialect };
  const given = Object.entries({ data, ...files }).flatMap(([name, value]) =>
    value === undefined ? [] : [` --${name} ${asWord(value)}`],
  );
  return [...given, ...(which === 'all' && isolated ? [' --isolated'] : [])].join('');
}

/** As a shell reads it back. */
export function asWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
