/** Authorization servers, and servers that name them, which do not do as they should. */
import { connect } from 'node:net';
import { createHost, type Host, type Interaction, signIn } from '@junctor/core';
import { type Home, isRunning, makeHome, testServer, trusted } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { type Exchange, type SmallHttp, smallHttp } from '../connections/small-http.ts';

interface Careless extends AsyncDisposable {
  readonly server: SmallHttp;
  readonly home: Home;
  host(options?: object): Promise<Host>;
  /** A sign-in as it would be stored, with a token that ends so many milliseconds from now. */
  store(endsInMs: number): Promise<string>;
}

/** A server that is its own authorization server. `otherwise` sees each request first. */
async function careless(
  otherwise: (exchange: Exchange) => true | undefined,
  metadata: (origin: string) => object = () => ({}),
): Promise<Careless> {
  const home = await makeHome();
  const server = await smallHttp(exchange => {
    const { request, response, answer } = exchange;
    if (otherwise(exchange)) return true;
    const { origin, url } = server;
    const path = request.url ?? '';
    const document = (content: object): true => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(content));
      return true;
    };
    if (path.startsWith('/.well-known/oauth-protected-resource'))
      return document({ resource: url, authorization_servers: [origin] });
    if (path.startsWith('/.well-known/')) return document({ ...metadataOf(origin), ...metadata(origin) });
    if (path === '/register') return document({ client_id: 'c1', redirect_uris: [] });
    if (request.headers.authorization === 'Bearer good-token') return undefined;
    response.statusCode = 401;
    response.setHeader('www-authenticate', 'Bearer');
    return answer({});
  });
  const hosts: Host[] = [];
  return {
    server,
    home,
    async host(options = {}) {
      const config = { servers: { x: trusted({ transport: 'http', url: server.url }) } };
      const host = await createHost({ data: home.data, attempts: 1, config, ...options });
      hosts.push(host);
      return host;
    },
    store(endsInMs) {
      const { origin, url } = server;
      const tokens = { access_token: 'good-token', refresh_token: 'refresh-1', client_id: 'c1' };
      const bound = { server_url: url, issuer: origin, token_endpoint: `${origin}/token` };
      return home.write('data/mcp-auth.json', {
        version: 1,
        servers: { x: { ...tokens, ...bound, expires_at: Date.now() + endsInMs } },
      });
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(hosts.map(host => host.close()));
      await server[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
    },
  };
}

function metadataOf(origin: string): object {
  return {
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    registration_endpoint: `${origin}/register`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
  };
}

/** A browser that is sent back with these words. */
function sentBackWith(words: Record<string, string>): Interaction {
  return {
    async visit(url) {
      const back = new URL(url.searchParams.get('redirect_uri') ?? '');
      back.searchParams.set('state', url.searchParams.get('state') ?? '');
      for (const [name, value] of Object.entries(words)) back.searchParams.set(name, value);
      await fetch(back);
    },
  };
}

describe('an authorization server that has no time', () => {
  test('is asked again later: the sign-in is not taken for one that is over', async () => {
    let busy = true;
    await using own = await careless(({ request, response, answer }) => {
      if (request.url !== '/token') return;
      response.statusCode = busy ? 429 : 200;
      return answer(busy ? { error: 'too_many_requests' } : { access_token: 'good-token', token_type: 'Bearer' });
    });
    await own.store(-1000);
    const host = await own.host();
    await expect(host.collect('x')).rejects.toMatchObject({ code: 'connection_failed' });
    expect(host.links.state('x').kind).toBe('error');
    busy = false;
    await host.links.reconnect('x');
    expect((await host.call({ server: 'x', tool: 'work' })).output).toBe('done');
  });

  test('does not hold up every call that could do without it', async () => {
    let refreshes = 0;
    await using own = await careless(({ request, response, answer }) => {
      if (request.url !== '/token') return;
      refreshes++;
      response.statusCode = 503;
      return answer({});
    });
    await own.store(30_000);
    const host = await own.host();
    for (let call = 0; call < 5; call++) await host.call({ server: 'x', tool: 'work' });
    expect(refreshes).toBe(1);
  });
});

test('an authorization server that does not answer keeps no call that could do without it', async () => {
  const unanswered = new Set<() => void>();
  await using own = await careless(({ request, response, answer }) => {
    if (request.url !== '/token') return;
    response.statusCode = 503;
    const late = (): true => answer({});
    unanswered.add(late);
    response.once('close', () => unanswered.delete(late));
    return true;
  });
  await own.store(50_000);
  const host = await own.host();
  expect((await host.call({ server: 'x', tool: 'work' })).output).toBe('done');
  expect((await host.call({ server: 'x', tool: 'work' })).output).toBe('done');
  // It is still waited for, by nobody who calls.
  expect(unanswered.size).toBe(1);
  for (const late of unanswered) late();
});

