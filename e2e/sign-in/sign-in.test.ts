import { signIn } from '@junctor/core';
import { promise } from '@junctor/testkit';
import type { AuthorityOptions } from '@junctor/testkit/authority';
import { describe, expect, test } from 'vitest';
import { browser, echo, guardedServer } from './guarded.ts';

/** From the first refusal to an answer. */
async function signsInWith(options: AuthorityOptions): Promise<void> {
  await using guarded = await guardedServer(options);
  const { authority } = guarded;
  const host = await guarded.host();
  await expect(host.collect('guarded')).rejects.toMatchObject({
    code: 'auth_required',
    message: "Server 'guarded' asks you to sign in.",
    hint: "sign in: await signIn(host, 'guarded', { visit: url => … })",
    command: 'junctor mcp login guarded',
  });
  expect(host.links.state('guarded').kind).toBe('auth_required');
  expect(await signIn(host, 'guarded', browser(authority))).toMatchObject({
    server: 'guarded',
    issuer: authority.issuer,
    scope: expect.stringContaining('tools:read'),
    expires_at: expect.any(Number),
  });
  expect(await echo(host)).toBe('hello');
  expect(host.links.state('guarded').kind).toBe('ready');
  expect(authority.requests).toMatchObject({ authorizations: 1, registrations: 1, tokens: 1 });
  expect(authority.faults).toEqual([]);
}

