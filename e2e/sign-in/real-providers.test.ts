/** Authorization servers as they are in the wild: busy, forgetful, older than the RFC. */
import { type Interaction, signIn, signOut } from '@junctor/core';
import { promise } from '@junctor/testkit';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Exchange } from '../connections/small-http.ts';
import { careless, sentBackWith } from './careless.ts';

const GOOD = { access_token: 'good-token', token_type: 'Bearer', refresh_token: 'refresh-2' };

afterEach(() => void vi.useRealTimers());

function reply({ response }: Exchange, status: number, body: object | string): true {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(status, { 'content-type': typeof body === 'string' ? 'text/html' : 'application/json' }).end(text);
  return true;
}

/** A token endpoint that answers with these, one after the other, then as it should. */
function tokenEndpoint(answers: readonly (readonly [number, object | string])[]) {
  let asked = 0;
  const otherwise = (exchange: Exchange): true | undefined => {
    if (exchange.request.url !== '/token') return undefined;
    const [status, body] = answers[asked++] ?? [200, GOOD];
    return reply(exchange, status, body);
  };
  return { otherwise, asked: () => asked };
}

const TROUBLE = [
  [429, { error: 'rate_limited' }],
  [429, { ok: false, error: 'ratelimited' }],
  [503, { error: 'service_unavailable' }],
  [500, { statusCode: 500, error: 'Internal Server Error' }],
  [408, { error: 'invalid_grant' }],
  [502, '<h1>Bad Gateway</h1>'],
] as const;

describe('a token endpoint in trouble', () => {
  promise('2.3q', 'is asked again, whatever its body says: nobody has to sign in', async () => {
    for (const trouble of TROUBLE) {
      const endpoint = tokenEndpoint([trouble]);
      await using own = await careless(endpoint.otherwise);
      await own.store(-1000);
      const host = await own.host({ attempts: 5 });
      const { output } = await host.call({ server: 'x', tool: 'work' });
      expect([trouble, output, endpoint.asked()]).toEqual([trouble, 'done', 2]);
    }
  });

  test('says so where it stays so, and keeps what is stored', async () => {
    const endpoint = tokenEndpoint(Array.from({ length: 50 }, () => TROUBLE[2]));
    await using own = await careless(endpoint.otherwise);
    await own.store(-1000);
    const host = await own.host();
    await expect(host.call({ server: 'x', tool: 'work' })).rejects.toMatchObject({
      code: 'connection_failed',
      message: "The authorization server of server 'x' cannot answer now.",
      why: 'HTTP 503',
    });
  });

  promise('2.3q', 'costs no call while the token is good, and no sign-in of a person who came back', async () => {
    const refusing = tokenEndpoint([[400, { error: 'invalid_client' }]]);
    await using ageing = await careless(refusing.otherwise);
    await ageing.store(30_000);
    expect((await (await ageing.host()).call({ server: 'x', tool: 'work' })).output).toBe('done');
    expect(refusing.asked()).toBe(1);

    const busy = tokenEndpoint([TROUBLE[0], TROUBLE[3]]);
    await using own = await careless(busy.otherwise);
    const host = await own.host();
    await signIn(host, 'x', sentBackWith({ code: 'c' }));
    expect((await host.call({ server: 'x', tool: 'work' })).output).toBe('done');
    expect(busy.asked()).toBe(3);
  });

  test('whose code nobody knows is tried again after a rest, with the refresh token that is left', async () => {
    const endpoint = tokenEndpoint([[400, { error: 'try_later' }]]);
    await using own = await careless(endpoint.otherwise);
    await own.store(-1000);
    const host = await own.host();
    const work = () => host.call({ server: 'x', tool: 'work' });
    for (let time = 0; time < 2; time++) await expect(work()).rejects.toMatchObject({ code: 'auth_required' });
    expect(endpoint.asked()).toBe(1);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
    expect((await work()).output).toBe('done');
  });
});

