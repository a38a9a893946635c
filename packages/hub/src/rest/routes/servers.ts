import type { Host, McpServerDef } from '@junctor/core';
import { isEnabled, type LoadedServer, maskDefinition } from '@junctor/core/config-read';
import { parseMcpConfig, RemoteServer, StdioServer } from '@junctor/core/internal';
import * as z from 'zod/mini';
import { maskedPlaces, unmasked } from '../../agents/masked-values.ts';
import { expectAgent } from '../agent-view.ts';
import { ConfigFile } from '../config-file.ts';
import { checkTag, isKnown, tagOf } from '../etag.ts';
import { invalid, notFound } from '../failure.ts';
import { hostFor, ShownProject, shownProject } from '../project-host.ts';
import type { Rooms } from '../rooms.ts';
import { type Route, route } from '../route.ts';
import { agentId, iso, projectId, serverId } from '../shapes/query.ts';

export const Definition = z.discriminatedUnion('transport', [StdioServer, RemoteServer]);

export const ServerEntry = z.object({
  id: z.string(),
  enabled: z.boolean(),
  layer: z.string().check(z.describe('The layer that defines it.')),
  file: z.nullable(z.string()),
  line: z.nullable(z.int()).check(z.describe('Where it stands in that file.')),
  editable: z
    .boolean()
    .check(z.describe('Whether a change over REST counts: no layer above the written file defines it.')),
  state: z.string().check(z.describe('As in /api/status.')),
  definition: Definition.check(z.describe('As a config file writes it, secrets masked.')),
});

export const Removed = z.object({ id: z.string(), file: z.string(), at: z.string() });

export const Invalid = z.object({ id: z.string(), file: z.string(), path: z.string(), message: z.string() });

export const Written = z.object({
  success: z.literal(true),
  id: z.string(),
  file: z.string().check(z.describe('The file that was written.')),
  secrets: z.array(z.string()).check(z.describe('The names under which literal secrets were stored.')),
  effective: z.nullable(z.string()).check(z.describe('The layer whose definition counts now; null: none defines it.')),
});

type States = ReadonlyMap<string, string>;

function entryOf(rooms: Rooms, server: LoadedServer, states: States, host: Host): z.infer<typeof ServerEntry> {
  const { id, layer, file, definition } = server;
  return {
    id,
    enabled: host.loaded.enabled && isEnabled(server),
    layer,
    file: file ?? null,
    line: file === undefined ? null : (server.placeOf()?.line ?? null),
    editable: new ConfigFile(rooms).governs(server),
    state: states.get(id) ?? 'disabled',
    definition: maskDefinition(definition),
  };
}

function statesOf(host: Host): States {
  return new Map(host.status().map(({ id, state }) => [id, state]));
}

export function expectServer({ loaded }: Host, id: string): LoadedServer {
  const server = loaded.servers.get(id);
  if (server) return server;
  const ids = [...loaded.servers.keys()];
  throw notFound(`There is no server '${id}'.`, ids.length > 0 ? `one of: ${ids.join(', ')}` : 'none is configured');
}

/** Every mask replaced by what stands behind it; judged as a file would be. */
function readDefinition({ book }: Rooms, id: string, posted: unknown): McpServerDef {
  const known = book.common.loaded.servers.get(id)?.definition;
  const meant = known ? unmasked(posted, maskDefinition(known), known) : posted;
  const [masked] = maskedPlaces(meant);
  if (masked !== undefined) {
    const message = 'The value is masked, and it is not known what stands behind it.';
    throw invalid(`The definition of '${id}' is not valid`, [
      { path: masked, message, fix: 'Write the value itself.' },
    ]);
  }
  return parseMcpConfig({ version: 1, servers: { [id]: meant } }).servers[id] as McpServerDef;
}

export function written(rooms: Rooms, id: string, { file, secrets }: { file: string; secrets: readonly string[] }) {
  const effective = rooms.book.common.loaded.servers.get(id)?.layer ?? null;
  return { success: true, id, file, secrets: [...secrets], effective };
}

const id = z.object({ id: serverId });

