import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Host, signIn } from '@junctor/core';
import { promise } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { browser, echo, type Guarded, guardedServer } from './guarded.ts';

/** A host with somebody signed in. */
async function signedIn(guarded: Guarded, options: Parameters<Guarded['host']>[0] = {}): Promise<Host> {
  const host = await guarded.host(options);
  await signIn(host, 'guarded', browser(guarded.authority));
  return host;
}

/** A server that lets nobody in, whatever they show. */
async function refusing(issuer: string, onAsked: () => void): Promise<{ url: string } & AsyncDisposable> {
  const http = createServer((request, response) => {
    if (request.method === 'GET') {
      response.end(JSON.stringify({ resource: url, authorization_servers: [issuer] }));
      return;
    }
    onAsked();
    request.resume();
    response.writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${url}/about"` }).end();
  });
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
  return {
    url,
    async [Symbol.asyncDispose]() {
      await new Promise(resolve => http.close(resolve).closeAllConnections());
    },
  };
}

/** Makes the token in the file older than it is. */
async function backdate(guarded: Guarded, ms: number): Promise<void> {
  const { servers } = await guarded.stored();
  const entry = servers.guarded as Record<string, number>;
  const shifted = { obtained_at: Number(entry.obtained_at) - ms, expires_at: Number(entry.expires_at) - ms };
  await guarded.store({ guarded: { ...entry, ...shifted } });
}

describe('a token that is over', () => {
  promise('2.3j', 'is renewed without a person, when the server refuses it', async () => {
    await using guarded = await guardedServer();
    const host = await signedIn(guarded);
    const before = (await guarded.stored()).servers.guarded;
    guarded.authority.expireTokens();
    expect(await echo(host)).toBe('hello');
    expect(guarded.authority.requests).toMatchObject({ refreshes: 1, authorizations: 1 });
    const after = (await guarded.stored()).servers.guarded;
    expect(after?.access_token).not.toBe(before?.access_token);
    expect(after?.refresh_token).not.toBe(before?.refresh_token);
  });

  promise('2.3j', 'is renewed ahead of its end, before the server sees it', async () => {
    await using guarded = await guardedServer();
    await signedIn(guarded);
    await backdate(guarded, 3_560_000);
    guarded.authority.requests.unauthorized = 0;
    const host = await guarded.host();
    expect(await echo(host)).toBe('hello');
    expect(guarded.authority.requests).toMatchObject({ refreshes: 1, unauthorized: 0 });
    // It was renewed where it came from, without asking anybody who that is.
    expect(guarded.authority.tokenRequests.at(-1)).toMatchObject({
      grantType: 'refresh_token',
      params: { resource: guarded.authority.mcpUrl },
    });
  });

  test('is renewed once for many calls at once', async () => {
    await using guarded = await guardedServer();
    const host = await signedIn(guarded);
    await host.collect('guarded');
    guarded.authority.expireTokens();
    const texts = Array.from({ length: 20 }, (_, index) => `call ${index}`);
    expect(await Promise.all(texts.map(text => echo(host, text)))).toEqual(texts);
    expect(guarded.authority.requests).toMatchObject({ refreshes: 1, authorizations: 1 });
  });

  test('is renewed once for several hosts at once', async () => {
    await using guarded = await guardedServer();
    await signedIn(guarded);
    guarded.authority.expireTokens();
    const hosts = await Promise.all(Array.from({ length: 8 }, () => guarded.host()));
    expect(await Promise.all(hosts.map(host => echo(host)))).toEqual(hosts.map(() => 'hello'));
    expect(guarded.authority.requests.refreshes).toBe(1);
  });

  test('stays where the authorization server is down for a while, and is renewed later', async () => {
    await using guarded = await guardedServer();
    const host = await signedIn(guarded, { attempts: 1 });
    await host.collect('guarded');
    const before = (await guarded.stored()).servers.guarded;
    guarded.authority.expireTokens();
    guarded.authority.behaviour.tokenEndpointDown = true;
    await expect(echo(host)).rejects.toMatchObject({
      code: 'connection_failed',
      message: "The authorization server of server 'guarded' cannot answer now.",
    });
    expect((await guarded.stored()).servers.guarded).toEqual(before);
    expect(host.links.state('guarded').kind).toBe('ready');
    guarded.authority.behaviour.tokenEndpointDown = false;
    expect(await echo(host)).toBe('hello');
  });

  test('is used to its end where it cannot be renewed early', async () => {
    await using guarded = await guardedServer();
    await signedIn(guarded);
    await backdate(guarded, 3_560_000);
    guarded.authority.behaviour.tokenEndpointDown = true;
    const host = await guarded.host();
    expect(await echo(host)).toBe('hello');
  });

  test('that is being renewed while the host closes is not lost', async () => {
    await using guarded = await guardedServer();
    const host = await signedIn(guarded);
    await host.collect('guarded');
    guarded.authority.expireTokens();
    const call = echo(host).catch(() => 'given up');
    await expect.poll(() => guarded.authority.requests.refreshes).toBe(1);
    await host.close();
    await call;
    expect(await echo(await guarded.host())).toBe('hello');
    expect(guarded.authority.requests).toMatchObject({ refreshes: 1, authorizations: 1 });
  });

  test('is no reason to renew for whoever finds another in the file', async () => {
    await using guarded = await guardedServer();
    const host = await signedIn(guarded);
    await host.collect('guarded');
    guarded.authority.expireTokens();
    const other = await signedIn(guarded);
    expect(await echo(other)).toBe('hello');
    expect(await echo(host)).toBe('hello');
    expect(guarded.authority.requests.refreshes).toBe(0);
  });
});