describe('a client that the authorization server has forgotten', () => {
  promise('2.3r', 'is registered anew by the sign-in after one that nobody came back from', async () => {
    let registrations = 0;
    await using own = await careless(exchange => {
      const { url } = exchange.request;
      if (url === '/register')
        return reply(exchange, 201, { client_id: `client-${++registrations}`, redirect_uris: [] });
      return url === '/token' ? reply(exchange, 200, GOOD) : undefined;
    });
    const host = await own.host();
    const clients: string[] = [];
    const person = sentBackWith({ code: 'c' });
    const knownIs = (isKnown: () => boolean): Interaction => ({
      async visit(url, about) {
        clients.push(url.searchParams.get('client_id') ?? '');
        if (isKnown()) await person.visit(url, about);
        else throw new Error('the page says: unknown client');
      },
    });
    await signIn(
      host,
      'x',
      knownIs(() => true),
    );
    await signIn(
      host,
      'x',
      knownIs(() => true),
    );
    await expect(
      signIn(
        host,
        'x',
        knownIs(() => false),
      ),
    ).rejects.toThrow();
    await signIn(
      host,
      'x',
      knownIs(() => true),
    );
    await signIn(
      host,
      'x',
      knownIs(() => true),
    );
    expect(clients).toEqual(['client-1', 'client-1', 'client-1', 'client-2', 'client-2']);
    // One that sends back an error knows the client.
    await expect(signIn(host, 'x', sentBackWith({ error: 'access_denied' }))).rejects.toMatchObject({
      why: 'access_denied',
    });
    await signIn(
      host,
      'x',
      knownIs(() => true),
    );
    expect(clients.at(-1)).toBe('client-2');
  });

  test('because its secret has ended is registered anew as well', async () => {
    let registrations = 0;
    await using own = await careless(exchange => {
      const { url } = exchange.request;
      const client_secret_expires_at = Math.floor(Date.now() / 1000) + 60;
      const client = {
        client_id: `c-${++registrations}`,
        client_secret: 's',
        client_secret_expires_at,
        redirect_uris: [],
      };
      if (url === '/register') return reply(exchange, 201, client);
      return url === '/token' ? reply(exchange, 200, GOOD) : undefined;
    });
    const host = await own.host();
    await signIn(host, 'x', sentBackWith({ code: 'c' }));
    const before = registrations;
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 120_000 });
    const clients: string[] = [];
    const person = sentBackWith({ code: 'c' });
    await signIn(host, 'x', {
      async visit(url, about) {
        clients.push(url.searchParams.get('client_id') ?? '');
        await person.visit(url, about);
      },
    });
    expect(clients[0]).not.toBe(`c-${before}`);
  });
});

promise('2.3s', 'a sign-out asks for both tokens at once, and is done though nobody answers', async () => {
  const waiting = new Set<object>();
  let most = 0;
  await using own = await careless(
    ({ request, response }) => {
      if (request.url !== '/revoke') return undefined;
      waiting.add(response);
      response.once('close', () => waiting.delete(response));
      most = Math.max(most, waiting.size);
      return true;
    },
    origin => ({ revocation_endpoint: `${origin}/revoke` }),
  );
  const file = await own.store(60_000);
  const { default: stored } = await import(file, { with: { type: 'json' } });
  const entry = { ...stored.servers.x, revocation_endpoint: `${own.server.origin}/revoke` };
  await own.home.write('data/mcp-auth.json', { version: 1, servers: { x: entry } });
  expect(await signOut(await own.host(), 'x')).toEqual(['x']);
  expect(most).toBe(2);
});

