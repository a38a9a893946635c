import * as z from 'zod/mini';
import { cookieOf } from '../../security/cookies.ts';
import { type Route, route } from '../route.ts';
import { iso } from '../shapes/query.ts';

export const HubCommandWords = z
  .object({
    program: z.string().check(z.describe('The words that start Junctor in any folder of the machine of this hub.')),
    at_hub: z.string().check(z.describe('The options of a command that asks this hub, such as hub token.')),
    with_config: z.string().check(z.describe('The options of a command that reads the config of this hub, too.')),
  })
  .check(z.describe('What a command line for this hub is made of.'));

export const LOGIN: readonly Route[] = [
  route({
    method: 'get',
    path: '/api/login',
    summary: 'Who asks: a browser that is logged in learns the header its changes need.',
    answers: {
      200: {
        description: 'The login.',
        schema: z.object({
          csrf: z
            .nullable(z.string())
            .check(z.describe('To be sent as x-junctor-csrf; null for a token, which needs none.')),
          expires: z.nullable(z.string()),
          commands: HubCommandWords,
        }),
      },
    },
    async run({ headers }, { pages, about: { commands } }) {
      const cookie = cookieIn(headers, pages.cookieName);
      const session = cookie === undefined ? undefined : await pages.find(cookie);
      const words: z.infer<typeof HubCommandWords> = {
        program: commands.program,
        at_hub: commands.optionsFor('hub token', '').trim(),
        with_config: commands.optionsFor('mcp list', '').trim(),
      };
      return { body: { csrf: session?.csrf ?? null, expires: session ? iso(session.expires) : null, commands: words } };
    },
  }),
  route({
    method: 'post',
    path: '/api/login',
    act: 'login.create',
    summary: 'Makes an address of the page that logs a browser in, once.',
    answers: { 201: { description: 'The address.', schema: z.object({ url: z.string() }) } },
    async run({ maker }, { pages }) {
      return { status: 201, body: { url: await pages.newAddress(maker) } };
    },
  }),
  route({
    method: 'delete',
    path: '/api/login',
    act: 'login.end',
    summary: 'Logs this browser out.',
    answers: { 204: { description: 'It is logged out.' } },
    async run({ headers }, { pages }) {
      const cookie = cookieIn(headers, pages.cookieName);
      if (cookie !== undefined) await pages.logout(cookie);
      return { status: 204 };
    },
  }),
];

function cookieIn(headers: Headers, name: string): string | undefined {
  return cookieOf({ headers: { cookie: headers.get('cookie') ?? '' } }, name);
}