export const SERVERS: readonly Route[] = [
  route({
    method: 'get',
    path: '/api/servers',
    summary: 'The servers of the config files, or those of one agent or project, with where each is defined.',
    query: z.object({ agent: z.optional(agentId), project: projectId }),
    answers: {
      200: {
        description: 'The servers, entries that are not valid, and what was taken out within the last ten minutes.',
        schema: z.object({
          project: ShownProject,
          servers: z.array(ServerEntry),
          invalid: z.array(Invalid),
          removed: z.array(Removed),
        }),
      },
    },
    async run({ query }, rooms) {
      const agent = query.agent === undefined ? undefined : expectAgent(rooms, query.agent);
      const host = await hostFor(rooms, { agent, project: query.project });
      const { loaded } = host;
      const servers = [...loaded.servers.values()].filter(({ id }) => agent === undefined || host.serves(agent, id));
      const wrong = loaded.problems.flatMap(({ server, file, path, message }) =>
        server === undefined || loaded.servers.has(server) ? [] : [{ id: server, file, path, message }],
      );
      const removed = rooms.removals.recent.map(({ id, file, at }) => ({ id, file, at: iso(at) }));
      const states = statesOf(host);
      const entries = servers.map(server => entryOf(rooms, server, states, host));
      const project = shownProject(rooms, query.project);
      return { body: { project, servers: entries, invalid: wrong, removed } };
    },
  }),
  route({
    method: 'post',
    path: '/api/servers',
    act: 'server.add',
    summary: 'Adds a server to the config file: the one of --config, else your own. Comments in it stay.',
    body: z.strictObject({
      id: serverId,
      definition: z.looseObject({}).check(z.describe('As a config file writes it.')),
    }),
    answers: { 201: { description: 'It is written and in force.', schema: Written } },
    async run({ body }, rooms) {
      const definition = readDefinition(rooms, body.id, body.definition);
      const done = await new ConfigFile(rooms).put(body.id, definition, { replace: false });
      return { status: 201, body: written(rooms, body.id, done) };
    },
  }),
  route({
    method: 'get',
    path: '/api/servers/{id}',
    summary: 'One server. Its ETag names this definition.',
    params: id,
    query: z.object({ project: projectId }),
    answers: {
      200: { description: 'The server.', schema: ServerEntry },
      304: { description: 'It is what If-None-Match names.' },
    },
    async run({ params, query, headers }, rooms) {
      const host = await hostFor(rooms, query);
      const server = expectServer(host, params.id);
      const etag = tagOf(server.definition);
      if (isKnown(headers, etag)) return { status: 304, headers: { etag } };
      return { body: entryOf(rooms, server, statesOf(host), host), headers: { etag } };
    },
  }),
  route({
    method: 'put',
    path: '/api/servers/{id}',
    act: 'server.define',
    summary: 'Defines a server anew in the config file.',
    params: id,
    body: z.looseObject({}).check(z.describe('As a config file writes it.')),
    answers: { 200: { description: 'It is written and in force.', schema: Written } },
    async run({ params, body, headers }, rooms) {
      const definition = readDefinition(rooms, params.id, body);
      const check = (): void => {
        const present = rooms.book.common.loaded.servers.get(params.id)?.definition;
        checkTag(headers, tagOf(present ?? null), { exists: present !== undefined });
      };
      check();
      const done = await new ConfigFile(rooms).put(params.id, definition, { replace: true, check });
      const etag = tagOf(rooms.book.common.loaded.servers.get(params.id)?.definition ?? null);
      return { body: written(rooms, params.id, done), headers: { etag } };
    },
  }),
  route({
    method: 'patch',
    path: '/api/servers/{id}',
    act: 'server.switch',
    summary: 'Switches a server on or off in the config file.',
    params: id,
    body: z.strictObject({ enabled: z.boolean() }),
    answers: { 200: { description: 'It is written and in force.', schema: Written } },
    async run({ params, body }, rooms) {
      expectServer(rooms.book.common, params.id);
      return { body: written(rooms, params.id, await new ConfigFile(rooms).switch(params.id, body.enabled)) };
    },
  }),
  route({
    method: 'delete',
    path: '/api/servers/{id}',
    act: 'server.remove',
    summary:
      'Takes a server out of the config file; for ten minutes it can be restored. Where a lower layer defines it too, that definition counts again.',
    params: id,
    answers: { 200: { description: 'It is gone from the file.', schema: Written } },
    async run({ params, headers }, rooms) {
      const { definition } = expectServer(rooms.book.common, params.id);
      checkTag(headers, tagOf(definition), { exists: true });
      return { body: written(rooms, params.id, await new ConfigFile(rooms).remove(params.id)) };
    },
  }),
];
