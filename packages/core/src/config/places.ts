/** Where config and data lie. Nothing here reads a file's content. */
import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { JunctorError } from '../base/error.ts';

/** The parts of a machine that decide where files lie. Passed in, so that a test lives in a house of its own. */
export interface Surroundings {
  readonly cwd: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** Where an organisation puts its policy, if not at the usual place. No variable moves it: then anybody could. */
  readonly policyDirectory?: string;
}

export function ownSurroundings(): Surroundings {
  const { env, platform } = process;
  return { cwd: ownFolder(), home: env.HOME || homedir(), env, platform };
}

function ownFolder(): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw new JunctorError(
      'config_unreadable',
      'The folder you are in is gone: no config can be looked for from here.',
      {
        why: 'it was removed or renamed while this terminal was in it',
        hint: 'go to a folder that exists, such as: cd ~',
        cause,
      },
    );
  }
}

const ENDINGS = ['json', 'jsonc', 'yaml', 'yml', 'toml'];
const named = (stem: string): string[] => ENDINGS.map(ending => `${stem}.${ending}`);

const PROJECT_FILES = [...named('junctor'), ...named(join('.junctor', 'config'))];
const CODELIA_FILE = join('.codelia', 'config.json');
const FOREIGN_PROJECT_FILES = [
  CODELIA_FILE,
  'codex-toolloop.mcp.json',
  join('.codex-toolloop', 'mcp.json'),
  '.mcp.toml',
];
const LOCAL_FILES = named('junctor.local');
const FOREIGN_LOCAL_FILES = ['.cocode.local.toml'];

export interface DiscoverOptions {
  /** Leaves out the files of other programs. */
  readonly isolated?: boolean | undefined;
}

/** The project's config: the first found walking up from the working directory, ours before others in the same one. */
export function discoverMcpConfigPath(
  from: Pick<Surroundings, 'cwd'> & Partial<Surroundings> = ownSurroundings(),
  { isolated = false }: DiscoverOptions = {},
): Promise<string | undefined> {
  const files = [...PROJECT_FILES, ...(isolated ? [] : FOREIGN_PROJECT_FILES)];
  // Projects lie below the home directory, where the person's own file of Codelia is: that one came with no project.
  return firstUpwards(from.cwd, files, from.home && join(from.home, CODELIA_FILE));
}

/** The local file: beside the project's where there is one, else the first found walking up. */
export async function localConfigPath(
  from: Pick<Surroundings, 'cwd'>,
  project: string | undefined,
  { isolated = false }: DiscoverOptions = {},
): Promise<string | undefined> {
  const files = [...LOCAL_FILES, ...(isolated ? [] : FOREIGN_LOCAL_FILES)];
  if (!project) return firstUpwards(from.cwd, files);
  return firstExisting(files.map(file => join(projectFolder(project), file)));
}

/** The folder a project file speaks for: `.junctor/config.json` speaks for the folder around `.junctor`. */
export function projectFolder(projectFile: string): string {
  const folder = dirname(projectFile);
  return /[/\\]\.(junctor|codelia|codex-toolloop)$/.test(folder) ? dirname(folder) : folder;
}

/** Where a new project file is written. */
export function newProjectFile(from: Pick<Surroundings, 'cwd'>): string {
  return join(resolve(from.cwd), 'junctor.json');
}

/** Where a new local file is written: beside the project's. */
export function newLocalFile(from: Pick<Surroundings, 'cwd'>, project: string | undefined): string {
  return join(project === undefined ? resolve(from.cwd) : projectFolder(project), 'junctor.local.json');
}

/** The person's own config: the first that exists, else the one to create. */
export async function userConfigPath(from: Surroundings): Promise<string> {
  const folder = userConfigDirectory(from);
  return firstExisting(named(join(folder, 'config'))) ?? join(folder, 'config.json');
}

