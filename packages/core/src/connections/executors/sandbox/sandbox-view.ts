/** What a server in the sandbox sees of this machine: programs of the system to read, and its own folder to write. Pure. */
import { isAbsolute, join, relative, resolve } from 'node:path';
import type { SandboxSettings } from '../../../config/schema/site-schema.ts';
import { SYSTEM } from './system-folders.ts';

export interface Folder {
  readonly path: string;
  /** Hidden: an empty folder stands in its place, which is the server's own and gone with it. */
  readonly as: 'hidden' | 'readable' | 'writable';
  /** Where it lies outside. Absent: at the same path. */
  readonly from?: string;
  /** One of the system's, which not every machine has. */
  readonly isSystem?: true;
}

export interface Surroundings {
  /** Where the server starts. */
  readonly cwd: string;
  readonly home: string;
  /** Folders of ours: what lies there opens other servers. */
  readonly secluded: readonly string[];
}

/** Its own from the start, and gone with it. */
const OWN = ['/tmp', '/var/tmp', '/run'];

/** Where all but a list is shown: what belongs to people, what others wrote for a moment, and where the sockets of other programs lie. */
const NOT_SHOWN = [
  ...['/home', '/root', '/mnt', '/media', ...OWN],
  // Sockets that give all of the machine to whoever may use them, and what waits to be run or read by others.
  ...['/var/snap', '/var/lib/lxd', '/var/lib/incus', '/var/spool', '/var/mail'],
];

const RANK = { hidden: 0, readable: 1, writable: 2 } as const;

/** Linux starts with nothing, macOS with all: there a list can only be hidden. */
function baseOn(platform: NodeJS.Platform): Folder[] {
  if (platform !== 'linux') return NOT_SHOWN.map(path => ({ path, as: 'hidden' }));
  return [
    ...['/', ...OWN].map(path => ({ path, as: 'hidden' as const })),
    ...SYSTEM.map(path => ({ path, as: 'readable' as const, isSystem: true as const })),
  ];
}

/** In the order in which they are laid over each other. */
export function sandboxView(
  settings: SandboxSettings,
  { cwd, home, secluded }: Surroundings,
  platform: NodeJS.Platform,
): Folder[] {
  const named = (paths: readonly string[] = []): string[] => paths.map(path => fullPath(path, { cwd, home }));
  // Whoever starts in the home directory, or above it, does not get all of it for that.
  const own = isInside(home, cwd) ? [] : [cwd];
  const folders: Folder[] = [
    ...[...baseOn(platform), { path: home, as: 'hidden' as const }],
    ...named(settings.readable).map(path => ({ path, as: 'readable' as const })),
    ...[...own, ...named(settings.writable)].map(path => ({ path, as: 'writable' as const })),
  ];
  const strongest = new Map<string, Folder>();
  for (const folder of folders) {
    const known = strongest.get(folder.path);
    if (!known || RANK[known.as] < RANK[folder.as]) strongest.set(folder.path, folder);
  }
  for (const path of secluded) strongest.set(path, { path, as: 'hidden' });
  return inOrder([...strongest.values()]);
}

/** A folder comes after the one that it lies in. */
export function inOrder(folders: readonly Folder[]): Folder[] {
  return folders.toSorted((one, other) => depth(one.path) - depth(other.path));
}

/** Whether the server can see a file. */
export function isShown(file: string, view: readonly Folder[]): boolean {
  return view.findLast(({ path }) => isInside(file, path))?.as !== 'hidden';
}

export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || !(way === '..' || way.startsWith('../') || isAbsolute(way));
}

function fullPath(path: string, { cwd, home }: Pick<Surroundings, 'cwd' | 'home'>): string {
  return /^~(?=\/|$)/.test(path) ? join(home, path.slice(1)) : resolve(cwd, path);
}

function depth(path: string): number {
  return path === '/' ? 0 : path.split('/').length;
}
