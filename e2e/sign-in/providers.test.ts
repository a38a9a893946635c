import { setTimeout as sleep } from 'node:timers/promises';
import { createHost, signIn } from '@junctor/core';
import { promise, trusted } from '@junctor/testkit';
import { serveHttp } from '@junctor/testkit/test-server';
import { describe, expect, test } from 'vitest';
import { browser, echo, guardedServer } from './guarded.ts';

describe('an auth provider', () => {
  promise(['2.4k', '1.2z'], 'of the embedding program is chosen by its id', async () => {
    await using guarded = await guardedServer();
    const { authority } = guarded;
    await signIn(await guarded.host(), 'guarded', browser(authority));
    const stored = async (): Promise<string> => String((await guarded.stored()).servers.guarded?.access_token);
    let token: string | undefined = 'not a token';
    const refused: object[] = [];
    const host = await guarded.host({
      server: { auth_provider: 'mine' },
      authProvidersById: {
        other: { token: () => expect.unreachable() },
        mine: {
          token: async () => token,
          async onUnauthorized(context) {
            refused.push(context);
            token = await stored();
          },
        },
      },
    });
    expect(await echo(host)).toBe('hello');
    expect(refused).toEqual([
      expect.objectContaining({
        server: 'guarded',
        url: authority.mcpUrl,
        status: 401,
        resourceMetadata: expect.any(String),
      }),
    ]);
  });

  promise('2.4m', 'may be an OAuthClientProvider of an SDK; one that is neither is named as such', async () => {
    await using guarded = await guardedServer();
    await signIn(await guarded.host(), 'guarded', browser(guarded.authority));
    const access_token = String((await guarded.stored()).servers.guarded?.access_token);
    const server = { auth_provider: 'sdk' };
    const provider = { tokens: async () => ({ access_token, token_type: 'Bearer' }) };
    expect(await echo(await guarded.host({ server, authProvidersById: { sdk: provider } }))).toBe('hello');
    const neither = { authorize: () => access_token } as never;
    await expect(echo(await guarded.host({ server, authProvidersById: { sdk: neither } }))).rejects.toMatchObject({
      code: 'sign_in_failed',
      why: expect.stringContaining('it has neither token()'),
    });
  });

  test('is asked once, however many calls its token was refused to', async () => {
    await using guarded = await guardedServer();
    await signIn(await guarded.host(), 'guarded', browser(guarded.authority));
    const good = String((await guarded.stored()).servers.guarded?.access_token);
    let token = good;
    let asked = 0;
    const host = await guarded.host({
      server: { auth_provider: 'mine' },
      authProvidersById: {
        mine: {
          token: () => token,
          async onUnauthorized() {
            asked++;
            await sleep(50);
            token = good;
          },
        },
      },
    });
    expect(await echo(host)).toBe('hello');
    token = 'over';
    expect(await Promise.all(['a', 'b', 'c', 'd', 'e'].map(text => echo(host, text)))).toEqual([
      'a',
      'b',
      'c',
      'd',
      'e',
    ]);
    expect(asked).toBe(1);
  });

  test('may answer at once', async () => {
    await using guarded = await guardedServer();
    await signIn(await guarded.host(), 'guarded', browser(guarded.authority));
    const good = String((await guarded.stored()).servers.guarded?.access_token);
    let token = 'over';
    const onUnauthorized = (): void => {
      token = good;
    };
    const mine = { token: () => token, onUnauthorized };
    const host = await guarded.host({ server: { auth_provider: 'mine' }, authProvidersById: { mine } });
    expect(await echo(host)).toBe('hello');
  });

  promise('2.4l', 'that nobody passed in is an error on that server, and on no other', async () => {
    await using guarded = await guardedServer();
    const open = await serveHttp(0, {});
    try {
      await using host = await createHost({
        data: guarded.home.data,
        authProvidersById: { github: { token: () => 'token' } },
        config: {
          servers: {
            guarded: trusted({ transport: 'http', url: guarded.authority.mcpUrl, auth_provider: 'gitlab' }),
            open: trusted({ transport: 'http', url: open.url }),
          },
        },
      });
      await expect(host.collect('guarded')).rejects.toMatchObject({
        code: 'server_unusable',
        message: "Server 'guarded' wants auth provider 'gitlab', and there is none.",
        why: 'passed in were: github',
        hint: expect.stringContaining('authProvidersById'),
      });
      expect((await host.tools()).every(({ server }) => server === 'open')).toBe(true);
      expect(host.links.state('open').kind).toBe('ready');
    } finally {
      await open.close();
    }
  });

  test('whose token is refused again parks the server until it has another', async () => {
    await using guarded = await guardedServer();
    let token = 'wrong';
    const host = await guarded.host({
      server: { auth_provider: 'mine' },
      authProvidersById: { mine: { token: () => token } },
    });
    for (let time = 0; time < 2; time++) {
      await expect(echo(host)).rejects.toMatchObject({
        code: 'auth_required',
        message: "Server 'guarded' refused the token of auth provider 'mine'.",
      });
    }
    expect(guarded.authority.requests.unauthorized).toBe(1);
    await signIn(await guarded.host(), 'guarded', browser(guarded.authority));
    token = String((await guarded.stored()).servers.guarded?.access_token);
    expect(await echo(host)).toBe('hello');
  });
});

test('a header of the config is never overridden', async () => {
  await using guarded = await guardedServer();
  const { authority } = guarded;
  await signIn(await guarded.host(), 'guarded', browser(authority));
  const host = await guarded.host({
    server: { headers: { Authorization: 'Bearer of-the-config' } },
    signIn: browser(authority),
  });
  await expect(echo(host)).rejects.toMatchObject({
    code: 'auth_required',
    message: "Server 'guarded' refused its Authorization header.",
  });
  expect(authority.requests).toMatchObject({ authorizations: 1, refreshes: 0 });
});
