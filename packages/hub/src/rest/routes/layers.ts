import { existsSync } from 'node:fs';
import type { Host } from '@junctor/core';
import type { Problem } from '@junctor/core/config-read';
import { TrustBook } from '@junctor/core/config-write';
import { ownSurroundings, type Surroundings } from '@junctor/core/light';
import * as z from 'zod/mini';
import { ConfigFile } from '../config-file.ts';
import { hostFor, optionsFor } from '../project-host.ts';
import type { Rooms } from '../rooms.ts';
import { type Route, route } from '../route.ts';
import { projectId } from '../shapes/query.ts';

const LayerProblem = z.object({
  line: z.nullable(z.number()),
  path: z.string().check(z.describe('Where inside, such as servers.fs.args[0].')),
  message: z.string(),
  fix: z.nullable(z.string()),
  server: z.nullable(z.string()),
});

export const ConfigLayer = z.object({
  layer: z.nullable(z.string()).check(z.describe('null: a file that could not be read as a config.')),
  source: z.string().check(z.describe('The file, or the variable.')),
  is_file: z.boolean(),
  exists: z.boolean(),
  is_edited: z.boolean().check(z.describe('Whether REST writes changes into it.')),
  dialect: z.nullable(z.string()),
  servers: z.array(z.string()),
  waiting: z.array(z.string()).check(z.describe('Servers of it that nobody approved yet: junctor trust.')),
  problems: z.array(LayerProblem),
});

type LayerEntry = z.infer<typeof ConfigLayer>;

export const LAYERS: readonly Route[] = [
  route({
    method: 'get',
    path: '/api/config/layers',
    summary: 'Where the config comes from, what is wrong with it, and what waits for approval.',
    query: z.object({ project: projectId }),
    answers: {
      200: {
        description: 'Highest layer first.',
        schema: z.object({
          layers: z.array(ConfigLayer),
          unapproved: z.array(z.string()).check(z.describe('What project files ask for that does not count yet.')),
        }),
      },
    },
    async run({ query: { project } }, rooms) {
      const host = await hostFor(rooms, { project });
      const layers = await entriesOf(rooms, host, optionsFor(rooms, project).surroundings);
      return { body: { layers, unapproved: [...host.unapproved] } };
    },
  }),
];

async function entriesOf(
  rooms: Rooms,
  { loaded: { layers, problems, servers } }: Host,
  surroundings: Surroundings = ownSurroundings(),
): Promise<LayerEntry[]> {
  const trust = await new TrustBook(rooms.dataDirectory, surroundings).states(servers.values());
  const edited = await new ConfigFile(rooms).path();
  const wrongIn = (source: string): LayerEntry['problems'] =>
    problems.filter(({ file }) => file === source).map(described);
  const read = layers
    .filter(({ name, config }) => name !== 'override' || Object.keys(config.servers).length > 0)
    .map(({ name, source, file, dialect, config }): LayerEntry => {
      const ids = Object.keys(config.servers);
      const waiting = ids.filter(id => trust.get(id) === 'waiting' && servers.get(id)?.source === source);
      return {
        layer: name,
        source,
        is_file: file !== undefined,
        exists: file === undefined || existsSync(file),
        is_edited: source === edited,
        dialect,
        servers: ids,
        waiting,
        problems: wrongIn(source),
      };
    });
  const known = new Set(layers.map(({ source }) => source));
  const others = [...new Set([...problems.map(({ file }) => file), edited])].filter(file => !known.has(file));
  return [...read.toReversed(), ...others.map(file => unread(file, edited, wrongIn(file)))];
}

/** A file with so much wrong that it is no layer, or one that a first change would make. */
function unread(file: string, edited: string, problems: LayerEntry['problems']): LayerEntry {
  const isFile = !/^[$(]/.test(file);
  return {
    layer: problems.length === 0 ? 'user' : null,
    source: file,
    is_file: isFile,
    exists: isFile && existsSync(file),
    is_edited: file === edited,
    dialect: null,
    servers: [],
    waiting: [],
    problems,
  };
}

function described({ line, path, message, fix, server }: Problem): LayerEntry['problems'][number] {
  return { line: line ?? null, path, message, fix: fix ?? null, server: server ?? null };
}
