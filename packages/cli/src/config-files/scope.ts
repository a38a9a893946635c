/** Which file a config command writes. */

import { resolve } from 'node:path';
import { discoverMcpConfigPath, newProjectFile, userConfigPath } from '@junctor/core/config-write';
import { oneOf } from '../choice.ts';
import type { Context } from '../context.ts';

export type WriteScope = 'project' | 'global';

export const SCOPE_OPTION = { value: 'project|global', help: 'which file to write (default: project)' } as const;

export interface Target {
  readonly file: string;
  readonly scope: WriteScope | 'explicit';
}

/** `--config` names the file itself; else the project's, or the person's own for `global`. */
export async function targetFile(
  context: Context,
  scope: string | undefined,
  fallback: WriteScope = 'project',
): Promise<Target> {
  const chosen = oneOf('scope', scope ?? fallback, ['project', 'global']) as WriteScope;
  const { config, isolated } = context.global;
  if (config) return { file: resolve(context.surroundings.cwd, config), scope: 'explicit' };
  if (chosen === 'global') return { file: await userConfigPath(context.surroundings), scope: 'global' };
  const found = await discoverMcpConfigPath(context.surroundings, { isolated });
  return { file: found ?? newProjectFile(context.surroundings), scope: 'project' };
}