describe('a server that needs a login', () => {
  promise(['7.4e', '2.11g'], 'is parked, announced once, and not asked again before somebody signed in', async () => {
    await using guarded = await guardedServer();
    const { authority } = guarded;
    const host = await signedIn(guarded, { attempts: 5 });
    await host.collect('guarded');
    const announced: object[] = [];
    const states: string[] = [];
    host.events.on('auth-required', event => announced.push(event));
    host.events.on('state-changed', ({ state }) => states.push(state.kind));
    authority.revoke();
    authority.requests.unauthorized = 0;
    const parked = { code: 'auth_required', command: 'junctor mcp login guarded' };
    for (let time = 0; time < 5; time++) await expect(echo(host)).rejects.toMatchObject(parked);
    await host.tools();
    await expect(host.collect('guarded')).resolves.toBeDefined();
    expect(announced).toEqual([
      { type: 'auth-required', server: 'guarded', hint: expect.stringContaining('signIn(host') },
    ]);
    expect(states).toEqual(['auth_required']);
    expect(authority.requests).toMatchObject({ unauthorized: 1, refreshes: 1 });
    expect(host.failures()).toMatchObject([
      { server: 'guarded', error: { why: expect.stringContaining('invalid_grant') } },
    ]);
    await signIn(host, 'guarded', browser(authority));
    expect(await echo(host)).toBe('hello');
  });

  promise('7.4e', 'from the start is asked once, and seen again when another process signs in', async () => {
    await using guarded = await guardedServer();
    const { authority } = guarded;
    const host = await guarded.host();
    const announced: string[] = [];
    host.events.on('auth-required', ({ server }) => announced.push(server));
    for (let time = 0; time < 3; time++) {
      await expect(host.collect('guarded')).rejects.toMatchObject({ code: 'auth_required' });
      await host.tools();
    }
    expect([announced, authority.requests.unauthorized]).toEqual([['guarded'], 1]);
    await signedIn(guarded);
    expect(await echo(host)).toBe('hello');
  });

  test('is parked where even a new token is refused', async () => {
    await using guarded = await guardedServer();
    const { authority } = guarded;
    let asked = 0;
    await using never = await refusing(authority.issuer, () => asked++);
    const host = await guarded.host({ server: { url: never.url, oauth: { resource: authority.mcpUrl } } });
    await signIn(host, 'guarded', browser(authority));
    asked = 0;
    for (let time = 0; time < 3; time++) await expect(echo(host)).rejects.toMatchObject({ code: 'auth_required' });
    expect([authority.requests.refreshes, asked]).toEqual([1, 2]);
  });

  test('goes on with its other calls until they are over', async () => {
    await using guarded = await guardedServer();
    const host = await signedIn(guarded);
    await host.collect('guarded');
    const { promise: running, resolve } = Promise.withResolvers<void>();
    const slow = host.call({ server: 'guarded', tool: 'slow' }, { ms: 500 }, { onProgress: () => resolve() });
    await running;
    guarded.authority.revoke();
    await expect(echo(host)).rejects.toMatchObject({ code: 'auth_required' });
    expect((await slow).success).toBe(true);
  });
});

describe('another issuer', () => {
  promise('9.9b', 'gets neither the tokens nor the client of the one before', async () => {
    await using guarded = await guardedServer();
    const { authority } = guarded;
    const host = await signedIn(guarded);
    await host.collect('guarded');
    const first = authority.issuer;
    const old = (await guarded.stored()).servers.guarded;
    await authority.moveIssuer();
    await expect(echo(host)).rejects.toMatchObject({
      code: 'auth_required',
      why: `you signed in at ${first}, and it now asks for a sign-in at ${authority.issuer}`,
    });
    expect(authority.requests.refreshes).toBe(0);
    await signIn(host, 'guarded', browser(authority));
    expect(await echo(host)).toBe('hello');
    expect(authority.registrations).toHaveLength(2);
    // Nor where the config names another one: then not even the server itself gets what is stored.
    authority.requests.unauthorized = 0;
    const other = await guarded.host({ server: { oauth: { issuer: 'https://login.example' } } });
    await expect(echo(other)).rejects.toMatchObject({ code: 'sign_in_failed' });
    expect(authority.requests.unauthorized).toBeGreaterThan(0);
    const toNew = authority.tokenRequests.filter(({ issuer }) => issuer === authority.issuer);
    expect(JSON.stringify(toNew)).not.toContain(String(old?.client_id));
    expect((await guarded.stored()).servers.guarded).toMatchObject({ issuer: authority.issuer });
  });

  test('is not given the secret of the config without a word', async () => {
    await using guarded = await guardedServer({ registration: false });
    const { authority } = guarded;
    const host = await guarded.host({ server: { oauth: authority.clients.basic } });
    await signIn(host, 'guarded', browser(authority));
    await authority.moveIssuer();
    await expect(signIn(host, 'guarded', browser(authority))).rejects.toMatchObject({
      code: 'sign_in_failed',
      hint: `if it has really moved, set oauth.issuer of this server to "${authority.issuer}"`,
    });
    expect(authority.tokenRequests).toHaveLength(1);
  });
});
