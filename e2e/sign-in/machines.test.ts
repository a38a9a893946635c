import { authStatus, signIn } from '@junctor/core';
import { makeHome, promise } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { echo, guardedServer } from './guarded.ts';

const nobody = { visit: () => expect.unreachable('a machine has no person to turn to') };

describe('a machine', () => {
  promise('2.3o', 'signs in with its client credentials, without a person', async () => {
    await using guarded = await guardedServer();
    const { authority } = guarded;
    const oauth = { grant_type: 'client_credentials', ...authority.clients.machine };
    const host = await guarded.host({ server: { oauth }, signIn: nobody });
    expect(await echo(host)).toBe('hello');
    expect(authority.tokenRequests).toMatchObject([
      { grantType: 'client_credentials', clientAuth: 'client_secret_basic', params: { resource: authority.mcpUrl } },
    ]);
    // Whoever comes later uses the same token.
    expect(await echo(await guarded.host({ server: { oauth } }))).toBe('hello');
    expect(authority.tokenRequests).toHaveLength(1);
    authority.expireTokens();
    expect(await echo(host, 'renewed')).toBe('renewed');
    expect(authority.requests).toMatchObject({ tokens: 2, refreshes: 0, authorizations: 0, registrations: 0 });
    expect((await guarded.stored()).servers.guarded).not.toHaveProperty('client_secret');
  });

  promise('2.3o', 'signs in with a key, given as a reference to a secret', async () => {
    await using guarded = await guardedServer();
    await using home = await makeHome();
    const { authority } = guarded;
    const { client_id, privateKey } = authority.clients.machineJwt;
    const env = { ...home.env, MACHINE_KEY: privateKey.export({ format: 'pem', type: 'pkcs8' }) as string };
    const oauth = { grant_type: 'client_credentials', client_id, private_key: '${MACHINE_KEY}' };
    const surroundings = { cwd: home.project, home: home.path, env, platform: process.platform };
    const host = await guarded.host({ server: { oauth }, surroundings });
    expect(await echo(host)).toBe('hello');
    expect(authority.tokenRequests).toMatchObject([{ grantType: 'client_credentials', clientAuth: 'private_key_jwt' }]);
  });

  test('many calls at once fetch one token', async () => {
    await using guarded = await guardedServer();
    const oauth = { grant_type: 'client_credentials', ...guarded.authority.clients.machine };
    const host = await guarded.host({ server: { oauth } });
    const texts = Array.from({ length: 10 }, (_, index) => `call ${index}`);
    expect(await Promise.all(texts.map(text => echo(host, text)))).toEqual(texts);
    expect(guarded.authority.requests.tokens).toBe(1);
  });

  test('that is refused says why, and does not ask again and again', async () => {
    await using guarded = await guardedServer();
    const { client_id } = guarded.authority.clients.machine;
    const oauth = { grant_type: 'client_credentials', client_id, client_secret: 'not-the-right-secret' };
    const host = await guarded.host({ server: { oauth } });
    const error = await echo(host).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'sign_in_failed', why: expect.stringContaining('invalid_client') });
    expect(JSON.stringify(error)).not.toContain('not-the-right-secret');
  });

  test('without a client is told what is missing', async () => {
    await using guarded = await guardedServer();
    const host = await guarded.host({ server: { oauth: { grant_type: 'client_credentials' } } });
    await expect(echo(host)).rejects.toMatchObject({
      code: 'config_invalid',
      hint: 'set oauth.client_id, and oauth.client_secret or oauth.private_key',
    });
  });

  test('signs in when asked to, and says so', async () => {
    await using guarded = await guardedServer();
    const oauth = { grant_type: 'client_credentials', ...guarded.authority.clients.machine };
    const host = await guarded.host({ server: { oauth } });
    expect(await signIn(host, 'guarded', nobody)).toMatchObject({
      server: 'guarded',
      issuer: guarded.authority.issuer,
    });
    expect(await authStatus(host)).toMatchObject([{ server: 'guarded', state: 'signed_in', refreshable: true }]);
  });
});
