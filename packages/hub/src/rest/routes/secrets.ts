import { MAX_SECRET_BYTES } from '@junctor/core/config-write';
import * as z from 'zod/mini';
import { notFound } from '../failure.ts';
import type { Rooms } from '../rooms.ts';
import { type Route, route } from '../route.ts';
import { keepSecrets, removeSecret, secretStore, secretsNamedIn } from '../secrets.ts';

const KEYS = ['keyring', 'passphrase', 'key_file'] as const;

type KeyWord = (typeof KEYS)[number];

export const Secret = z.object({
  name: z.string(),
  store: z.enum(['keyring', 'file', 'database']).check(z.describe('Where its value lies.')),
  key: z.nullable(z.enum(KEYS)).check(z.describe('What it is sealed with; null: the keyring holds the value itself.')),
  servers: z.array(z.string()).check(z.describe('The servers whose definition names it.')),
});

const Success = z.object({ success: z.literal(true), name: z.string() });

const name = z.object({
  name: z.string().check(z.regex(/^[A-Za-z0-9_.-]{1,128}$/, 'a name is 1 to 128 letters, digits, . _ or -')),
});

export const SECRETS: readonly Route[] = [
  route({
    method: 'get',
    path: '/api/secrets',
    summary: 'The names of secrets. No path gives a value back.',
    answers: {
      200: {
        description: 'In order.',
        schema: z.object({
          secrets: z.array(Secret),
          key: z.enum(KEYS).check(z.describe('What the next one is sealed with.')),
        }),
      },
    },
    async run(_asked, rooms) {
      const kept = await secretStore(rooms);
      const users = usersOf(rooms);
      const inCommon = (await rooms.secretRows?.list()) ?? [];
      const shared = inCommon.map(({ name, key }) => ({ name, store: 'database' as const, key: key as KeyWord }));
      const own = (await kept.listPlaces()).filter(({ name }) => !inCommon.some(one => one.name === name));
      const secrets = [...shared, ...own].map(({ name, store, key = null }) => ({
        name,
        store,
        key,
        servers: users(name),
      }));
      return { body: { secrets, key: await kept.nextKey() } };
    },
  }),
  route({
    method: 'put',
    path: '/api/secrets/{name}',
    act: 'secret.set',
    summary: 'Sets the value of a secret, a new one or one that is there.',
    params: name,
    body: z.strictObject({
      value: z.string().check(z.minLength(1, 'it is empty'), z.maxLength(MAX_SECRET_BYTES, 'at most 64 KiB')),
    }),
    answers: { 200: { description: 'It is stored; servers that name it get it.', schema: Success } },
    async run({ params, body: { value } }, rooms) {
      await keepSecrets(rooms, { secrets: [{ name: params.name, value }] });
      await rooms.book.reload();
      return { body: { success: true, name: params.name } };
    },
  }),
  route({
    method: 'delete',
    path: '/api/secrets/{name}',
    act: 'secret.remove',
    summary: 'Removes a secret. A server that names it cannot start without it.',
    params: name,
    answers: { 200: { description: 'It is gone.', schema: Success } },
    async run({ params }, rooms) {
      const removed = await removeSecret(rooms, params.name);
      if (!removed) throw notFound(`There is no secret '${params.name}'.`, 'GET /api/secrets lists them');
      await rooms.book.reload();
      return { body: { success: true, name: params.name } };
    },
  }),
];

/** Which servers, of all agents, name a secret. */
function usersOf({ book }: Rooms): (name: string) => string[] {
  const named = book
    .hosts()
    .flatMap(({ host }) => [...host.loaded.servers.values()])
    .map(({ id, definition }) => ({ id, names: secretsNamedIn(definition) }));
  return name => [...new Set(named.filter(({ names }) => names.has(name)).map(({ id }) => id))];
}
