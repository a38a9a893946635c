import { JunctorError } from '@junctor/core';
import * as z from 'zod/mini';
import { Refusal } from '../failure.ts';
import { expectProject } from '../project-host.ts';
import type { Rooms } from '../rooms.ts';
import { type Route, route } from '../route.ts';

const ProjectEntry = z.object({
  id: z.string().check(z.describe('What the address of an endpoint carries: /mcp/<agent>/w/<id>.')),
  folder: z.string(),
  used: z.string().check(z.describe('When a client last said that it works there, to the hour.')),
  open: z.boolean().check(z.describe('Whether its config is loaded: somebody used it a while ago.')),
  servers: z.array(z.string()).check(z.describe('Its servers that may run; empty while it is not open.')),
  sessions: z.int().check(z.describe('How many sessions are open there.')),
});

export const ProjectList = z.object({
  own: z
    .nullable(z.string())
    .check(z.describe('The folder of the project that endpoints serve which name none; null: they serve none.')),
  fixed: z.boolean().check(z.describe('Whether the hub serves one config in every folder, as with --config.')),
  projects: z.array(ProjectEntry).check(z.describe('Used last comes first.')),
});

const Registered = z.object({
  id: z.nullable(z.string()).check(z.describe('null: endpoints that name no project serve it.')),
  folder: z.nullable(z.string()),
});

function entryOf({ book, records, projects }: Rooms): z.infer<typeof ProjectEntry>[] {
  const open = Map.groupBy(book.allHosts(), ({ project }) => project?.id);
  const sessions = Map.groupBy(records.sessions.rows(), ({ project }) => project);
  return (projects?.list() ?? []).map(({ id, folder, used }) => {
    const hosts = open.get(id) ?? [];
    const servers = new Set(hosts.flatMap(({ host }) => host.links.ids));
    const count = sessions.get(folder)?.length ?? 0;
    return { id, folder, used, open: hosts.length > 0, servers: [...servers].sort(), sessions: count };
  });
}

export const PROJECTS: readonly Route[] = [
  route({
    method: 'get',
    path: '/api/projects',
    summary: 'The folders that clients work in. Each has its own servers, besides those that count in every folder.',
    answers: { 200: { description: 'The projects.', schema: ProjectList } },
    async run(_asked, rooms) {
      const { projects, ownProject } = rooms;
      return { body: { own: ownProject ?? null, fixed: projects === undefined, projects: entryOf(rooms) } };
    },
  }),
  route({
    method: 'post',
    path: '/api/projects',
    act: 'project.register',
    summary: 'Registers the folder that a client works in, and names the project it belongs to.',
    body: z.strictObject({
      folder: z.string().check(z.describe('Where the client works, from the root; a folder of this machine.')),
    }),
    answers: { 200: { description: 'The project.', schema: Registered } },
    async run({ body: { folder } }, { projects, ownProject }) {
      const project = await projects?.at(folder);
      return { body: project ? { id: project.id, folder: project.folder } : { id: null, folder: ownProject ?? null } };
    },
  }),
  route({
    method: 'delete',
    path: '/api/projects/{id}',
    act: 'project.remove',
    summary: 'Forgets a project: its endpoints are gone, its servers end. Nothing in its folder changes.',
    params: z.object({ id: z.string() }),
    answers: { 200: { description: 'It is forgotten.', schema: z.object({ success: z.literal(true) }) } },
    async run({ params: { id } }, rooms) {
      const { folder } = expectProject(rooms, id);
      if (rooms.records.sessions.rows().some(({ project }) => project === folder)) throw inUse(folder);
      await rooms.projects?.remove(id);
      rooms.book.closeProject(id);
      return { body: { success: true } };
    },
  }),
];

function inUse(folder: string): Refusal {
  return new Refusal(
    409,
    new JunctorError('config_conflict', `Clients are connected in ${folder}.`, {
      hint: 'end them first; GET /api/sessions lists them',
    }),
  );
}