test('an authorization server that does not answer keeps no program of a host that closes', async () => {
  const asked = Promise.withResolvers<() => void>();
  let givenUp = false;
  await using own = await careless(({ request, response, answer }) => {
    if (request.url !== '/token') return;
    response.statusCode = 503;
    response.once('close', () => {
      givenUp = true;
    });
    asked.resolve(() => answer({}));
    return true;
  });
  await own.store(-1000);
  const servers = { x: trusted({ transport: 'http', url: own.server.url }), demo: trusted(testServer()) };
  const host = await own.host({ config: { servers } });
  const pid = Number((await host.call({ server: 'demo', tool: 'pid' })).output);
  const opening = host.links.ready('x').catch(error => error.code);
  const answerAtLast = await asked.promise;
  const closing = host.close();
  await expect.poll(() => isRunning(pid)).toBe(false);
  // The host itself waits: the answer may hold the only refresh token that is still good.
  expect(givenUp).toBe(false);
  answerAtLast();
  await closing;
  expect(await opening).toBe('cancelled');
});

describe('a sign-in', () => {
  test.for(['file:///etc/passwd', 'ms-settings:network'])('that leads to %s leads nowhere', async place => {
    await using own = await careless(
      () => {},
      () => ({ authorization_endpoint: place }),
    );
    const visited: URL[] = [];
    await expect(signIn(await own.host(), 'x', { visit: url => void visited.push(url) })).rejects.toMatchObject({
      code: 'sign_in_failed',
    });
    expect(visited).toEqual([]);
  });

  test('registers nowhere without TLS but on this machine', async () => {
    await using own = await careless(
      () => {},
      () => ({ registration_endpoint: 'http://registrar.invalid/register' }),
    );
    await expect(signIn(await own.host(), 'x', { visit() {} })).rejects.toMatchObject({
      code: 'sign_in_failed',
      why: expect.stringContaining('registrar.invalid'),
    });
  });

  test('that is refused shows the words of the other side, and nothing that steers a terminal', async () => {
    await using own = await careless(() => {});
    const words = { error: 'access_denied', error_description: 'no\u001b]0;owned\u0007 and\u009b2J no' };
    await expect(signIn(await own.host(), 'x', sentBackWith(words))).rejects.toMatchObject({
      code: 'sign_in_failed',
      why: 'access_denied: no]0;owned and2J no',
    });
  });

  test('is not disturbed by whoever else knocks at its door', async () => {
    await using own = await careless(({ request, answer }) => {
      if (request.url === '/token') return answer({ access_token: 'good-token', token_type: 'Bearer' });
    });
    const person = sentBackWith({ code: 'c' });
    const host = await own.host();
    await signIn(host, 'x', {
      async visit(url, about) {
        const { port } = new URL(url.searchParams.get('redirect_uri') ?? '');
        expect(await firstLine(Number(port), 'GET // HTTP/1.1')).toBe('HTTP/1.1 404 Not Found');
        await person.visit(url, about);
      },
    });
    expect((await host.call({ server: 'x', tool: 'work' })).output).toBe('done');
  });
});

/** What is answered to a line that no browser would send by itself. */
function firstLine(port: number, line: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(`${line}\r\nhost: x\r\n\r\n`));
    socket.once('error', reject);
    socket.once('data', data => {
      socket.destroy();
      resolve(data.toString('latin1').split('\r\n')[0] ?? '');
    });
  });
}

describe('an old server behind a sign-in', () => {
  test('that knows no POST where its stream is still says that it wants one', async () => {
    await using own = await careless(({ request, response }) => {
      if (request.method !== 'POST' || request.url !== '/mcp') return;
      response.writeHead(404).end('Cannot POST /mcp');
      return true;
    });
    await expect((await own.host()).collect('x')).rejects.toMatchObject({ code: 'auth_required' });
  });
});

describe('a server whose opening is given up', () => {
  test.for(['sse', 'ws'])('over %s while somebody is to sign in does not wait for that', async transport => {
    await using own = await careless(() => {});
    const { promise: asked, resolve } = Promise.withResolvers<void>();
    const url = transport === 'ws' ? own.server.url.replace('http', 'ws') : own.server.url;
    const visit = (): void => resolve();
    const config = { servers: { x: trusted({ transport, url }) } };
    const host = await own.host({ config, signIn: { visit } });
    const opening = host.links.ready('x');
    const given = expect(opening).rejects.toMatchObject({ code: 'cancelled' });
    await asked;
    await host.links.close('x');
    await given;
  });
});
