/** Finds the program of a server before it is started, as a shell in its place would. It starts nothing. */
import { accessSync, constants, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { nearest } from '../../base/text/nearest.ts';
import { perTurn } from '../../base/time/per-turn.ts';
import type { StdioEndpoint } from '../../resolve/roster.ts';
import { type CommandQuestion, candidatesOf, hasFolder, searchedFolders } from './command-candidates.ts';

/** What there is to start. */
export type Program = Omit<StdioEndpoint, 'transport'>;

export type CommandLookup =
  | { readonly kind: 'found'; readonly file: string }
  | { readonly kind: 'not_executable' | 'directory'; readonly file: string }
  /** Nothing is searched from a folder that is not there. */
  | { readonly kind: 'cwd_missing' | 'cwd_not_directory'; readonly cwd: string }
  | {
      readonly kind: 'missing';
      /** The folders that were searched; one file where the command names its own folder. */
      readonly searched: readonly string[];
      /** A program there whose name is almost the same. */
      readonly near: string | undefined;
      /** The command begins with the name of a program: somebody wrote a whole command line. */
      readonly beginsWithProgram: boolean;
    };

/**
 * `env` is what the program will see: its own PATH counts, not ours. What is there is found at once, so that the first of
 * many servers runs before the second is looked at.
 */
export function findCommand(
  program: Pick<Program, 'command' | 'cwd'>,
  env: Readonly<Record<string, string>>,
  platform: NodeJS.Platform = process.platform,
): CommandLookup | Promise<CommandLookup> {
  const cwd = resolve(program.cwd ?? '.');
  // Our own folder needs no look: that is where we are.
  const start = program.cwd === undefined ? 'directory' : kindOf(cwd);
  if (start === 'nothing') return { kind: 'cwd_missing', cwd };
  if (start !== 'directory') return { kind: 'cwd_not_directory', cwd };
  const question = { command: program.command, cwd, env, platform };
  let unusable: CommandLookup | undefined;
  for (const file of candidatesOf(question)) {
    const kind = kindOf(file);
    if (kind === 'executable') return { kind: 'found', file };
    // A shell goes on searching past these, and names the first one if nothing better comes.
    if (kind !== 'nothing') unusable ??= { kind: kind === 'file' ? 'not_executable' : kind, file };
  }
  return unusable ?? missing(question);
}

async function missing(question: CommandQuestion): Promise<CommandLookup> {
  const [own = question.command] = candidatesOf(question);
  const folders = hasFolder(question) ? [dirname(own)] : searchedFolders(question);
  return {
    kind: 'missing',
    searched: hasFolder(question) ? [own] : folders,
    near: await nearMatch(basename(question.command), folders, question.platform),
    beginsWithProgram: beginsWithProgram(question),
  };
}

function beginsWithProgram(question: CommandQuestion): boolean {
  const [first = '', ...rest] = question.command.trim().split(/\s+/);
  if (rest.length === 0) return false;
  return candidatesOf({ ...question, command: first }).some(file => kindOf(file) === 'executable');
}

async function nearMatch(name: string, folders: readonly string[], platform: NodeJS.Platform) {
  const listed = await Promise.all(folders.map(folder => readdir(folder).catch(() => [])));
  const names = listed.flat().map(file => (platform === 'win32' ? file.replace(/\.(com|exe|bat|cmd)$/i, '') : file));
  // Much longer or shorter is another program, not a slip.
  return nearest(
    name,
    [...new Set(names)].filter(other => Math.abs(other.length - name.length) <= 2),
  );
}

/** At once, as the system does it when it starts a program: waiting takes longer than looking, for each of many servers. */
const kindOf = perTurn((file: string): 'nothing' | 'directory' | 'file' | 'executable' => {
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    if (!found) return 'nothing';
    if (found.isDirectory()) return 'directory';
  } catch {
    return 'nothing';
  }
  try {
    accessSync(file, constants.X_OK);
    return 'executable';
  } catch {
    return 'file';
  }
});
