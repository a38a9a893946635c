import { authStatus, createHost, signIn, signOut } from '@junctor/core';
import { promise } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { browser, echo, guardedServer } from './guarded.ts';

describe('accounts', () => {
  promise(['2.4d', '7.4d'], 'of one server are kept apart, and chosen between', async () => {
    await using guarded = await guardedServer();
    const { authority } = guarded;
    const plain = await guarded.host();
    await signIn(plain, 'guarded', browser(authority, { account: 'ada' }));
    expect(
      await signIn(plain, 'guarded', { ...browser(authority, { account: 'ben' }), account: 'work' }),
    ).toMatchObject({
      server: 'guarded',
      account: 'work',
    });
    const { servers } = await guarded.stored();
    expect(Object.keys(servers)).toEqual(['guarded', 'guarded#work']);
    expect(servers.guarded?.access_token).not.toBe(servers['guarded#work']?.access_token);
    expect(await authStatus(plain)).toMatchObject([
      { server: 'guarded', state: 'signed_in' },
      { server: 'guarded', account: 'work', state: 'signed_in' },
    ]);
    // Ending the grant of one shows which of them is in use.
    const work = await guarded.host({ server: { account: 'work' } });
    expect([await echo(plain), await echo(work)]).toEqual(['hello', 'hello']);
    authority.revoke(authority.tokenRequests[0]?.grantId);
    await expect(echo(plain)).rejects.toMatchObject({ code: 'auth_required' });
    expect(await echo(work)).toBe('hello');
    await signIn(work, 'guarded', browser(authority, { account: 'ben' }));
    expect(Object.keys((await guarded.stored()).servers)).toEqual(['guarded', 'guarded#work']);
  });

  test('are signed out one by one or together, and the authorization server is told', async () => {
    await using guarded = await guardedServer();
    const { authority } = guarded;
    const host = await guarded.host();
    for (const account of [undefined, 'work', 'home']) {
      await signIn(host, 'guarded', { ...browser(authority, { account: account ?? 'ada' }), account });
    }
    expect(await echo(host)).toBe('hello');
    const token = String((await guarded.stored()).servers.guarded?.access_token);
    expect(await signOut(host, 'guarded')).toEqual(['guarded']);
    await expect(echo(host)).rejects.toMatchObject({ code: 'auth_required' });
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    expect((await fetch(authority.mcpUrl, { method: 'POST', body: '{}', headers })).status).toBe(401);
    expect(await signOut(host, 'guarded', { account: 'work' })).toEqual(['guarded#work']);
    expect(await signOut(host, 'guarded', { all: true })).toEqual(['guarded#home']);
    expect(await signOut(host, 'guarded', { all: true })).toEqual([]);
    expect((await guarded.stored()).servers).toEqual({});
  });

  test('and their state', async () => {
    await using guarded = await guardedServer();
    const day = 24 * 60 * 60_000;
    const tokens = { access_token: 'token-of-the-test', server_url: guarded.authority.mcpUrl };
    await guarded.store({
      guarded: { ...tokens, expires_at: Date.now() - day },
      'guarded#kept': { ...tokens, expires_at: Date.now() - day, refresh_token: 'refresh-of-the-test' },
      'guarded#elsewhere': { ...tokens, server_url: 'https://elsewhere.example/mcp' },
    });
    await using host = await createHost({
      data: guarded.home.data,
      authProvidersById: { mine: { token: () => 'token' } },
      config: {
        servers: {
          guarded: { transport: 'http', url: guarded.authority.mcpUrl },
          header: { transport: 'http', url: 'http://127.0.0.1:9/', headers: { authorization: 'Bearer x' } },
          provided: { transport: 'http', url: 'http://127.0.0.1:9/', auth_provider: 'mine' },
          never: { transport: 'http', url: 'http://127.0.0.1:9/', oauth: false },
          unknown: { transport: 'http', url: 'http://127.0.0.1:9/' },
          local: { transport: 'stdio', command: 'true' },
        },
      },
    });
    expect(await authStatus(host)).toEqual([
      { server: 'guarded', state: 'expired', expires_at: expect.any(Number), refreshable: false },
      { server: 'guarded', account: 'kept', state: 'signed_in', expires_at: expect.any(Number), refreshable: true },
      { server: 'header', state: 'header' },
      { server: 'provided', state: 'elsewhere' },
      { server: 'never', state: 'not_needed' },
      { server: 'unknown', state: 'signed_out' },
      { server: 'local', state: 'not_needed' },
    ]);
  });
});
