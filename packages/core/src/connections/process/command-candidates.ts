/** Where a shell would look for a program, in its order. Pure: it touches no file, and knows both kinds of system. */
import { posix, win32 } from 'node:path';

export interface CommandQuestion {
  readonly command: string;
  /** Absolute: what is written relative, in the command or on PATH, starts here. */
  readonly cwd: string;
  /** What the started program will see, not what we see. */
  readonly env: Readonly<Record<string, string>>;
  readonly platform: NodeJS.Platform;
}

/** What execvp searches where nothing is said. */
const POSIX_DEFAULT_PATH = '/usr/bin:/bin';

/** What Windows can start: programs by itself, batch files through its command interpreter. Scripts of other kinds it cannot. */
const STARTABLE = ['.com', '.exe', '.bat', '.cmd'];

/** Every file that would be started if it existed, the first that does wins. `~` is a file name like any other. */
export function candidatesOf(question: CommandQuestion): string[] {
  const { command, cwd, platform } = question;
  const { join, resolve } = pathsOf(platform);
  const bases = hasFolder(question)
    ? [resolve(cwd, command)]
    : searchedFolders(question).map(folder => join(folder, command));
  if (platform !== 'win32') return bases;
  return bases.flatMap(base => endingsFor(question).map(ending => base + ending));
}

/** The folders on the program's PATH, absolute. None where the command names its own. */
export function searchedFolders(question: CommandQuestion): string[] {
  if (hasFolder(question)) return [];
  const { cwd, env, platform } = question;
  const windows = platform === 'win32';
  const { resolve, delimiter } = pathsOf(platform);
  const path = variableOf(env, 'PATH', platform) ?? (windows ? '' : POSIX_DEFAULT_PATH);
  // An empty entry is the current folder to a POSIX shell. On Windows it is none, and the current folder is not searched:
  // a project could put its own `npx.cmd` in the way.
  const entries = path.split(delimiter).filter(entry => entry !== '' || !windows);
  const plain = windows ? entries.map(entry => entry.replace(/^"(.*)"$/, '$1')) : entries;
  return [...new Set(plain.map(entry => resolve(cwd, entry)))];
}

/** A variable, with the name as this system compares names. */
export function variableOf(
  env: Readonly<Record<string, string>>,
  name: string,
  platform: NodeJS.Platform,
): string | undefined {
  if (platform !== 'win32') return env[name];
  return Object.entries(env).find(([key]) => key.toUpperCase() === name)?.[1];
}

/** Whether the command says where it lies, so that PATH is not asked. */
export function hasFolder({ command, platform }: Pick<CommandQuestion, 'command' | 'platform'>): boolean {
  return platform === 'win32' ? /[\\/]|^[a-z]:/i.test(command) : command.includes('/');
}

function endingsFor({ command, env, platform }: CommandQuestion): string[] {
  const known = (variableOf(env, 'PATHEXT', platform) ?? STARTABLE.join(';'))
    .toLowerCase()
    .split(';')
    .filter(ending => STARTABLE.includes(ending));
  return STARTABLE.includes(win32.extname(command).toLowerCase()) ? ['', ...known] : known;
}

function pathsOf(platform: NodeJS.Platform): typeof posix {
  return platform === 'win32' ? win32 : posix;
}
