/** Where a command works, and what the hub makes of it: it serves the project of that folder. */
import { resolve } from 'node:path';
import { type HubFile, machineView, type ProjectAnswer, type Served, type WorkPlace } from '@junctor/hub';
import type { Context } from '../context.ts';

/** `folder`: in place of the one it was typed in. */
export function workPlace({ surroundings: { cwd } }: Context, folder: string = cwd): WorkPlace {
  return { folder: resolve(cwd, folder), view: machineView() };
}

/** Says whose servers a hub leads to, once, and again when that has changed. */
export function tellProject({ talk }: Context): (hub: HubFile, project: ProjectAnswer | undefined) => void {
  let told: string | undefined;
  return (hub, project) => {
    const line = project && servedThere(hub, project);
    if (line === undefined || line === told) return;
    told = line;
    talk(line);
  };
}

/** What a hub serves to clients that name no project, and to those that do. */
export function servedBy({ fixed, own }: Served): string {
  if (fixed) return 'the config it was started with, in every folder';
  const bare = own === null ? 'your own servers' : `the project ${own}`;
  return `${bare} at /mcp/<agent>; connect and run get the project of their folder`;
}

export function servedThere({ url }: Pick<HubFile, 'url'>, { folder, because }: ProjectAnswer): string {
  if (because === 'fixed') return `the hub at ${url} serves the config it was started with, in every folder`;
  const served = folder === null ? 'your own servers, of no project' : folder;
  if (because === 'unseen') return `the hub at ${url} cannot see this folder: it serves ${served}`;
  return `the hub at ${url} serves ${served}`;
}
