/** Whether a hub serves projects at all, and which one is its own. */
import { realpath } from 'node:fs/promises';
import type { HostOptions } from '@junctor/core';
import { namesConfigFile } from '@junctor/core/internal';
import { ownSurroundings, projectFolderOf } from '@junctor/core/light';
import { Projects } from './projects.ts';

export interface ServedProjects {
  /** Undefined where the hub serves one config, whatever its clients work on. */
  readonly projects: Projects | undefined;
  /** The folder of the project that endpoints serve which name none. */
  readonly ownProject: string | undefined;
}

export async function openProjects({
  hostOptions,
  dataDirectory,
}: {
  readonly hostOptions: HostOptions;
  readonly dataDirectory: string;
}): Promise<ServedProjects> {
  const surroundings = hostOptions.surroundings ?? ownSurroundings();
  const { isolated = false, config, projectFiles, withoutDiscovery = false } = hostOptions;
  // Somebody chose what is served: that holds for every client.
  const isFixed = isolated || withoutDiscovery || config !== undefined || namesConfigFile(hostOptions, surroundings);
  if (isFixed) return { projects: undefined, ownProject: undefined };
  const { home } = surroundings;
  const cwd = await realpath(surroundings.cwd).catch(() => surroundings.cwd);
  const ownProject = projectFiles === 'none' ? undefined : await projectFolderOf({ cwd, home });
  const own = projectFiles === 'none' ? undefined : (ownProject ?? cwd);
  return { projects: await Projects.open({ dataDirectory, home, own }), ownProject };
}
