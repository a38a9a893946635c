/** How a person starts this very program: by its name, through npx, or by its file. */
import { existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join, sep } from 'node:path';
import { type Surroundings, upwards } from '@junctor/core/light';
import { asWord } from './as-word.ts';

const NAME = 'junctor';
const PROGRAMS = join('node_modules', '.bin');

/** `anywhere`: the words are not typed in this folder, or not known where. */
export function typedProgram(surroundings: Surroundings, where: 'here' | 'anywhere'): string {
  const file = realPath(process.argv[1] ?? '');
  if (file === undefined) return NAME;
  if (isOnPath(file, surroundings)) return NAME;
  const above = installedAbove(file, surroundings.cwd);
  if (above !== undefined && where === 'here') return `npx ${NAME}`;
  const folder = above ?? installedAbove(file, dirname(file));
  if (folder !== undefined) return `npx --prefix ${asWord(folder)} ${NAME}`;
  return `${asWord(process.execPath)} ${asWord(file)}`;
}

function isOnPath(file: string, { env, platform }: Surroundings): boolean {
  const folders = (env.PATH ?? env.Path ?? '').split(delimiter).filter(folder => folder !== '');
  // npm puts these folders into PATH for the time of one command: the next one will not have them.
  const lasting = folders.filter(
    folder => env.npm_execpath === undefined || !`${folder}${sep}`.includes(PROGRAMS + sep),
  );
  if (platform === 'win32') return lasting.some(folder => existsSync(join(folder, `${NAME}.cmd`)));
  // A shell takes the first one that there is.
  const first = lasting.map(folder => realPath(join(folder, NAME))).find(found => found !== undefined);
  return first === file;
}

/** The nearest folder upward that has this program among those of its packages. */
function installedAbove(file: string, from: string): string | undefined {
  return [...upwards(from)].find(folder => realPath(join(folder, PROGRAMS, NAME)) === file);
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
