/** Which file a config command writes. */

import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type Layer, type LayerName, loadMcpConfig } from '@junctor/core/config-read';
import {
  discoverMcpConfigPath,
  type EditOptions,
  localConfigPath,
  newLocalFile,
  newProjectFile,
  userConfigPath,
  writeSharedFile,
} from '@junctor/core/config-write';
import { oneOf } from '../choice.ts';
import { type Context, dialectOf, loadOptions } from '../context.ts';
import { tellOverruled } from '../overruled.ts';
import { scopeWord } from './read-scope.ts';

const WRITE_SCOPES = ['project', 'local', 'global'] as const;

export type WriteScope = (typeof WRITE_SCOPES)[number];

export const SCOPE_OPTION = {
  value: WRITE_SCOPES.join('|'),
  help: 'which file to write; local is beside the project file, and git ignores it (default: project)',
} as const;

export interface Target {
  readonly file: string;
  readonly scope: WriteScope | 'explicit';
}

/** The scope that writes the file of this layer; undefined where no command writes it. */
export function writeScopeOf(layer: LayerName): WriteScope | undefined {
  return WRITE_SCOPES.find(scope => scope === scopeWord(layer));
}

/** Others who work on the project may read it, or it came with it. */
export function isOfProject({ scope }: Target): boolean {
  return scope === 'project' || scope === 'local';
}

/** How a command edits this file. */
export function editOptions(context: Context, { scope }: Target): EditOptions {
  return { home: context.surroundings.home, dialect: dialectOf(context), shared: scope === 'project' };
}

/** `--config` names the file itself; else the project's, the local one beside it, or the person's own for `global`. */
export async function targetFile(
  context: Context,
  scope: string | undefined,
  fallback: WriteScope = 'project',
): Promise<Target> {
  const chosen = oneOf('scope', scope === 'user' ? 'global' : (scope ?? fallback), WRITE_SCOPES);
  const { config, isolated } = context.global;
  if (config) return { file: resolve(context.surroundings.cwd, config), scope: 'explicit' };
  if (chosen === 'global') return { file: await userConfigPath(context.surroundings), scope: 'global' };
  const found = await discoverMcpConfigPath(context.surroundings, { isolated });
  if (chosen === 'local') {
    // Ours to create, so never that of another program.
    const local = await localConfigPath(context.surroundings, found, { isolated: true });
    return { file: local ?? newLocalFile(context.surroundings, found), scope: 'local' };
  }
  return { file: found ?? newProjectFile(context.surroundings), scope: 'project' };
}

/** The file of that scope which names the server, whatever its dialect; else the one for new servers. */
export async function targetNaming(context: Context, scope: string | undefined, id: string): Promise<Target> {
  const target = await targetFile(context, scope);
  if (target.scope === 'explicit') return target;
  const { layers } = await loadMcpConfig({ ...loadOptions(context), strict: false });
  const naming = layers.findLast(layer => scopeWord(layer.name) === target.scope && names(layer, id));
  return naming?.file === undefined ? target : { ...target, file: naming.file };
}

function names({ config }: Layer, id: string): boolean {
  const { servers, overlays = {}, broken = [] } = config;
  return Object.hasOwn(servers, id) || Object.hasOwn(overlays, id) || broken.includes(id);
}

/** After writing. A person is told where that changed a file they did not name. False: what was written does not count. */
export async function tellWritten(context: Context, { file, scope }: Target): Promise<boolean> {
  const ignoring = scope === 'local' ? await ignoreInGit(file) : undefined;
  if (ignoring !== undefined) context.talk(`git ignores it: see ${ignoring}`);
  // Of a file that was named, it was told before.
  return scope === 'explicit' || !(await tellOverruled(context, file));
}

/** What is one person's own in a project stays out of the project's history. */
const LINE = 'junctor.local.*';

/** Makes git ignore a local file. Returns the file that says so where it had to be changed. */
async function ignoreInGit(localFile: string): Promise<string | undefined> {
  const folder = dirname(localFile);
  // 0: ignored already, 1: not; anything else: no repository, or no git that could take the file up.
  const { status } = spawnSync('git', ['check-ignore', '--quiet', localFile], { cwd: folder, stdio: 'ignore' });
  if (status !== 1) return undefined;
  const file = join(folder, '.gitignore');
  const before = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  // A file that git follows by order of a person counts as not ignored, whatever is written here.
  if (before.split(/\r?\n/).includes(LINE)) return undefined;
  await writeSharedFile(file, `${before}${before === '' || before.endsWith('\n') ? '' : '\n'}${LINE}\n`);
  return file;
}
