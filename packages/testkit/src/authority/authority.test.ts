/** Shows that the authority is right, with a client that is not ours: the sign-in of the MCP SDK. */
import {
  auth,
  ClientCredentialsProvider,
  IssuerMismatchError,
  PrivateKeyJwtProvider,
  type StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import { type AuthorityOptions, startAuthority } from './index.ts';
import { callAs, SdkPerson } from './sdk-person.ts';

describe('signing in', () => {
  const rows: readonly (readonly [string, AuthorityOptions])[] = [
    ['as it comes', {}],
    ['RFC 8414 alone', { metadata: 'oauth' }],
    ['OpenID discovery alone', { metadata: 'openid' }],
    ['an issuer with a path', { issuerPath: '/tenant' }],
    ['an issuer with a path, RFC 8414 alone', { issuerPath: '/tenant', metadata: 'oauth' }],
    ['metadata of the server at the well-known path alone', { resourceMetadata: 'well-known' }],
    ['metadata of the server at the root alone', { resourceMetadata: 'root' }],
    ['the authority of 2025-03-26 with metadata', { fallback: true, metadata: 'oauth' }],
    ['the authority of 2025-03-26 without metadata', { fallback: true, metadata: 'none' }],
    ['no iss', { behaviour: { iss: 'unsupported' } }],
  ];
  test.for(rows)('%s', async ([, options]) => {
    await using authority = await startAuthority(options);
    const person = new SdkPerson(authority);
    await person.signIn();
    expect(await person.call('echo', { text: 'hello' })).toBe('hello');
    expect(person.answered?.get('state')).toBe(person.sentState);
    expect(authority.requests).toMatchObject({ authorizations: 1, registrations: 1, tokens: 1, refreshes: 0 });
    expect(authority.faults).toEqual([]);
  });

  test('the log tells how: PKCE, resource, scope, client', async () => {
    await using authority = await startAuthority();
    await new SdkPerson(authority).signIn();
    expect(authority.authorizationRequests).toMatchObject([
      {
        issuer: authority.issuer,
        params: {
          code_challenge_method: 'S256',
          resource: authority.mcpUrl,
          scope: expect.stringContaining('tools:read'),
        },
      },
    ]);
    expect(authority.tokenRequests).toMatchObject([
      {
        grantType: 'authorization_code',
        clientAuth: 'none',
        params: { resource: authority.mcpUrl, code_verifier: expect.any(String) },
        status: 200,
        grantId: expect.any(String),
        scope: expect.stringContaining('tools:read'),
      },
    ]);
  });

  test('metadata where the 401 points to', async () => {
    await using authority = await startAuthority({ resourceMetadata: 'header', challengeScope: 'tools:read' });
    const refused = await fetch(authority.mcpUrl, { method: 'POST', body: '{}' });
    expect(refused.status).toBe(401);
    const { origin } = new URL(authority.mcpUrl);
    const challenge = `Bearer scope="tools:read", resource_metadata="${origin}/about/who-guards-this"`;
    expect(refused.headers.get('www-authenticate')).toBe(challenge);
    const document = await fetch(`${origin}/about/who-guards-this`);
    expect(await document.json()).toMatchObject({
      resource: authority.mcpUrl,
      authorization_servers: [authority.issuer],
    });
    expect((await fetch(`${origin}/.well-known/oauth-protected-resource/mcp`)).status).toBe(404);
  });

  test('no metadata at all is a plain 401', async () => {
    await using authority = await startAuthority({ resourceMetadata: 'none', metadata: 'none' });
    const refused = await fetch(authority.mcpUrl, { method: 'POST', body: '{}' });
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    await expect(new SdkPerson(authority).signIn()).rejects.toThrow();
    expect(authority.requests).toMatchObject({ authorizations: 0, registrations: 0, tokens: 0 });
  });

  test('without registration: the clients that are known', async () => {
    await using authority = await startAuthority({ registration: false });
    const { public: open, basic, post } = authority.clients;
    for (const client of [open, basic, { ...post, token_endpoint_auth_method: 'client_secret_post' }]) {
      const person = new SdkPerson(authority);
      person.client = client;
      await person.signIn();
      expect(await person.call('echo', { text: client.client_id })).toBe(client.client_id);
    }
    expect(authority.tokenRequests.map(({ clientAuth }) => clientAuth)).toEqual([
      'none',
      'client_secret_basic',
      'client_secret_post',
    ]);
    await expect(new SdkPerson(authority).signIn()).rejects.toThrow('dynamic client registration');
  });

  test('a client id metadata document', async () => {
    const url = 'https://client.test/client.json';
    const document = {
      client_id: url,
      client_name: 'documented',
      application_type: 'native',
      redirect_uris: ['http://127.0.0.1/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
    };
    await using authority = await startAuthority({ registration: false, clientDocuments: { [url]: document } });
    const person = new SdkPerson(authority);
    person.clientMetadataUrl = url;
    await person.signIn();
    expect(await person.call('echo', { text: 'hello' })).toBe('hello');
    expect(authority.requests).toMatchObject({ registrations: 0, clientDocuments: 1 });
    expect(authority.tokenRequests[0]?.params.client_id).toBe(url);
  });

  test('a no of the person comes back as access_denied', async () => {
    await using authority = await startAuthority();
    const person = new SdkPerson(authority, { consent: false });
    await auth(person, { serverUrl: authority.mcpUrl });
    expect(person.answered?.get('error')).toBe('access_denied');
    expect(person.answered?.get('state')).toBe(person.sentState);
  });

  test('a wrong issuer and a wrong state', async () => {
    await using authority = await startAuthority({ behaviour: { iss: 'wrong' } });
    const person = new SdkPerson(authority);
    await expect(person.signIn()).rejects.toBeInstanceOf(IssuerMismatchError);
    authority.behaviour.iss = 'missing';
    await expect(new SdkPerson(authority).signIn()).rejects.toBeInstanceOf(IssuerMismatchError);
    Object.assign(authority.behaviour, { iss: 'right', state: 'wrong' });
    await auth(person, { serverUrl: authority.mcpUrl });
    expect(person.answered?.get('state')).toBe('a-state-nobody-sent');
  });
});

describe('tokens', () => {
  test('an ended access token is refreshed, and a spent refresh token ends the grant', async () => {
    await using authority = await startAuthority();
    const person = new SdkPerson(authority);
    await person.signIn();
    const spent = person.stored as StoredOAuthTokens;
    authority.expireTokens();
    expect(await person.call('echo', { text: 'again' })).toBe('again');
    expect(authority.requests).toMatchObject({ refreshes: 1, authorizations: 1 });
    expect(person.stored?.refresh_token).not.toBe(spent.refresh_token);

    const current = person.stored;
    person.stored = spent;
    await person.signIn();
    expect(authority.tokenRequests.map(({ grantType, error }) => [grantType, error])).toEqual([
      ['authorization_code', undefined],
      ['refresh_token', undefined],
      ['refresh_token', 'invalid_grant'],
      ['authorization_code', undefined],
    ]);
    const headers = { authorization: `Bearer ${current?.access_token}` };
    expect((await fetch(authority.mcpUrl, { method: 'POST', body: '{}', headers })).status).toBe(401);
  });

  test('a token lives as long as it says', async () => {
    await using authority = await startAuthority({ behaviour: { accessTokenSeconds: 1 } });
    const person = new SdkPerson(authority);
    await person.signIn();
    expect(person.stored?.expires_in).toBe(1);
    const headers = { authorization: `Bearer ${person.stored?.access_token}` };
    await expect
      .poll(async () => (await fetch(authority.mcpUrl, { method: 'POST', body: '{}', headers })).status)
      .toBe(401);
  });

  test('a revoked grant ends its tokens', async () => {
    await using authority = await startAuthority();
    const [ada, ben] = [new SdkPerson(authority, { account: 'ada' }), new SdkPerson(authority, { account: 'ben' })];
    await ada.signIn();
    await ben.signIn();
    authority.revoke(authority.tokenRequests[0]?.grantId);
    expect(await ben.call('echo', { text: 'still here' })).toBe('still here');
    await expect(ada.call('echo', { text: 'gone' })).rejects.toThrow('Unauthorized');
    expect(authority.tokenRequests.at(-1)).toMatchObject({ grantType: 'refresh_token', error: 'invalid_grant' });
  });

  test('without a resource there is no token', async () => {
    await using authority = await startAuthority();
    const person = new SdkPerson(authority);
    Object.assign(person, { validateResourceURL: async () => undefined });
    await auth(person, { serverUrl: authority.mcpUrl });
    expect(person.answered?.get('error')).toBe('invalid_target');
  });

  test('one tool wants more scope', async () => {
    await using authority = await startAuthority();
    const person = new SdkPerson(authority);
    await person.signIn();
    await expect(person.call('pid')).rejects.toThrow();
    const [, second] = authority.authorizationRequests;
    expect(second?.params.scope?.split(' ')).toEqual(expect.arrayContaining(['tools:read', 'tools:admin']));
    person.stored = undefined;
    await person.signIn('tools:read tools:admin');
    expect(await person.call('pid')).toMatch(/^\d+$/);
  });

  test('another issuer takes over', async () => {
    await using authority = await startAuthority();
    const first = authority.issuer;
    const person = new SdkPerson(authority);
    await person.signIn();
    expect(await authority.moveIssuer()).not.toBe(first);
    const headers = { authorization: `Bearer ${person.stored?.access_token}` };
    expect((await fetch(authority.mcpUrl, { method: 'POST', body: '{}', headers })).status).toBe(401);
    const anew = new SdkPerson(authority);
    await anew.signIn();
    expect(await anew.call('echo', { text: 'moved' })).toBe('moved');
    expect(authority.tokenRequests.map(({ issuer }) => issuer)).toEqual([first, authority.issuer]);
  });
});

describe('without the browser of the client', () => {
  test('a machine signs in with a secret or with a signature', async () => {
    await using authority = await startAuthority();
    const { machine, machineJwt } = authority.clients;
    const withSecret = new ClientCredentialsProvider({
      clientId: machine.client_id,
      clientSecret: machine.client_secret,
      expectedIssuer: authority.issuer,
    });
    const withKey = new PrivateKeyJwtProvider({
      clientId: machineJwt.client_id,
      privateKey: machineJwt.privateKey.export({ format: 'pem', type: 'pkcs8' }) as string,
      algorithm: machineJwt.algorithm,
      expectedIssuer: authority.issuer,
    });
    for (const provider of [withSecret, withKey]) {
      expect(await callAs(authority, provider, 'echo', { text: 'machine' })).toBe('machine');
    }
    expect(authority.tokenRequests.map(({ grantType, clientAuth }) => [grantType, clientAuth])).toEqual([
      ['client_credentials', 'client_secret_basic'],
      ['client_credentials', 'private_key_jwt'],
    ]);
  });

  test.for([true, false])('a device asks, and the person says yes: %s', async consent => {
    await using authority = await startAuthority({ deviceFlow: true });
    const metadata = (await (await fetch(`${authority.issuer}/.well-known/oauth-authorization-server`)).json()) as {
      device_authorization_endpoint: string;
      token_endpoint: string;
    };
    const common = { client_id: authority.clients.public.client_id, resource: authority.mcpUrl };
    const post = async (url: string, params: Record<string, string>): Promise<Record<string, string>> =>
      (await (
        await fetch(url, { method: 'POST', body: new URLSearchParams({ ...common, ...params }) })
      ).json()) as Record<string, string>;
    const asked = await post(metadata.device_authorization_endpoint, { scope: 'tools:read' });
    const token = (): Promise<Record<string, string>> =>
      post(metadata.token_endpoint, {
        grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
        device_code: asked.device_code ?? '',
      });
    expect(await token()).toMatchObject({ error: 'authorization_pending' });
    const { page } = await authority.browser.visit(asked.verification_uri_complete ?? '', { consent });
    if (consent) expect(page).toContain('The device is signed in');
    expect(await token()).toMatchObject(consent ? { scope: 'tools:read' } : { error: 'access_denied' });
    expect(authority.faults).toEqual([]);
  });
});
