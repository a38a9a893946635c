/** Authorization servers whose answers are not written as they should be, and say all that counts. */
import { signIn } from '@junctor/core';
import { junctor } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import type { Exchange } from '../connections/small-http.ts';
import { careless, sentBackWith } from './careless.ts';

const person = sentBackWith({ code: 'c' });
const TOKENS = { access_token: 'good-token', token_type: 'Bearer', refresh_token: 'r' };

/** Answers at a path with this, and counts how often. */
function answersAt(path: string, content: object) {
  const seen = { count: 0 };
  const otherwise = ({ request, response }: Exchange): true | undefined => {
    if (request.url !== path) return;
    seen.count++;
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(content));
    return true;
  };
  return { otherwise, seen };
}

describe('a token', () => {
  test.for([
    ['an end that is over at once', { expires_in: 0 }],
    ['an end before its beginning', { expires_in: -5 }],
    ['null for what it does not say', { expires_in: null, scope: null, refresh_token: null }],
    ['a word for its end', { expires_in: 'never' }],
    ['a list of scopes', { scope: ['read', 'write'] }],
    ['no type', { token_type: undefined }],
  ] as const)('with %s is used until it is refused, and fetched once', async ([, odd]) => {
    const token = answersAt('/token', { ...TOKENS, ...odd });
    await using own = await careless(token.otherwise);
    const host = await own.host();
    await signIn(host, 'x', person);
    for (let calls = 0; calls < 3; calls++) {
      expect((await host.call({ server: 'x', tool: 'work' })).output).toBe('done');
    }
    expect(token.seen.count).toBe(1);
  });

  test.for(['1e300', '"soon"'])('that was stored with %s for its end is shown without one', async end => {
    const token = answersAt('/token', TOKENS);
    await using own = await careless(token.otherwise);
    const entry = `{"access_token":"good-token","server_url":"${own.server.url}","expires_at":${end}}`;
    await own.home.write('data/mcp-auth.json', `{"version":1,"servers":{"x":${entry}}}`);
    const config = await own.home.write('x.json', { servers: { x: { transport: 'http', url: own.server.url } } });
    const { code, stdout } = await junctor(own.home, ['auth', 'status', '--config', config, '--data', own.home.data]);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^x +signed in *$/m)]);
  });
});

describe('an authorization server', () => {
  const { otherwise } = answersAt('/token', TOKENS);

  test.for([
    ['names itself with a slash at its end', (origin: string) => ({ issuer: `${origin}/` })],
    ['writes null for what it does not offer', () => ({ scopes_supported: null, revocation_endpoint: null })],
    ['does not say which responses it gives', () => ({ response_types_supported: undefined })],
  ] as const)('that %s can be signed in to', async ([, metadata]) => {
    await using own = await careless(otherwise, metadata);
    const host = await own.host();
    await signIn(host, 'x', person);
    expect((await host.call({ server: 'x', tool: 'work' })).output).toBe('done');
  });

  test('that says it is another is not', async () => {
    await using own = await careless(otherwise, () => ({ issuer: 'https://another.example' }));
    await expect(signIn(await own.host(), 'x', person)).rejects.toMatchObject({
      code: 'sign_in_failed',
      why: expect.stringContaining('says that it is https://another.example'),
    });
  });

  test('that answers a registration with the client alone registers it', async () => {
    const register = answersAt('/register', { client_id: 'c7', client_secret: null, client_id_issued_at: 'today' });
    await using own = await careless(exchange => register.otherwise(exchange) ?? otherwise(exchange));
    const host = await own.host();
    await signIn(host, 'x', person);
    expect((await host.call({ server: 'x', tool: 'work' })).output).toBe('done');
  });

  test('whose answer lacks what counts is told by the name of it', async () => {
    const token = answersAt('/token', { token_type: 'Bearer' });
    await using own = await careless(token.otherwise);
    await expect(signIn(await own.host(), 'x', person)).rejects.toMatchObject({
      code: 'sign_in_failed',
      why: 'changing the code into a token: its answer is not as it should be: see access_token',
    });
  });

  test('that is found by OpenID alone is asked for a code to enter elsewhere', async () => {
    const device = answersAt('/device', {
      device_code: 'd',
      user_code: 'ABCD',
      verification_uri: 'http://x/',
      interval: 1,
    });
    await using own = await careless(
      exchange => {
        if (!exchange.request.url?.startsWith('/.well-known/oauth-authorization-server')) {
          return device.otherwise(exchange) ?? otherwise(exchange);
        }
        exchange.response.writeHead(404).end();
        return true;
      },
      origin => ({ device_authorization_endpoint: `${origin}/device` }),
    );
    const shown: string[] = [];
    const host = await own.host();
    await signIn(host, 'x', { ...person, device: { show: ({ userCode }) => void shown.push(userCode) } });
    expect([shown, (await host.call({ server: 'x', tool: 'work' })).output]).toEqual([['ABCD'], 'done']);
  });
});

test.for(['with', 'without'])('a server that names itself %s a slash at its end is the same', async which => {
  const { otherwise } = answersAt('/token', TOKENS);
  await using own = await careless(
    otherwise,
    () => ({}),
    url => ({ resource: which === 'with' ? `${url}/` : url }),
  );
  const host = await own.host();
  await signIn(host, 'x', person);
  expect((await host.call({ server: 'x', tool: 'work' })).output).toBe('done');
});
