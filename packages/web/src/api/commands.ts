/** Command lines to copy: they mean this hub, whatever started it and wherever its data lies. */
import type { CommandWords } from '@junctor/hub/answers';
import { useQuery } from '@tanstack/react-query';
import { ask } from './client.ts';

/** `at_hub`: it asks the hub alone. `with_config`: it reads the config files, too. */
export type CommandKind = 'at_hub' | 'with_config';

export type CommandLine = (words: string, kind?: CommandKind) => string;

/** Undefined until the hub has said how its commands are typed: a line without that could mean another hub. */
export function useCommandLine(): CommandLine | undefined {
  const { data } = useQuery({
    queryKey: ['login'],
    queryFn: ({ signal }) => ask<{ commands: CommandWords }>('/api/login', signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data && ((words, kind = 'at_hub') => lineOf(data.commands, words, kind));
}

function lineOf(commands: CommandWords, words: string, kind: CommandKind): string {
  return [commands.program, words, commands[kind]].filter(part => part !== '').join(' ');
}
