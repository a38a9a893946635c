/** Which lockfile decides about which server: the one beside the config file that defines it. Reads the files, writes none. */
import { dirname, join, resolve } from 'node:path';
import { sentenceOf } from '../../base/error.ts';
import { readRegularFile } from '../../base/files/regular-file.ts';
import type { Layer, LoadedServer } from '../../config/layers.ts';
import type { McpConfigLoadResult } from '../../config/load.ts';
import { describeProblem, fixAsHint, type Problem } from '../../config/problem.ts';
import { projectFolder, type Surroundings, userConfigDirectory } from '../../config/sources/places.ts';
import { cameWithProject } from '../../config/sources/sources.ts';
import type { LeftOut } from '../../resolve/roster.ts';
import type { ParsedLock } from './lockfile.ts';
import { serverTerms } from './server-terms.ts';
import { type ServerLock, ToolLock } from './tool-lock.ts';

export const LOCKFILE = 'junctor.lock';

export interface LockOptions {
  readonly surroundings: Surroundings;
  /** The lockfile for servers that stand in no file. */
  readonly lockfile?: string | undefined;
}

/** Undefined for a server that nobody shares: of a local file, a variable, a program. */
export function lockfileOf(
  { layer, file }: Pick<LoadedServer, 'layer' | 'file'>,
  { surroundings, lockfile }: LockOptions,
): string | undefined {
  if (layer === 'local') return undefined;
  if (file === undefined) return lockfile === undefined ? undefined : resolve(surroundings.cwd, lockfile);
  return join(folderOf(layer, file, surroundings), LOCKFILE);
}

function folderOf(layer: Layer['name'], file: string, surroundings: Surroundings): string {
  if (layer === 'plugin' && cameWithProject(layer, file, surroundings)) {
    // .junctor/plugins/<name>/plugin.json
    return dirname(dirname(dirname(dirname(file))));
  }
  return layer === 'plugin' || layer === 'user' ? userConfigDirectory(surroundings) : projectFolder(file);
}

/** The lockfile that `junctor lock` is about: that of `--config`, else of the project, else of the person. */
export function lockfileHere({ layers }: Pick<McpConfigLoadResult, 'layers'>, options: LockOptions): string {
  const { surroundings, lockfile } = options;
  if (lockfile !== undefined) return resolve(surroundings.cwd, lockfile);
  const main = (['enterprise', 'explicit', 'project'] as const).flatMap(
    name => layers.find(layer => layer.name === name) ?? [],
  )[0];
  const file = main?.file;
  return main && file !== undefined
    ? join(folderOf(main.name, file, surroundings), LOCKFILE)
    : join(userConfigDirectory(surroundings), LOCKFILE);
}

export interface ReadLocks {
  readonly lock: ToolLock;
  /** Lockfiles that exist and cannot be read, with what is wrong in each. */
  readonly broken: ReadonlyMap<string, readonly Problem[]>;
}

/** Every lockfile that exists beside the config of one of these servers. */
export async function readLocks(servers: ReadonlyMap<string, LoadedServer>, options: LockOptions): Promise<ReadLocks> {
  const files = new Map(
    [...servers.values()].flatMap(server => {
      const file = lockfileOf(server, options);
      return file === undefined ? [] : [[server.id, file] as const];
    }),
  );
  const read = new Map<string, ParsedLock | undefined>();
  await Promise.all([...new Set(files.values())].map(async file => read.set(file, await readLockfile(file))));
  const locks = new Map<string, ServerLock>();
  for (const [id, file] of files) {
    const parsed = read.get(file);
    if (!parsed?.ok) continue;
    const { fingerprint } = serverTerms(id, (servers.get(id) as LoadedServer).definition);
    locks.set(id, { file, locked: parsed.lock.servers.get(id), fingerprint });
  }
  const broken = [...read].flatMap(([file, parsed]) =>
    parsed && !parsed.ok ? [[file, parsed.problems] as const] : [],
  );
  return { lock: new ToolLock(locks), broken: new Map(broken) };
}

/** Why a server cannot be used at all: with a broken lockfile nobody knows which of its tools were approved. */
export function whyLockedOut(
  server: LoadedServer,
  broken: ReadLocks['broken'],
  options: LockOptions,
): Omit<LeftOut, 'id'> | undefined {
  const [problem] = broken.get(lockfileOf(server, options) ?? '') ?? [];
  if (!problem) return undefined;
  const { fix, ...wrong } = problem;
  const because = describeProblem(wrong).replace(/\.$/, '');
  return { because, kind: 'broken', ...(fix === undefined ? {} : { next: { hint: fixAsHint(fix) } }) };
}

/** Undefined where there is none. One that is there and cannot be read is broken: nobody knows what it forbids. */
export async function readLockfile(file: string): Promise<ParsedLock | undefined> {
  let text: string;
  try {
    text = (await readRegularFile(file)).toString('utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    const message = `The lockfile cannot be read: ${sentenceOf(error)}.`;
    return { ok: false, problems: [{ file, path: '', message, fix: 'See that it is a file which you may read.' }] };
  }
  // What reads it is loaded only where there is one: most configs have none.
  const { parseLock } = await import('./lockfile.ts');
  return parseLock(file, text);
}
