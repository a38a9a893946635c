/** Where config and data lie. Nothing here reads a file's content. */
import { statSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { JunctorError } from '../../base/error.ts';

/** What Node calls systems. Spelled out: `@junctor/core/pure` has to compile where Node's types are not there. */
type Platform =
  | 'aix'
  | 'android'
  | 'cygwin'
  | 'darwin'
  | 'freebsd'
  | 'haiku'
  | 'linux'
  | 'netbsd'
  | 'openbsd'
  | 'sunos'
  | 'win32';

/** The parts of a machine that decide where files lie. Passed in, so that a test lives in a house of its own. */
export interface Surroundings {
  /** The working directory, where a project is looked for. */
  readonly cwd: string;
  /** The person's own folder. */
  readonly home: string;
  /** The variables of the environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The system, as Node calls it. */
  readonly platform: Platform;
  /** Where an organisation puts its policy, if not at the usual place. No variable moves it: then anybody could. */
  readonly policyDirectory?: string;
}

export function ownSurroundings(): Surroundings {
  const { env, platform } = process;
  const lost = PERSONAL_FOLDERS.filter(name => env[name] !== undefined && !isAbsolute(env[name]));
  if (lost.length === 0) return { cwd: ownFolder(), home: env.HOME ?? homedir(), env, platform };
  // An empty or relative folder would be one of the working directory: a checkout's files would count as the person's own.
  const kept = Object.fromEntries(Object.entries(env).filter(([name]) => !lost.includes(name)));
  const home = kept.HOME ?? homeOfAccount();
  return { cwd: ownFolder(), home, env: lost.includes('HOME') ? { ...kept, HOME: home } : kept, platform };
}

/** Variables that say where a person's own files lie. */
const PERSONAL_FOLDERS: readonly string[] = [
  ...['HOME', 'USERPROFILE', 'APPDATA', 'LOCALAPPDATA'],
  ...['XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_CACHE_HOME', 'XDG_STATE_HOME', 'XDG_RUNTIME_DIR'],
];

/** As the system knows it, whatever the variables say. */
function homeOfAccount(): string {
  let cause: unknown;
  try {
    const { homedir: home } = userInfo();
    if (isAbsolute(home)) return home;
  } catch (error) {
    cause = error;
  }
  throw new JunctorError('config_unreadable', 'It is not known where your own files lie.', {
    why: 'HOME is empty or relative, and the system knows no home directory of your account',
    hint: 'set HOME to an absolute path',
    cause,
  });
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

/** Where project and local files are looked for: from the working directory upwards, in it alone, or nowhere. */
export type ProjectFiles = 'upward' | 'folder' | 'none';

export interface DiscoverOptions {
  /** Leaves out the files of other programs. */
  readonly isolated?: boolean | undefined;
  readonly projectFiles?: ProjectFiles | undefined;
}

/** The project's config: the first found walking up from the working directory, ours before others in the same one. */
export function discoverMcpConfigPath(
  from: Pick<Surroundings, 'cwd'> & Partial<Surroundings> = ownSurroundings(),
  { isolated = false, projectFiles }: DiscoverOptions = {},
): Promise<string | undefined> {
  const files = [...PROJECT_FILES, ...(isolated ? [] : FOREIGN_PROJECT_FILES)];
  // Projects lie below the home directory, where the person's own file of Codelia is: that one came with no project.
  return firstIn(foldersFrom(from.cwd, projectFiles), files, from.home && join(from.home, CODELIA_FILE));
}

/** Files of the same folder that would count if the found ones were not there. */
export function passedOver(
  from: Pick<Surroundings, 'home'>,
  found: { readonly project?: string | undefined; readonly local?: string | undefined },
): string[] {
  const { project, local } = found;
  const folder = project === undefined ? local && dirname(local) : projectFolder(project);
  if (folder === undefined) return [];
  const others = [
    ...(project ? [...PROJECT_FILES, ...FOREIGN_PROJECT_FILES] : []),
    ...(local ? [...LOCAL_FILES, ...FOREIGN_LOCAL_FILES] : []),
  ].map(file => join(folder, file));
  return existing(others.filter(file => ![project, local, join(from.home, CODELIA_FILE)].includes(file)));
}

/** The local file: beside the project's where there is one, else the first found walking up. */
export async function localConfigPath(
  from: Pick<Surroundings, 'cwd'>,
  project: string | undefined,
  { isolated = false, projectFiles }: DiscoverOptions = {},
): Promise<string | undefined> {
  const files = [...LOCAL_FILES, ...(isolated ? [] : FOREIGN_LOCAL_FILES)];
  if (!project) return firstIn(foldersFrom(from.cwd, projectFiles), files);
  return firstExisting(files.map(file => join(projectFolder(project), file)));
}

/** The folder of the project that a working directory belongs to; undefined where no project or local file is upward of it. */
export async function projectFolderOf(from: Pick<Surroundings, 'cwd' | 'home'>): Promise<string | undefined> {
  const project = await discoverMcpConfigPath(from);
  if (project) return projectFolder(project);
  const local = await localConfigPath(from, undefined);
  return local && dirname(local);
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
export async function foreignUserPaths(from: Surroundings): Promise<{ file: string; required: boolean }[]> {
  // A file that somebody named must be there.
  return foreignUserCandidates(from)
    .map((file, index) => ({ file, required: index === 0 && Boolean(from.env.CODELIA_CONFIG_PATH) }))
    .filter(({ file, required }) => required || isThere(file));
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
export function candidatePaths(from: Surroundings, { isolated = false, projectFiles }: DiscoverOptions = {}): string[] {
  const projectNames = [
    ...PROJECT_FILES,
    ...LOCAL_FILES,
    ...(isolated ? [] : [...FOREIGN_PROJECT_FILES, ...FOREIGN_LOCAL_FILES]),
  ];
  const folders = foldersFrom(from.cwd, projectFiles);
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

async function firstIn(
  folders: readonly string[],
  files: readonly string[],
  passedOver?: string,
): Promise<string | undefined> {
  for (const folder of folders) {
    const found = firstExisting(files.map(file => join(folder, file)).filter(path => path !== passedOver));
    if (found) return found;
  }
  return undefined;
}

function foldersFrom(cwd: string, projectFiles: ProjectFiles = 'upward'): string[] {
  if (projectFiles === 'none') return [];
  return projectFiles === 'folder' ? [resolve(cwd)] : upwards(cwd);
}

/** A folder and all around it, innermost first. */
export function upwards(from: string): string[] {
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
