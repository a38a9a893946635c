import { access } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/** The parts of a machine that decide where files lie. Passed in, so that a test lives in a house of its own. */
export interface Surroundings {
  readonly cwd: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
}

export function ownSurroundings(): Surroundings {
  return { cwd: process.cwd(), home: process.env.HOME || homedir(), env: process.env, platform: process.platform };
}

const PROJECT_FILES = ['junctor.json', 'junctor.jsonc', '.junctor/config.json', '.junctor/config.jsonc'];
const USER_FILES = ['config.json', 'config.jsonc'];

/** The project's config: the first found walking up from the working directory. */
export async function discoverMcpConfigPath(
  from: Pick<Surroundings, 'cwd'> = ownSurroundings(),
): Promise<string | undefined> {
  let folder = resolve(from.cwd);
  for (;;) {
    const found = await firstExisting(PROJECT_FILES.map(file => join(folder, file)));
    if (found) return found;
    const parent = dirname(folder);
    if (parent === folder) return undefined;
    folder = parent;
  }
}

/** Where `mcp add` writes when the project has no file yet. */
export function newProjectFile(from: Pick<Surroundings, 'cwd'>): string {
  return join(resolve(from.cwd), 'junctor.json');
}

/** The person's own config: the first that exists, else the one to create. */
export async function userConfigPath(from: Surroundings): Promise<string> {
  const folder = userConfigDirectory(from);
  return (await firstExisting(USER_FILES.map(file => join(folder, file)))) ?? join(folder, 'config.json');
}

/** Tokens, caches and the hub's own files. */
export function dataDirectory(from: Surroundings, explicit?: string): string {
  const chosen = explicit ?? from.env.JUNCTOR_DATA;
  if (chosen) return resolve(from.cwd, chosen);
  if (from.platform === 'win32') return join(from.env.LOCALAPPDATA ?? join(from.home, 'AppData', 'Local'), 'junctor');
  return join(from.env.XDG_DATA_HOME || join(from.home, '.local', 'share'), 'junctor');
}

function userConfigDirectory(from: Surroundings): string {
  if (from.platform === 'win32') return join(from.env.APPDATA ?? join(from.home, 'AppData', 'Roaming'), 'junctor');
  return join(from.env.XDG_CONFIG_HOME || join(from.home, '.config'), 'junctor');
}

async function firstExisting(paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) {
    const exists = await access(path).then(
      () => true,
      () => false,
    );
    if (exists) return path;
  }
  return undefined;
}
