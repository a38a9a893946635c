/** A program on the web signs its users in: the browser of each comes back to a page of the program. */
import { join } from 'node:path';
import { createHost, type OwnPage, signIn } from '@junctor/core';
import { expect, test } from 'vitest';
import { echo, guardedServer } from './guarded.ts';

const REDIRECT_URI = 'https://app.example.com/mcp/callback';

/** The routes of such a program, without a web server: where each browser is sent, and where it comes back to. */
class App implements OwnPage {
  readonly redirectUri = REDIRECT_URI;
  readonly #waiting = new Map<string, (address: string) => void>();

  returned(state: string): Promise<string> {
    return new Promise(resolve => this.#waiting.set(state, resolve));
  }

  arrive(address: string): void {
    this.#waiting.get(new URL(address).searchParams.get('state') ?? '')?.(address);
  }
}

test('each user of a web application has a host and a sign-in of their own, on a page of the application', async () => {
  await using guarded = await guardedServer();
  const { authority, home } = guarded;
  const app = new App();
  const away: URL[] = [];
  const visit = async (url: URL): Promise<void> => {
    if (away.push(url) < 2) return;
    // Both are away at the same time: only the state tells whose each answer is.
    for (const page of away.toReversed()) app.arrive((await authority.browser.visit(page, { follow: false })).url);
  };
  const server = { transport: 'http', url: authority.mcpUrl, trust: 'trusted' } as const;
  const hostOf = (user: string) =>
    createHost({ config: { version: 1, servers: { guarded: server } }, data: join(home.data, user) });
  await using ada = await hostOf('ada');
  await using bob = await hostOf('bob');
  await Promise.all([ada, bob].map(host => signIn(host, 'guarded', { visit, page: app })));
  expect(await Promise.all([echo(ada, 'ada'), echo(bob, 'bob')])).toEqual(['ada', 'bob']);
  const client = { application_type: 'web', redirect_uris: [REDIRECT_URI] };
  expect(authority.registrations).toMatchObject([client, client]);
  const tokens = await Promise.all([ada, bob].map(host => host.wallet.authorizationOf('guarded')));
  expect(new Set(tokens).size).toBe(2);
});

test('an address that belongs to another sign-in is refused', async () => {
  await using guarded = await guardedServer();
  const host = await guarded.host();
  const page = { redirectUri: REDIRECT_URI, returned: async () => `${REDIRECT_URI}?code=x&state=y` };
  await expect(signIn(host, 'guarded', { visit() {}, page })).rejects.toMatchObject({ code: 'sign_in_failed' });
});

test('a page without an address is told before anybody is sent anywhere', async () => {
  await using guarded = await guardedServer();
  const host = await guarded.host();
  const page = { redirectUri: '/mcp/callback', returned: () => expect.unreachable() };
  await expect(signIn(host, 'guarded', { visit: () => expect.unreachable(), page })).rejects.toMatchObject({
    code: 'usage',
    why: 'page.redirectUri is "/mcp/callback"',
  });
});
