import type { McpServerDef } from '@junctor/core';
import { maskDefinition } from '@junctor/core/config-read';
import * as z from 'zod/mini';
import { ConfigFile } from '../config-file.ts';
import { invalid, notFound } from '../failure.ts';
import { type Offered, readSource } from '../import-source.ts';
import { type Route, route } from '../route.ts';
import { serverId } from '../shapes/query.ts';
import { Definition } from './servers.ts';

export const ImportPreview = z.object({
  file: z.string().check(z.describe('The config file they would be written to.')),
  what: z.nullable(z.string()).check(z.describe('What a text was taken for; null: nothing that is known, or no text.')),
  servers: z.array(
    z.object({
      id: z.string(),
      from: z.nullable(z.string()).check(z.describe('The file it comes from; null: the text.')),
      also: z.array(z.string()).check(z.describe('Other files that define the same.')),
      definition: Definition.check(z.describe('Secrets masked.')),
      secrets: z.array(z.string()).check(z.describe('The names under which its literal secrets would be stored.')),
      present: z
        .enum(['no', 'same', 'other'])
        .check(z.describe('Whether a server of this id is there already: defined just so, or otherwise.')),
    }),
  ),
  skipped: z.array(z.object({ id: z.string(), from: z.string(), because: z.string() })),
  problems: z.array(z.string()),
});

export const Imported = z.object({
  success: z.literal(true),
  file: z.string(),
  imported: z.array(z.string()).check(z.describe('The ids under which they were written.')),
  secrets: z.array(z.string()).check(z.describe('The names under which literal secrets were stored.')),
});

const text = z
  .optional(z.string().check(z.maxLength(1_000_000)))
  .check(
    z.describe(
      "A file of any agent or a piece of one, or a line such as claude mcp add; without it the agents' files here.",
    ),
  );

export const IMPORTS: readonly Route[] = [
  route({
    method: 'post',
    path: '/api/imports/preview',
    changesNothing: true,
    summary: 'What servers a text holds, or what servers the agents of this machine have. Nothing is written.',
    body: z.strictObject({ text }),
    answers: { 200: { description: 'What was found.', schema: ImportPreview } },
    async run({ body }, rooms) {
      const { what, servers, skipped, problems } = await readSource(rooms, body.text);
      const mask = (sentence: string): string => rooms.book.common.mask(sentence);
      const shown = servers.map(one => ({ ...one, definition: maskDefinition(one.definition) }));
      const file = await new ConfigFile(rooms).path();
      return { body: { file, what, servers: shown, skipped, problems: problems.map(mask) } };
    },
  }),
  route({
    method: 'post',
    path: '/api/imports',
    act: 'server.import',
    summary:
      'Copies servers into the config file: all that are chosen, or none. Literal secrets go to the secret store.',
    body: z.strictObject({
      text,
      chosen: z
        .array(z.strictObject({ id: serverId, as: z.optional(serverId), replace: z.optional(z.boolean()) }))
        .check(z.minLength(1, 'choose at least one server'), z.maxLength(1000)),
    }),
    answers: { 201: { description: 'They are written and in force.', schema: Imported } },
    async run({ body: { text: given, chosen } }, rooms) {
      const { servers } = await readSource(rooms, given);
      const definitions: Record<string, McpServerDef> = {};
      const wrong: string[] = [];
      for (const { id, as = id, replace = false } of chosen) {
        const found = servers.find(one => one.id === id);
        if (!found) throw notFound(`There is no server '${id}' to be copied.`, 'look again: POST /api/imports/preview');
        const isTaken = rooms.book.common.loaded.servers.has(as) && !isItself(as, found);
        if (as in definitions || (isTaken && !replace)) wrong.push(as);
        definitions[as] = found.definition;
      }
      if (wrong.length > 0) throw invalid('What was chosen cannot be copied', wrong.map(taken));
      const { file, secrets } = await new ConfigFile(rooms).putAll(definitions);
      return { status: 201, body: { success: true, file, imported: Object.keys(definitions), secrets } };
    },
  }),
];

/** The very same under the very same id: writing it changes nothing. */
function isItself(as: string, { id, present }: Offered): boolean {
  return as === id && present === 'same';
}

function taken(id: string) {
  const fix = 'Choose another id, or say that it is to be replaced.';
  return { path: 'chosen', message: `There is a server '${id}' already.`, fix, server: id };
}
