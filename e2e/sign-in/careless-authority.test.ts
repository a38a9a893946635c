/** Authorization servers, and servers that name them, which do not do as they should. */
import { connect } from 'node:net';
import { signIn } from '@junctor/core';
import { isRunning, testServer, trusted } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { careless, sentBackWith } from './careless.ts';

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