describe('a person signs in', () => {
  for (const resourceMetadata of ['header', 'well-known', 'root'] as const) {
    promise('2.3a', `where the server names its authority by ${resourceMetadata}`, () =>
      signsInWith({ resourceMetadata }),
    );
  }

  for (const metadata of ['oauth', 'openid'] as const) {
    promise('2.3b', `where the authority speaks ${metadata} alone`, () => signsInWith({ metadata }));
    promise('2.3b', `where the authority has a path and speaks ${metadata} alone`, () =>
      signsInWith({ metadata, issuerPath: '/tenant' }),
    );
  }

  test.for([{ metadata: 'oauth' as const }, { metadata: 'none' as const }])(
    'to a server of 2025-03-26 that is its own authority: %o',
    async options => {
      await using guarded = await guardedServer({ fallback: true, ...options });
      const host = await guarded.host();
      await signIn(host, 'guarded', browser(guarded.authority));
      expect(await echo(host)).toBe('hello');
    },
  );

  promise(
    ['2.3d', '2.3f', '2.3g', '2.3h'],
    'by code, with PKCE and the resource, on a page of this machine',
    async () => {
      await using guarded = await guardedServer();
      const { authority } = guarded;
      const host = await guarded.host();
      const person = browser(authority);
      await signIn(host, 'guarded', person);
      expect(authority.registrations).toMatchObject([
        {
          client_name: 'Junctor',
          application_type: 'native',
          grant_types: ['authorization_code', 'refresh_token'],
          response_types: ['code'],
          token_endpoint_auth_method: 'none',
        },
      ]);
      const redirectUri = person.visited[0]?.searchParams.get('redirect_uri') ?? '';
      expect(redirectUri).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
      expect(authority.authorizationRequests).toMatchObject([
        {
          params: {
            response_type: 'code',
            code_challenge_method: 'S256',
            code_challenge: expect.stringMatching(/^[\w-]{43}$/),
            resource: authority.mcpUrl,
            redirect_uri: redirectUri,
            state: expect.stringMatching(/^[\w-]{43}$/),
          },
        },
      ]);
      expect(authority.tokenRequests).toMatchObject([
        {
          grantType: 'authorization_code',
          params: { resource: authority.mcpUrl, code_verifier: expect.any(String), redirect_uri: redirectUri },
          status: 200,
        },
      ]);
      await expect(fetch(redirectUri)).rejects.toThrow('fetch failed');
    },
  );

  promise('2.3h', 'and the page answers to its own address and state alone', async () => {
    await using guarded = await guardedServer();
    const { authority } = guarded;
    const host = await guarded.host();
    const answers: (readonly [number, string])[] = [];
    const knock = async (url: URL): Promise<void> => {
      const response = await fetch(url);
      answers.push([response.status, (await response.text()).replace(/<[^>]*>/g, '').trim()]);
    };
    await signIn(host, 'guarded', {
      async visit(url) {
        const back = new URL(url.searchParams.get('redirect_uri') ?? '');
        await knock(new URL('/elsewhere', back));
        await knock(new URL('?code=stolen&state=guessed', back));
        await knock(new URL('?code=stolen', back));
        const { page } = await authority.browser.visit(url);
        answers.push([200, page]);
      },
    });
    expect(answers).toEqual([
      [404, expect.stringContaining('Nothing here.')],
      [400, expect.stringContaining('This is not the answer to the sign-in that is under way.')],
      [400, expect.stringContaining('This is not the answer to the sign-in that is under way.')],
      [200, expect.stringContaining('You can close this page and go back to the program.')],
    ]);
    expect(authority.tokenRequests).toHaveLength(1);
  });

  promise('2.3c', 'as the client of a metadata document, without registration', async () => {
    const clientMetadataUrl = 'https://client.test/junctor.json';
    const document = {
      client_id: clientMetadataUrl,
      client_name: 'Junctor',
      application_type: 'native',
      redirect_uris: ['http://127.0.0.1/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
    };
    await using guarded = await guardedServer({ clientDocuments: { [clientMetadataUrl]: document } });
    const { authority } = guarded;
    const byOption = await guarded.host({ clientMetadataUrl });
    await signIn(byOption, 'guarded', browser(authority));
    expect(await echo(byOption)).toBe('hello');
    const oauth = { client_metadata_url: clientMetadataUrl };
    const byConfig = await guarded.host({ server: { oauth } });
    await signIn(byConfig, 'guarded', browser(authority));
    expect(authority.requests).toMatchObject({ registrations: 0, authorizations: 2 });
    expect(authority.tokenRequests.map(({ params }) => params.client_id)).toEqual([
      clientMetadataUrl,
      clientMetadataUrl,
    ]);
  });

  promise('2.3e', 'as the client of the config, with a secret and without', async () => {
    await using guarded = await guardedServer({ registration: false });
    const { authority } = guarded;
    const { public: open, basic, post } = authority.clients;
    const clients = [open, basic, { ...post, token_endpoint_auth_method: 'client_secret_post' }];
    for (const oauth of clients) {
      const host = await guarded.host({ server: { oauth } });
      await signIn(host, 'guarded', browser(authority));
      authority.expireTokens();
      expect(await echo(host)).toBe('hello');
      // The secret stands in the config; it is not copied.
      expect((await guarded.stored()).servers.guarded).toMatchObject({ client_id: oauth.client_id });
      expect((await guarded.stored()).servers.guarded).not.toHaveProperty('client_secret');
    }
    expect(authority.requests.registrations).toBe(0);
    expect(authority.tokenRequests.map(({ grantType, clientAuth }) => [grantType, clientAuth])).toEqual(
      ['none', 'client_secret_basic', 'client_secret_post'].flatMap(method => [
        ['authorization_code', method],
        ['refresh_token', method],
      ]),
    );
  });

  test('where no client can be registered, what to do is said', async () => {
    await using guarded = await guardedServer({ registration: false });
    const host = await guarded.host();
    await expect(signIn(host, 'guarded', browser(guarded.authority))).rejects.toMatchObject({
      code: 'sign_in_failed',
      why: `${guarded.authority.issuer} takes no new clients by itself`,
      hint: expect.stringContaining('oauth.client_id'),
    });
  });

  promise(['2.3l', '2.3m'], 'at the endpoints of the config, with its scope', async () => {
    await using guarded = await guardedServer({ metadata: 'oauth', resourceMetadata: 'none' });
    const { authority } = guarded;
    const endpoints = await (await fetch(`${authority.issuer}/.well-known/oauth-authorization-server`)).json();
    const found = endpoints as Record<string, string>;
    const oauth = {
      authorization_url: found.authorization_endpoint,
      token_url: found.token_endpoint,
      registration_url: found.registration_endpoint,
      scope: 'tools:read tools:admin',
    };
    // Nothing on the server's side says who guards it: without these there would be no sign-in at all.
    const host = await guarded.host({ server: { oauth } });
    await signIn(host, 'guarded', browser(authority));
    expect((await host.call({ server: 'guarded', tool: 'pid' }, {})).output).toMatch(/^\d+$/);
    expect(authority.authorizationRequests).toMatchObject([
      { params: { scope: expect.stringContaining('tools:read tools:admin'), resource: authority.mcpUrl } },
    ]);
    expect(authority.requests).toMatchObject({ registrations: 1, authorizations: 1, tokens: 1 });
  });

  promise('2.3n', 'on a machine with no browser, by pasting the address it ends on', async () => {
    await using guarded = await guardedServer();
    const { authority } = guarded;
    const host = await guarded.host();
    const { promise: address, resolve } = Promise.withResolvers<string>();
    await signIn(host, 'guarded', {
      // The person's own machine: its browser cannot reach the page of this one.
      visit: async url => resolve(`  ${(await authority.browser.visit(url, { follow: false })).url}\n`),
      pasted: () => address,
    });
    expect(await echo(host)).toBe('hello');
  });

  test('again, as the same client, on the same port', async () => {
    await using guarded = await guardedServer();
    const { authority } = guarded;
    const host = await guarded.host();
    const person = browser(authority);
    await signIn(host, 'guarded', person);
    await signIn(host, 'guarded', person);
    const [first, second] = person.visited.map(url => url.searchParams.get('redirect_uri'));
    expect(second).toBe(first);
    expect(authority.requests).toMatchObject({ registrations: 1, authorizations: 2 });
  });
});