/** Files of other programs that count as the person's own, each below ours. */
export async function foreignUserPaths(from: Surroundings): Promise<string[]> {
  return existing(foreignUserCandidates(from));
}

function foreignUserCandidates({ home, env, cwd }: Surroundings): string[] {
  const config = env.XDG_CONFIG_HOME || join(home, '.config');
  return [
    env.CODELIA_CONFIG_PATH ? resolve(cwd, env.CODELIA_CONFIG_PATH) : join(home, CODELIA_FILE),
    join(home, '.code_agent', 'config.json'),
    join(config, 'cocode', 'mcp.toml'),
  ];
}

/** Every file that would count if it existed: what has to be watched. */
export function candidatePaths(from: Surroundings, { isolated = false }: DiscoverOptions = {}): string[] {
  const projectNames = [
    ...PROJECT_FILES,
    ...LOCAL_FILES,
    ...(isolated ? [] : [...FOREIGN_PROJECT_FILES, ...FOREIGN_LOCAL_FILES]),
  ];
  const folders = upwards(from.cwd);
  const own = isolated ? [] : [...named(join(userConfigDirectory(from), 'config')), ...foreignUserCandidates(from)];
  return [
    ...policyCandidates(from),
    ...own,
    ...folders.flatMap(folder => projectNames.map(name => join(folder, name))),
  ];
}

export async function policyPath(from: Surroundings): Promise<string | undefined> {
  return firstExisting(policyCandidates(from));
}

/** Tokens, caches and the hub's own files. */
export function dataDirectory(from: Surroundings, explicit?: string): string {
  const chosen = explicit ?? from.env.JUNCTOR_DATA;
  if (chosen) return resolve(from.cwd, chosen);
  if (from.platform === 'win32') return join(from.env.LOCALAPPDATA ?? join(from.home, 'AppData', 'Local'), 'junctor');
  return join(from.env.XDG_DATA_HOME || join(from.home, '.local', 'share'), 'junctor');
}

export function userConfigDirectory(from: Surroundings): string {
  if (from.platform === 'win32') return join(from.env.APPDATA ?? join(from.home, 'AppData', 'Roaming'), 'junctor');
  return join(from.env.XDG_CONFIG_HOME || join(from.home, '.config'), 'junctor');
}

function policyCandidates(from: Surroundings): string[] {
  return policyDirectories(from).flatMap(directory => named(join(directory, 'policy')));
}

/**
 * On Windows a variable tells where the folder is, and whoever starts a program sets its variables: where the folder is on nearly
 * every machine is looked into first.
 */
function policyDirectories({ policyDirectory: chosen, platform, env }: Surroundings): string[] {
  if (chosen !== undefined) return [chosen];
  if (platform === 'win32')
    return [...new Set(['C:\\ProgramData', env.ProgramData || 'C:\\ProgramData'])].map(all => join(all, 'junctor'));
  return [platform === 'darwin' ? '/Library/Application Support/junctor' : '/etc/junctor'];
}

async function firstUpwards(from: string, files: readonly string[], passedOver?: string): Promise<string | undefined> {
  for (const folder of upwards(from)) {
    const found = firstExisting(files.map(file => join(folder, file)).filter(path => path !== passedOver));
    if (found) return found;
  }
  return undefined;
}

/** A folder and all around it, innermost first. */
function upwards(from: string): string[] {
  const folders = [resolve(from)];
  for (let parent = dirname(folders[0] as string); parent !== folders.at(-1); parent = dirname(parent))
    folders.push(parent);
  return folders;
}

function firstExisting(paths: readonly string[]): string | undefined {
  return paths.find(isThere);
}

function existing(paths: readonly string[]): string[] {
  return paths.filter(isThere);
}

/** At once: asking takes microseconds, and waiting for the answer a hundred times as long, at every start. */
function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    // A file that is there but may not be read is told about when it is read, not passed over.
    return (error as NodeJS.ErrnoException).code !== 'ENOTDIR';
  }
}
