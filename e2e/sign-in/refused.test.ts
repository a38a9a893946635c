import { signIn } from '@junctor/core';
import { promise } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { browser, guardedServer } from './guarded.ts';

describe('a sign-in is refused', () => {
  test.for([
    ['wrong', 'does not come from'],
    ['missing', 'does not come from'],
  ] as const)('where the issuer in the answer is %s', async ([iss, why]) => {
    await using guarded = await guardedServer({ behaviour: { iss } });
    const host = await guarded.host();
    await expect(signIn(host, 'guarded', browser(guarded.authority))).rejects.toMatchObject({
      code: 'sign_in_failed',
      why: expect.stringContaining(why),
    });
    expect(guarded.authority.tokenRequests).toEqual([]);
    await expect(guarded.stored()).rejects.toThrow();
  });

  test('where the state that was pasted is another', async () => {
    await using guarded = await guardedServer({ behaviour: { state: 'wrong' } });
    const { authority } = guarded;
    const host = await guarded.host();
    const { promise: address, resolve } = Promise.withResolvers<string>();
    const sign = signIn(host, 'guarded', {
      visit: async url => resolve((await authority.browser.visit(url, { follow: false })).url),
      pasted: () => address,
    });
    await expect(sign).rejects.toMatchObject({
      code: 'sign_in_failed',
      why: expect.stringContaining('its state is another'),
    });
    expect(authority.tokenRequests).toEqual([]);
  });

  test('where the person says no', async () => {
    await using guarded = await guardedServer();
    const host = await guarded.host();
    await expect(signIn(host, 'guarded', browser(guarded.authority, { consent: false }))).rejects.toMatchObject({
      code: 'sign_in_failed',
      why: expect.stringContaining('access_denied'),
    });
  });

  test('where another issuer than that of the config is named', async () => {
    await using guarded = await guardedServer();
    const host = await guarded.host({ server: { oauth: { issuer: 'https://login.example' } } });
    await expect(signIn(host, 'guarded', browser(guarded.authority))).rejects.toMatchObject({
      code: 'sign_in_failed',
      why: `it names the authorization server ${guarded.authority.issuer}, and oauth.issuer is https://login.example`,
    });
    expect(guarded.authority.requests.registrations).toBe(0);
  });

  test('where Junctor starts the server itself, and nobody is there to ask', async () => {
    await using guarded = await guardedServer();
    const server = { url: 'http://127.0.0.1:${PORT}/mcp', command: 'no-such-program' };
    await expect(signIn(await guarded.host({ server }), 'guarded', { visit() {} })).rejects.toMatchObject({
      code: 'usage',
      message: "Server 'guarded' cannot be signed in to on its own.",
    });
  });

  test.for(['token_url', 'authorization_url', 'issuer', 'redirect_uri'])('where oauth.%s is no address', async key => {
    await using guarded = await guardedServer();
    const host = await guarded.host({ server: { oauth: { [key]: 'login.example' } } });
    await expect(signIn(host, 'guarded', browser(guarded.authority))).rejects.toMatchObject({
      code: 'config_invalid',
      message: `oauth.${key} of server 'guarded' is not an address.`,
    });
  });

  test('where visiting the page fails, and its port is free again', async () => {
    await using guarded = await guardedServer();
    const host = await guarded.host();
    let port = 0;
    const visit = (url: URL): void => {
      port = Number(new URL(url.searchParams.get('redirect_uri') ?? '').port);
      throw new Error('the person said no');
    };
    await expect(signIn(host, 'guarded', { visit })).rejects.toThrow('the person said no');
    await expect(fetch(`http://127.0.0.1:${port}/callback`)).rejects.toThrow('fetch failed');
  });

  test('when the host closes while it waits', async () => {
    await using guarded = await guardedServer();
    const host = await guarded.host();
    const { promise: visited, resolve } = Promise.withResolvers<void>();
    const waiting = signIn(host, 'guarded', { visit: () => resolve() });
    const refused = expect(waiting).rejects.toThrow();
    await visited;
    await host.close();
    await refused;
  });

  promise('2.3p', 'by nobody, where the server has no metadata: a plain error says what to set', async () => {
    await using guarded = await guardedServer({ metadata: 'none', resourceMetadata: 'none' });
    const plain = {
      code: 'connection_failed',
      message: "Server 'guarded' refused the request: it wants credentials.",
      hint: expect.stringContaining('headers.Authorization'),
    };
    const person = browser(guarded.authority);
    for (const interaction of [undefined, person]) {
      const host = await guarded.host(interaction ? { signIn: interaction } : {});
      const announced: string[] = [];
      host.events.on('auth-required', ({ server }) => announced.push(server));
      await expect(host.collect('guarded')).rejects.toMatchObject(plain);
      expect([host.links.state('guarded').kind, announced, person.visited]).toEqual(['error', [], []]);
      if (interaction) await expect(signIn(host, 'guarded', interaction)).rejects.toMatchObject(plain);
    }
    expect([person.visited, guarded.authority.requests.authorizations]).toEqual([[], 0]);
  });

  promise('1.2n', 'by nobody, where oauth is false: nothing is looked for, sent or asked', async () => {
    await using guarded = await guardedServer();
    const { authority } = guarded;
    // Whoever signed in before is not signed in here either.
    await signIn(await guarded.host(), 'guarded', browser(authority));
    const before = { ...authority.requests };
    const person = browser(authority);
    const host = await guarded.host({ server: { oauth: false }, signIn: person, attempts: 1 });
    const announced: string[] = [];
    host.events.on('auth-required', ({ server }) => announced.push(server));
    await expect(host.collect('guarded')).rejects.toMatchObject({ code: 'connection_failed' });
    await expect(signIn(host, 'guarded', person)).rejects.toMatchObject({ code: 'usage' });
    expect([host.links.state('guarded').kind, announced, person.visited]).toEqual(['error', [], []]);
    const { unauthorized: _refused, ...asked } = authority.requests;
    expect(before).toMatchObject(asked);
    expect(authority.requests.unauthorized).toBeGreaterThan(before.unauthorized);
  });

  test.for([
    [{ oauth: false }, 'oauth is false'],
    [{ headers: { Authorization: 'Bearer of-the-config' } }, 'Authorization header'],
    [{ auth_provider: 'mine' }, 'auth provider'],
  ] as const)('where the config wants none: %o', async ([server, why]) => {
    await using guarded = await guardedServer();
    const host = await guarded.host({ server, authProvidersById: { mine: { token: () => undefined } } });
    await expect(signIn(host, 'guarded', { visit() {} })).rejects.toMatchObject({
      code: 'usage',
      why: expect.stringContaining(why),
    });
  });
});

test('a program on this machine takes no sign-in', async () => {
  await using guarded = await guardedServer();
  const host = await guarded.host({ config: { servers: { local: { transport: 'stdio', command: 'true' } } } });
  await expect(signIn(host, 'local', { visit() {} })).rejects.toMatchObject({
    code: 'usage',
    why: expect.stringContaining('through env'),
  });
});
