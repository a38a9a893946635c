import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { junctor, locked, promise, serveMisbehaving } from '@junctor/testkit';
import { type AuthorityOptions, makeBrowserProgram, startAuthority } from '@junctor/testkit/authority';
import { serveHttp } from '@junctor/testkit/test-server';
import { describe, expect, test } from 'vitest';
import { doctor, houseOf, outcomes, server, step } from './doctor-report.ts';

describe('a server that asks for a sign-in', () => {
  async function guarded(options: AuthorityOptions, oauth?: object) {
    const authority = await startAuthority(options);
    const definition = { transport: 'http', url: authority.mcpUrl, ...(oauth ? { oauth } : {}) };
    const home = await houseOf({ guarded: definition });
    return {
      authority,
      home,
      async [Symbol.asyncDispose]() {
        await authority.close();
        await home[Symbol.asyncDispose]();
      },
    };
  }

  promise('7.13c', 'tells what its metadata offer, and whether somebody has signed in', async () => {
    await using world = await guarded({ deviceFlow: true });
    const { home, authority } = world;
    const before = await doctor(home, ['guarded']);
    expect([before.code, outcomes(before, 'guarded'), server(before, 'guarded').fix]).toEqual([
      3,
      { config: 'ok', address: 'ok', greeted: 'no', auth: 'no' },
      ['junctor mcp login guarded'],
    ]);
    const metadata = {
      asks: true,
      issuer: authority.issuer,
      resource_metadata: true,
      authorization_metadata: true,
      registration: ['dynamic'],
      pkce_s256: true,
      device_code: true,
    };
    expect(step(before, 'guarded', 'auth')).toMatchObject({
      ...metadata,
      state: 'signed_out',
      detail: 'it asks you to sign in',
      lines: [
        'says who guards it (RFC 9728): yes',
        `authorization server: ${authority.issuer}`,
        'new clients: by registration',
        'PKCE S256: yes; device code: yes',
      ],
    });
    // Looking is not registering.
    expect(authority.requests).toMatchObject({ registrations: 0, authorizations: 0, tokens: 0 });

    const browser = await makeBrowserProgram(home);
    expect((await junctor(home, ['mcp', 'login', 'guarded', '--yes'], { env: browser.env })).code).toBe(0);
    const { access_token } = JSON.parse(await readFile(join(home.data, 'mcp-auth.json'), 'utf8')).servers.guarded;
    const text = (await junctor(home, ['doctor', 'guarded'])).stdout;
    const after = await doctor(home, ['guarded']);
    expect([after.code, step(after, 'guarded', 'eras').uses]).toEqual([0, '2026-07-28']);
    expect(step(after, 'guarded', 'auth')).toMatchObject({
      ...metadata,
      state: 'signed_in',
      detail: expect.stringMatching(/^signed in until \d{4}-/),
    });
    expect(`${text}${JSON.stringify(after)}`).not.toContain(access_token);

    authority.revoke();
    const revoked = await doctor(home, ['guarded']);
    expect([revoked.code, server(revoked, 'guarded').fix]).toEqual([3, ['junctor mcp login guarded']]);
  });

  promise('7.13c', 'tells what makes a sign-in impossible', async () => {
    await using closed = await guarded({ registration: false });
    const report = await doctor(closed.home, ['guarded']);
    expect([report.code, server(report, 'guarded').fix]).toEqual([
      1,
      [`register a client at ${closed.authority.issuer}, and put it into oauth.client_id of this server`],
    ]);
    await using own = await guarded({ registration: false }, { client_id: 'ours' });
    const registered = await doctor(own.home, ['guarded']);
    expect([registered.code, step(registered, 'guarded', 'auth').registration]).toEqual([3, ['config']]);

    await using older = await guarded({ fallback: true });
    expect(step(await doctor(older.home, ['guarded']), 'guarded', 'auth')).toMatchObject({
      resource_metadata: false,
      authorization_metadata: true,
    });

    await using web = await serveMisbehaving(locked);
    await using home = await houseOf({
      locked: { transport: 'http', url: web.url },
      key: { transport: 'http', url: web.url, headers: { Authorization: 'Bearer a-key-of-ours-12345' } },
    });
    const nowhere = await doctor(home);
    expect([nowhere.code, step(nowhere, 'locked', 'auth').outcome, server(nowhere, 'locked').fix[0]]).toEqual([
      1,
      'no',
      expect.stringContaining('headers.Authorization'),
    ]);
    expect(server(nowhere, 'key').fix[0]).toContain('put a token that is still good there');
    expect(JSON.stringify(nowhere)).not.toContain('a-key-of-ours');
  });

  test('is none where nobody is asked who he is', async () => {
    await using open = new AsyncDisposableStack();
    const http = open.adopt(await serveHttp(0, {}), one => one.close());
    await using home = await houseOf({ open: { transport: 'http', url: http.url } });
    const report = await doctor(home);
    expect([report.code, step(report, 'open', 'auth').detail]).toEqual([0, 'it asks for no sign-in']);
  });
});
