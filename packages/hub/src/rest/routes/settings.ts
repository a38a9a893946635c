import * as z from 'zod/mini';
import { ConfigFile } from '../config-file.ts';
import { problemsIn, settingEdits, settingsOf } from '../config-settings.ts';
import { checkTag, isKnown, tagOf } from '../etag.ts';
import { invalid } from '../failure.ts';
import { type Route, route } from '../route.ts';

export const Setting = z.object({
  section: z.string(),
  key: z.string(),
  purpose: z.string(),
  kind: z.enum(['number', 'choice', 'switch']),
  choices: z.array(z.string()),
  value: z.nullable(z.union([z.number(), z.string(), z.boolean()])).check(z.describe('null: it is not set.')),
  layer: z.nullable(z.string()).check(z.describe('The layer whose value counts.')),
  file: z.nullable(z.string()),
  at_once: z.boolean().check(z.describe('false: a change counts when the hub is started again.')),
});

const Settings = z.object({
  file: z.string().check(z.describe('The file that changes are written to.')),
  settings: z.array(Setting),
});

export const SETTINGS: readonly Route[] = [
  route({
    method: 'get',
    path: '/api/config/settings',
    summary: 'Limits, and how long things are kept, as the config files say. The ETag names these values.',
    answers: {
      200: { description: 'Each setting.', schema: Settings },
      304: { description: 'It is what If-None-Match names.' },
    },
    async run({ headers }, rooms) {
      const settings = settingsOf(rooms.book.common.loaded);
      const etag = tagOf(settings);
      if (isKnown(headers, etag)) return { status: 304, headers: { etag } };
      return { body: { file: await new ConfigFile(rooms).path(), settings }, headers: { etag } };
    },
  }),
  route({
    method: 'patch',
    path: '/api/config/settings',
    act: 'config.settings',
    summary: 'Changes settings in the config file; null takes one out, so that its default counts. Comments stay.',
    body: z.record(z.string(), z.record(z.string(), z.unknown())),
    answers: { 200: { description: 'They are written.', schema: Settings } },
    async run({ body, headers }, rooms) {
      const problems = problemsIn(body);
      if (problems.length > 0) throw invalid('The settings are not valid', problems);
      const check = (): void => checkTag(headers, tagOf(settingsOf(rooms.book.common.loaded)), { exists: true });
      check();
      const file = await new ConfigFile(rooms).set(settingEdits(body), check);
      const settings = settingsOf(rooms.book.common.loaded);
      return { body: { file, settings }, headers: { etag: tagOf(settings) } };
    },
  }),
];
