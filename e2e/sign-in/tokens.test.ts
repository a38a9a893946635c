import { readdir, readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { authStatus, createHost, signIn } from '@junctor/core';
import { Log, Redactor } from '@junctor/core/light';
import { junctor, promise, trusted } from '@junctor/testkit';
import { serveHttp } from '@junctor/testkit/test-server';
import { describe, expect, test } from 'vitest';
import { callFromProcesses, callFromThreads } from './callers.ts';
import { browser, echo, guardedServer } from './guarded.ts';

describe('mcp-auth.json', () => {
  promise(['2.4a', '2.4c', '2.4f'], 'holds the tokens in the format of codelia, for their owner alone', async () => {
    await using guarded = await guardedServer();
    const host = await guarded.host();
    const before = Date.now();
    await signIn(host, 'guarded', browser(guarded.authority));
    const { version, servers } = await guarded.stored();
    expect(version).toBe(1);
    expect(servers.guarded).toMatchObject({
      access_token: expect.any(String),
      refresh_token: expect.any(String),
      expires_at: expect.any(Number),
      token_type: 'Bearer',
      scope: expect.stringContaining('tools:read'),
      client_id: expect.any(String),
      issuer: guarded.authority.issuer,
      server_url: guarded.authority.mcpUrl,
    });
    const expiresAt = Number(servers.guarded?.expires_at);
    expect([expiresAt >= before + 3_600_000, expiresAt <= Date.now() + 3_600_000]).toEqual([true, true]);
    expect((await stat(join(guarded.home.data, 'mcp-auth.json'))).mode & 0o777).toBe(0o600);
    // It is replaced whole: nothing half-written and no lock stays behind.
    const files = (await readdir(guarded.home.data)).filter(name => name.includes('mcp-auth'));
    expect(files).toEqual(['mcp-auth.json']);
  });

  promise('2.4f', 'is closed to others even where it was open before', async () => {
    await using guarded = await guardedServer();
    const file = await guarded.store({});
    expect((await stat(file)).mode & 0o077).not.toBe(0);
    await signIn(await guarded.host(), 'guarded', browser(guarded.authority));
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  promise('2.4f', 'is never seen half written', async () => {
    await using guarded = await guardedServer();
    const host = await guarded.host();
    await signIn(host, 'guarded', browser(guarded.authority));
    let reading = true;
    const seen = (async () => {
      const tokens = new Set<unknown>();
      while (reading) tokens.add((await guarded.stored()).servers.guarded?.access_token);
      return tokens;
    })();
    for (let round = 0; round < 10; round++) {
      guarded.authority.expireTokens();
      await echo(host);
    }
    reading = false;
    expect((await seen).size).toBeGreaterThan(1);
    expect(guarded.authority.requests.refreshes).toBe(10);
  });

  promise(['2.4b', '2.4e'], 'of codelia is read and renewed, and what is not ours in it stays', async () => {
    await using guarded = await guardedServer();
    const { authority } = guarded;
    const client = authority.clients.basic;
    await signIn(await guarded.host({ server: { oauth: client } }), 'guarded', browser(authority));
    const { access_token, refresh_token, token_type, scope } = (await guarded.stored()).servers.guarded ?? {};
    const codelia = { access_token, refresh_token, expires_at: Date.now() + 600_000, token_type, scope, ...client };
    const file = await guarded.home.write('data/mcp-auth.json', {
      version: 1,
      note: 'kept by hand',
      servers: { guarded: { ...codelia, label: 'mine' }, other: { access_token: 'of another', anything: [1, 2] } },
    });
    const host = await guarded.host();
    expect(await echo(host)).toBe('hello');
    expect(authority.requests.refreshes).toBe(0);
    // From its first use on it belongs to that address.
    expect((await guarded.stored()).servers.guarded).toEqual({
      ...codelia,
      label: 'mine',
      server_url: authority.mcpUrl,
    });
    authority.expireTokens();
    expect(await echo(host)).toBe('hello');
    expect(authority.tokenRequests.at(-1)).toMatchObject({
      grantType: 'refresh_token',
      clientAuth: 'client_secret_basic',
      status: 200,
    });
    const after = JSON.parse(await readFile(file, 'utf8'));
    expect(after).toMatchObject({
      version: 1,
      note: 'kept by hand',
      servers: {
        guarded: { ...client, label: 'mine', issuer: authority.issuer, server_url: authority.mcpUrl },
        other: { access_token: 'of another', anything: [1, 2] },
      },
    });
    expect(after.servers.guarded.access_token).not.toBe(access_token);
    expect(after.servers.guarded.refresh_token).not.toBe(refresh_token);
    expect(after.servers.guarded.expires_at).toBeGreaterThan(Date.now() + 3_000_000);
  });

  promise('9.9g', 'SEC-L15: without an address goes to no server that a project brings along', async () => {
    await using guarded = await guardedServer();
    const { authority, home } = guarded;
    const server = { transport: 'http', url: authority.mcpUrl, trust: 'trusted' };
    await home.write('project/junctor.json', { servers: { guarded: server } });
    expect((await junctor(home, ['trust', 'add', 'guarded'])).code).toBe(0);
    const entry = { access_token: 'token-of-codelia', token_type: 'Bearer' };
    await guarded.store({ guarded: entry });
    const { code, stderr } = await junctor(home, ['mcp', 'call', 'guarded', 'echo', '--yes']);
    expect([code, stderr]).toEqual([3, expect.stringContaining('names no address')]);
    expect((await guarded.stored()).servers.guarded).toEqual(entry);
    // The same server in the person's own config gets it, and is the only one from then on.
    await home.write('project/junctor.json', {});
    await home.write('config/junctor/config.json', { servers: { guarded: server } });
    await junctor(home, ['mcp', 'call', 'guarded', 'echo', '--yes']);
    expect((await guarded.stored()).servers.guarded).toMatchObject({ ...entry, server_url: authority.mcpUrl });
  });

  promise('2.4j', 'survives a restart: nobody is asked again', async () => {
    await using guarded = await guardedServer();
    const first = await guarded.host();
    await signIn(first, 'guarded', browser(guarded.authority));
    await first.close();
    expect(await callFromProcesses(guarded, 1)).toEqual(['hello 0']);
    expect(guarded.authority.requests).toMatchObject({ authorizations: 1, refreshes: 0 });
  });

  promise('9.9a', 'gives the token to no other address of the same id', async () => {
    await using guarded = await guardedServer();
    await signIn(await guarded.host(), 'guarded', browser(guarded.authority));
    const seen: unknown[] = [];
    const elsewhere = createServer((request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(400).end();
    });
    await new Promise<void>(resolve => elsewhere.listen(0, '127.0.0.1', resolve));
    try {
      const url = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/mcp`;
      const host = await guarded.host({ server: { url } });
      await expect(echo(host)).rejects.toThrow();
      expect([...new Set(seen)]).toEqual([undefined]);
      expect(await authStatus(host)).toEqual([{ server: 'guarded', state: 'signed_out' }]);
    } finally {
      await new Promise(resolve => elsewhere.close(resolve).closeAllConnections());
    }
  });

  test('that is damaged hurts nobody who needs no sign-in, and is never overwritten', async () => {
    await using guarded = await guardedServer();
    const file = await guarded.home.write('data/mcp-auth.json', '{ "version": 1, "servers": { "gua');
    const open = await serveHttp(0, {});
    try {
      await using host = await createHost({
        data: guarded.home.data,
        config: {
          servers: {
            open: trusted({ transport: 'http', url: open.url }),
            guarded: trusted({ transport: 'http', url: guarded.authority.mcpUrl }),
          },
        },
      });
      expect((await host.call({ server: 'open', tool: 'echo' }, { text: 'hello' })).output).toBe('hello');
      const unreadable = { code: 'config_unreadable', why: 'it is not valid JSON' };
      await expect(echo(host)).rejects.toMatchObject(unreadable);
      await expect(signIn(host, 'guarded', browser(guarded.authority))).rejects.toMatchObject(unreadable);
    } finally {
      await open.close();
    }
    expect(await readFile(file, 'utf8')).toBe('{ "version": 1, "servers": { "gua');
  });
});

describe('a refresh token', () => {
  const FOUR = ['hello 0', 'hello 1', 'hello 2', 'hello 3'];

  promise(
    ['2.4g', '7.4b'],
    'is spent once by processes that need it at once; all go on with the new token',
    async () => {
      await using guarded = await guardedServer();
      await signIn(await guarded.host(), 'guarded', browser(guarded.authority));
      guarded.authority.expireTokens();
      expect(await callFromProcesses(guarded, 4)).toEqual(FOUR);
      expect(guarded.authority.requests).toMatchObject({ refreshes: 1, authorizations: 1 });
    },
  );

  promise('7.4a', 'is spent once by threads that need it at once', async () => {
    await using guarded = await guardedServer();
    await signIn(await guarded.host(), 'guarded', browser(guarded.authority));
    guarded.authority.expireTokens();
    expect(await callFromThreads(guarded, 4)).toEqual(FOUR);
    expect(guarded.authority.requests).toMatchObject({ refreshes: 1, authorizations: 1 });
  });
});

test('no secret is in any error, log line or event', async () => {
  await using guarded = await guardedServer({ registration: false });
  const { authority } = guarded;
  const redactor = new Redactor();
  const lines: string[] = [];
  const log = new Log({ level: 'debug', write: line => lines.push(line), redactor });
  const host = await guarded.host({ server: { oauth: authority.clients.basic }, redactor, log });
  host.events.listen(event => lines.push(host.mask(JSON.stringify(event))));
  await signIn(host, 'guarded', browser(authority));
  const { access_token, refresh_token } = (await guarded.stored()).servers.guarded ?? {};
  await echo(host);
  authority.revoke();
  const error = await echo(host).catch((reason: unknown) => reason);
  lines.push(JSON.stringify(error), String(error), String((error as Error).cause));
  const all = lines.join('\n');
  for (const secret of [access_token, refresh_token, authority.clients.basic.client_secret]) {
    expect(all).not.toContain(secret);
  }
});
