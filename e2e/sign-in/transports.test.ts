import { createHost, signIn } from '@junctor/core';
import { trusted } from '@junctor/testkit';
import { serveSse, serveWs } from '@junctor/testkit/test-server';
import { describe, expect, test } from 'vitest';
import { bearerGate } from './bearer-gate.ts';
import { browser, echo, guardedServer } from './guarded.ts';

describe.each([
  ['sse', serveSse],
  ['ws', serveWs],
] as const)('over %s', (transport, serve) => {
  test('a person signs in, tokens are renewed, and a lost sign-in parks the server', async () => {
    await using guarded = await guardedServer();
    const { authority, home } = guarded;
    const behind = await serve(0, {});
    await using gate = await bearerGate(authority, behind.url);
    // The rig gives out tokens for one address only.
    const server = trusted({ transport, url: gate.url, oauth: { resource: authority.mcpUrl } });
    const config = { servers: { guarded: server } };
    try {
      await using host = await createHost({ data: home.data, config });
      await expect(host.collect('guarded')).rejects.toMatchObject({ code: 'auth_required' });
      await signIn(host, 'guarded', browser(authority));
      expect(await echo(host)).toBe('hello');

      authority.expireTokens();
      await host.links.reconnect('guarded');
      expect(await echo(host, 'renewed')).toBe('renewed');
      expect(authority.requests).toMatchObject({ refreshes: 1, authorizations: 1 });

      authority.revoke();
      await expect(host.links.reconnect('guarded')).rejects.toMatchObject({ code: 'auth_required' });
      const refused = gate.refused();
      await expect(echo(host)).rejects.toMatchObject({ code: 'auth_required' });
      expect([host.links.state('guarded').kind, gate.refused()]).toEqual(['auth_required', refused]);
      await signIn(host, 'guarded', browser(authority));
      expect(await echo(host, 'again')).toBe('again');
    } finally {
      await behind.close();
    }
  });

  test('a host with somebody to turn to signs in while it connects', async () => {
    await using guarded = await guardedServer();
    const { authority, home } = guarded;
    const behind = await serve(0, {});
    await using gate = await bearerGate(authority, behind.url);
    const server = trusted({ transport, url: gate.url, oauth: { resource: authority.mcpUrl } });
    try {
      await using host = await createHost({
        data: home.data,
        signIn: browser(authority),
        config: { servers: { guarded: server } },
      });
      expect(await echo(host)).toBe('hello');
    } finally {
      await behind.close();
    }
  });
});
