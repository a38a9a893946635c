/** A server cannot use sign-in to make Junctor ask services of this machine or its network. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { networkInterfaces } from 'node:os';
import { junctor, makeHome, promise } from '@junctor/testkit';
import { expect, test } from 'vitest';

/** An address of this machine that is not loopback, as that of a server in the network. */
const [elsewhere] = Object.values(networkInterfaces())
  .flatMap(list => list ?? [])
  .filter(({ family, internal, address }) => family === 'IPv4' && !internal && !address.startsWith('169.254.'))
  .map(({ address }) => address);

interface Service extends AsyncDisposable {
  readonly url: string;
  readonly seen: string[];
}

async function serve(
  address: string,
  answer: (request: IncomingMessage, response: ServerResponse, url: string) => void,
): Promise<Service> {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    answer(request, response, url);
  });
  await new Promise<void>(resolve => server.listen(0, address, resolve));
  const url = `http://${address}:${(server.address() as { port: number }).port}`;
  return {
    url,
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

const json = (response: ServerResponse, body: object): void =>
  void response.setHeader('content-type', 'application/json').end(JSON.stringify(body));

/** A server whose refusal leads to this authorization server. */
const leadingTo = (address: string, authority: string): Promise<Service> =>
  serve(address, (request, response, url) => {
    if (request.url?.startsWith('/.well-known/oauth-protected-resource'))
      return json(response, { resource: `${url}/mcp`, authorization_servers: [authority] });
    const pointer = `${url}/.well-known/oauth-protected-resource/mcp`;
    response.writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${pointer}"` }).end();
  });

async function signIn(url: string, oauth: object = {}): Promise<string> {
  await using home = await makeHome();
  const servers = { guarded: { transport: 'http', url: `${url}/mcp`, oauth } };
  const file = await home.write('servers.json', { version: 1, servers });
  const { code, stderr } = await junctor(home, ['mcp', 'login', 'guarded', '--config', file, '--isolated']);
  expect(code).not.toBe(0);
  return stderr;
}

promise('10.8o', 'a server leads to no address of the metadata service or of a private network', async () => {
  for (const authority of [
    'https://169.254.169.254/latest',
    'https://10.255.255.1',
    'https://[fd00:ec2::254]',
    'https://[::ffff:169.254.169.254]',
  ]) {
    await using server = await leadingTo('127.0.0.1', authority);
    expect(await signIn(server.url)).toMatch(/is a (link-local|private) address, and the server itself is not/);
  }
  await using server = await leadingTo('127.0.0.1', 'http://example.com');
  expect(await signIn(server.url)).toContain('http://example.com/');
});

test.skipIf(!elsewhere)('a server elsewhere does not reach services of this machine', async () => {
  await using service = await serve('127.0.0.1', (_request, response) => json(response, {}));
  await using server = await leadingTo(elsewhere as string, `${service.url}/latest/meta-data`);
  const said = await signIn(server.url);
  expect([said.includes('is not reached over https'), service.seen]).toEqual([true, []]);
  // Whoever runs it may say that it is meant so.
  await signIn(server.url, { allow_private: true });
  expect(service.seen.length).toBeGreaterThan(0);
});

promise('10.8p', 'metadata that names endpoints over plain http is refused', async () => {
  await using authority = await serve('127.0.0.1', (_request, response, url) =>
    json(response, {
      issuer: url,
      authorization_endpoint: 'http://login.example.com/authorize',
      token_endpoint: `${url}/token`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
    }),
  );
  await using server = await leadingTo('127.0.0.1', authority.url);
  expect(await signIn(server.url)).toContain('authorization_endpoint of its authorization server is refused');
});

test.skipIf(!elsewhere)('metadata that does not name PKCE is refused', async () => {
  await using server = await serve(elsewhere as string, (request, response, url) => {
    if (request.url?.startsWith('/.well-known/oauth-protected-resource'))
      return json(response, { resource: `${url}/mcp`, authorization_servers: [url] });
    if (request.url?.startsWith('/.well-known/'))
      return json(response, {
        issuer: url,
        authorization_endpoint: `${url}/authorize`,
        token_endpoint: `${url}/token`,
        registration_endpoint: `${url}/register`,
        response_types_supported: ['code'],
      });
    response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
  });
  expect(await signIn(server.url)).toContain('does not say that it supports PKCE');
});