promise(
  '2.3t',
  'a secret goes into Basic encoded as a form writes it, and as it is where that is refused',
  async () => {
    const oauth = { client_id: 'my client', client_secret: 'p%41ss+w:ö' };
    const encoded = 'my+client:p%2541ss%2Bw%3A%C3%B6';
    for (const accepted of [encoded, `${oauth.client_id}:${oauth.client_secret}`]) {
      const shown: string[] = [];
      await using own = await careless(
        exchange => {
          if (exchange.request.url !== '/token') return undefined;
          const { authorization = '' } = exchange.request.headers;
          shown.push(Buffer.from(authorization.replace('Basic ', ''), 'base64').toString());
          return shown.at(-1) === accepted
            ? reply(exchange, 200, GOOD)
            : reply(exchange, 401, { error: 'invalid_client', error_description: 'who?' });
        },
        () => ({ token_endpoint_auth_methods_supported: ['client_secret_basic'] }),
      );
      const config = { servers: { x: { transport: 'http', url: own.server.url, trust: 'trusted', oauth } } };
      const host = await own.host({ config });
      await signIn(host, 'x', sentBackWith({ code: 'c' }));
      expect(shown).toEqual(accepted === encoded ? [encoded] : [encoded, accepted]);
    }
  },
);

describe('an authorization server older than the RFC', () => {
  promise('2.3u', 'names its page for devices verification_url, and is in trouble while one waits', async () => {
    const endpoint = tokenEndpoint([TROUBLE[2]]);
    await using own = await careless(
      exchange => {
        if (exchange.request.url !== '/device') return endpoint.otherwise(exchange);
        const codes = { device_code: 'd', user_code: 'WDJB', verification_url: 'https://example.com/device' };
        return reply(exchange, 200, { ...codes, interval: 1, expires_in: 600 });
      },
      origin => ({ device_authorization_endpoint: `${origin}/device` }),
    );
    const shown: string[] = [];
    const host = await own.host();
    await signIn(host, 'x', { visit() {}, device: { show: info => void shown.push(info.verificationUri) } });
    expect(shown).toEqual(['https://example.com/device']);
    expect((await host.call({ server: 'x', tool: 'work' })).output).toBe('done');
  });

  promise('2.3u', 'leaves out resource, answers with an empty scope, and stands behind a dead one', async () => {
    const endpoint = tokenEndpoint([[200, { ...GOOD, scope: '' }]]);
    await using own = await careless(
      endpoint.otherwise,
      () => ({}),
      url => ({ resource: undefined, authorization_servers: ['http://127.0.0.1:1', new URL(url).origin] }),
    );
    const visited: URL[] = [];
    const person = sentBackWith({ code: 'c' });
    const host = await own.host();
    await signIn(host, 'x', {
      scope: 'read',
      async visit(url, about) {
        visited.push(url);
        await person.visit(url, about);
      },
    });
    expect(visited[0]?.searchParams.get('resource')).toBe(own.server.url);
    const { readFile } = await import('node:fs/promises');
    const { servers } = JSON.parse(await readFile(`${own.home.data}/mcp-auth.json`, 'utf8'));
    expect(servers.x).toMatchObject({ scope: 'read', issuer: own.server.origin });
  });
});

promise('2.3w', 'half of the endpoints, or a literal ${…} for a secret, is told with its key', async () => {
  await using own = await careless(exchange => {
    const { url = '' } = exchange.request;
    if (url.startsWith('/.well-known/')) return reply(exchange, 404, 'not here');
    return url === '/token' ? reply(exchange, 401, { error: 'invalid_client' }) : undefined;
  });
  const { origin, url } = own.server;
  const hostWith = (oauth: object) =>
    own.host({ config: { servers: { x: { transport: 'http', url, trust: 'trusted', oauth } } } });
  const authorization_url = `${origin}/authorize`;
  const half = await hostWith({ authorization_url });
  const missing = { code: 'config_invalid', message: "oauth.token_url of server 'x' is missing." };
  await expect(half.call({ server: 'x', tool: 'work' })).rejects.toMatchObject(missing);
  await expect(signIn(half, 'x', { visit() {} })).rejects.toMatchObject(missing);
  // As the config of Codelia has it: nothing is replaced there.
  const client = { client_id: 'c', client_secret: '$${SECRET}' };
  const literal = await hostWith({ authorization_url, token_url: `${origin}/token`, ...client });
  await expect(signIn(literal, 'x', sentBackWith({ code: 'c' }))).rejects.toMatchObject({
    code: 'sign_in_failed',
    why: expect.stringContaining('invalid_client; oauth.client_secret was sent as it is written'),
    hint: expect.stringContaining('does not replace'),
  });
});
