import { createHost, signIn } from '@junctor/core';
import { junctor, makeHome, promise, startHub, testServer, trusted } from '@junctor/testkit';
import { startAuthority } from '@junctor/testkit/authority';
import { generateKeyPair } from 'jose';
import { describe, expect, test } from 'vitest';
import { browser } from '../sign-in/guarded.ts';
import { startJwtIssuer } from './jwt-issuer.ts';

const WELL_KNOWN = '/.well-known/oauth-protected-resource';
const servers = { demo: trusted(testServer()), other: trusted(testServer()) };

const GREETING: RequestInit = {
  method: 'POST',
  body: JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {} },
  }),
};

describe('with an issuer', () => {
  promise(
    ['9.5k', '9.5m'],
    'the hub says who gives out its tokens, to anybody, and gives out none itself',
    async () => {
      await using home = await makeHome();
      await using issuer = await startJwtIssuer();
      await using hub = await startHub(home, { servers }, ['--issuer', issuer.url]);
      const metadata = async (path: string) => (await fetch(`${hub.url}${path}`)).json();
      expect(await metadata(WELL_KNOWN)).toEqual({
        resource: hub.url,
        authorization_servers: [issuer.url],
        scopes_supported: ['junctor:tools', 'junctor:person'],
        bearer_methods_supported: ['header'],
        resource_name: 'Junctor hub',
      });
      expect(await metadata(`${WELL_KNOWN}/mcp/codex`)).toMatchObject({ resource: `${hub.url}/mcp/codex` });
      expect((await fetch(`${hub.url}${WELL_KNOWN}/api/status`)).status).toBe(404);
      const refused = await fetch(`${hub.url}/mcp/codex`, GREETING);
      expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
        401,
        `Bearer scope="junctor:tools", resource_metadata="${hub.url}${WELL_KNOWN}/mcp/codex"`,
      ]);
      // Tokens of the hub's own are as good as before.
      expect((await hub.fetch('/mcp/codex', GREETING)).status).toBe(200);
      for (const path of [
        ...['/authorize', '/token', '/register', '/oauth/authorize', '/oauth/token', '/api/token', '/api/authorize'],
        ...['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'],
      ]) {
        for (const method of ['GET', 'POST']) expect((await hub.fetch(path, { method })).status, path).toBe(404);
      }
    },
  );

  test('a token opens what it was made for, with the scope for that, and nothing else', async () => {
    await using home = await makeHome();
    await using issuer = await startJwtIssuer();
    const config = { servers, agents: { codex: { servers: ['demo'] } } };
    await using hub = await startHub(home, config, ['--issuer', issuer.url]);
    const at = async (path: string, token: string, init: RequestInit = path.startsWith('/api') ? {} : GREETING) => {
      const answer = await hub.fetch(path, { ...init, token });
      return {
        status: answer.status,
        challenge: answer.headers.get('www-authenticate') ?? '',
        text: await answer.text(),
      };
    };
    const statuses = (token: string, ...paths: string[]) =>
      Promise.all(paths.map(async path => (await at(path, token)).status));
    const scope = 'junctor:tools';
    const codex = await issuer.token({ aud: `${hub.url}/mcp/codex`, scope });
    const paths = ['/mcp/codex', '/servers/demo/mcp', '/servers/other/mcp', '/mcp/cursor', '/api/status'];
    expect(await statuses(codex, ...paths)).toEqual([200, 200, 403, 403, 403]);
    const person = await issuer.token({ aud: [hub.url, 'https://elsewhere.example'], scope: 'openid junctor:person' });
    expect(await statuses(person, ...paths)).toEqual([200, 200, 200, 200, 200]);
    const server = await issuer.token({ aud: `${hub.url}/servers/demo/mcp`, scp: [scope] });
    expect(await statuses(server, ...paths)).toEqual([403, 200, 403, 403, 403]);
    const local = hub.url.replace('127.0.0.1', 'localhost');
    expect(await fetch(`${local}${WELL_KNOWN}`).then(answer => answer.json())).toMatchObject({ resource: local });

    const poor = await at('/mcp/codex', await issuer.token({ aud: `${hub.url}/mcp/codex`, scope: 'email' }));
    expect([poor.status, poor.challenge]).toEqual([
      403,
      `Bearer error="insufficient_scope", scope="junctor:tools", resource_metadata="${hub.url}${WELL_KNOWN}/mcp/codex"`,
    ]);
    const now = Math.floor(Date.now() / 1000);
    const { privateKey } = await generateKeyPair('ES256');
    const aud = `${hub.url}/mcp/codex`;
    const unsigned = (claims: object) =>
      [{ alg: 'none' }, { iss: issuer.url, exp: now + 300, aud, scope, ...claims }]
        .map(part => Buffer.from(JSON.stringify(part)).toString('base64url'))
        .concat('')
        .join('.');
    const bad: Record<string, string> = {
      expired: await issuer.token({ aud, scope, exp: now - 60 }),
      'without an end': await issuer.token({ aud, scope, exp: undefined }),
      'not good yet': await issuer.token({ aud, scope, nbf: now + 600 }),
      'for another hub': await issuer.token({ aud: 'https://hub.example.com/mcp/codex', scope }),
      'for another program here': await issuer.token({ aud: 'http://127.0.0.1:1/mcp/codex', scope }),
      'for nobody': await issuer.token({ scope }),
      'of another issuer': await issuer.token({ iss: 'https://other.example.com', aud, scope }),
      'signed by somebody else': await issuer.token({ aud, scope }, { signedBy: privateKey }),
      'with a key nobody published': await issuer.token({ aud, scope }, { kid: 'other' }),
      unsigned: unsigned({}),
      garbage: 'a.b.c',
    };
    for (const [what, token] of Object.entries(bad)) {
      const { status, challenge, text } = await at('/mcp/codex', token);
      expect([what, status], text).toEqual([what, 401]);
      expect(challenge, what).toMatch(
        /^Bearer error="invalid_token", error_description="[^"]+", scope="junctor:tools"/,
      );
      expect(challenge).toContain(`resource_metadata="${hub.url}${WELL_KNOWN}/mcp/codex"`);
    }
    const expired = (await at('/api/status', bad.expired as string)).text;
    expect(JSON.parse(expired).error).toMatchObject({ code: 'token_required', message: 'The token has expired.' });

    // New keys are found by themselves; those that are gone count no more once they were read again.
    await issuer.rotate();
    const fresh = await issuer.token({ aud, scope });
    await expect.poll(async () => (await at('/mcp/codex', fresh)).status).toBe(200);
    expect(issuer.reads()).toBeLessThan(10);
  });

  test('an issuer that is away, or says it is another, lets nobody in and is no reason to fail', async () => {
    await using home = await makeHome();
    await using issuer = await startJwtIssuer();
    const url = issuer.url.replace('127.0.0.1', 'localhost');
    await using hub = await startHub(home, { servers }, ['--issuer', url]);
    const token = await issuer.token({ iss: url, aud: hub.url, scope: 'junctor:person' });
    const refused = await hub.fetch('/api/status', { token });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await refused.json()).toMatchObject({
      error: { code: 'connection_failed', message: expect.stringContaining(url) },
    });
    expect((await hub.fetch('/api/status')).status).toBe(200);
    await using other = await makeHome();
    const careless = await junctor(other, ['hub', '--port', '0', '--issuer', 'http://issuer.example.com']);
    expect([careless.code, careless.stderr.includes('must begin with https://')]).toEqual([2, true]);
  });

  test('the library signs in to a hub like to any other server, and refreshes', async () => {
    await using home = await makeHome();
    await using authority = await startAuthority({ scopes: ['tools:read', 'junctor:tools'] });
    await using hub = await startHub(home, { servers }, ['--issuer', authority.issuer]);
    const url = `${hub.url}/mcp/codex`;
    authority.behaviour.alsoGuards = [url];
    authority.behaviour.accessTokenSeconds = 8;
    await using own = await makeHome();
    const config = { servers: { hub: { transport: 'http', url, trust: 'trusted' } } };
    await using host = await createHost({ data: own.data, config });
    await expect(host.collect('hub')).rejects.toMatchObject({ code: 'auth_required' });
    const signedIn = await signIn(host, 'hub', browser(authority));
    expect(signedIn).toMatchObject({ server: 'hub', issuer: authority.issuer, scope: 'junctor:tools' });
    const said = async (text: string) => (await host.call({ server: 'hub', tool: 'demo_echo' }, { text })).output;
    expect(await said('hello')).toBe('hello');
    // Its session goes on with the next token: the owner is the same.
    const before = authority.requests.tokens;
    await expect.poll(() => said('again').then(() => authority.requests.tokens)).toBe(before + 1);
    expect(await said('still')).toBe('still');
    expect(authority.faults).toEqual([]);
  });
});
