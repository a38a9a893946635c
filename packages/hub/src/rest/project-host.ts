/** Which host a request is about: that of the hub itself, or that of a project. */
import type { Host, HostOptions } from '@junctor/core';
import * as z from 'zod/mini';
import { optionsIn } from '../agents/project-host.ts';
import type { Project } from '../agents/projects.ts';
import { expectAgent } from './agent-view.ts';
import { notFound } from './failure.ts';
import type { Rooms } from './rooms.ts';

export interface Asked {
  readonly agent?: string | undefined;
  readonly executor?: string | undefined;
  /** The id of a project. */
  readonly project?: string | undefined;
}

/** What an answer says about the project it is of. */
export const ShownProject = z
  .nullable(z.object({ id: z.nullable(z.string()), folder: z.string() }))
  .check(z.describe('The project whose servers these are; null: they belong to none.'));

export function hostFor(rooms: Rooms, { agent, executor, project }: Asked): Promise<Host> {
  const place = {
    executor: executor === 'local' ? undefined : executor,
    project: project === undefined ? undefined : expectProject(rooms, project),
  };
  return rooms.book.settled(agent, place);
}

/** The same for an agent that the request names: an unknown one is refused. */
export function hostForAgent(rooms: Rooms, { agent, ...at }: Asked): Promise<Host> {
  return hostFor(rooms, { ...at, agent: agent === undefined ? undefined : expectAgent(rooms, agent) });
}

/** The options the host of a project is opened with: its folder and its files. */
export function optionsFor(rooms: Rooms, project: string | undefined): HostOptions {
  const { hostOptions } = rooms;
  return project === undefined ? hostOptions : optionsIn(expectProject(rooms, project).folder, hostOptions);
}

export function expectProject({ projects }: Pick<Rooms, 'projects'>, id: string): Project {
  const found = projects?.get(id);
  if (found) return found;
  throw notFound(`There is no project '${id}'.`, 'GET /api/projects lists them; POST /api/projects adds one');
}

export function shownProject(rooms: Rooms, id: string | undefined): z.infer<typeof ShownProject> {
  if (id !== undefined) return { id, folder: expectProject(rooms, id).folder };
  return rooms.ownProject === undefined ? null : { id: null, folder: rooms.ownProject };
}

/** The host of a session, by the address of its endpoint. Where that project is not open, what the hub itself serves. */
export function hostAtEndpoint({ book, projects }: Rooms, agent: string | undefined, address: string | null): Host {
  const [, id = ''] = /\/w\/([^/]+)$/.exec(address ?? '') ?? [];
  return book.hostAt(agent, { project: projects?.get(id) }) ?? book.hostOf(agent);
}

/** The host of a call, by the folder of its project; undefined where that project is not open. */
export function hostInFolder(
  { book }: Pick<Rooms, 'book'>,
  agent: string | undefined,
  folder: string,
): Host | undefined {
  const open = book.allHosts().find(({ project }) => project?.folder === folder)?.project;
  return open ? book.hostAt(agent, { project: open }) : undefined;
}
