import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { askForChallenge } from './probe.ts';

async function listening(listener: RequestListener) {
  const seen: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    seen.push(request);
    listener(request, response);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    seen,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    async [Symbol.asyncDispose]() {
      await new Promise(resolve => server.close(resolve).closeAllConnections());
    },
  };
}

const NEVER = new AbortController().signal;

test.for([301, 302, 307, 308])(
  'HTTP %d to another origin is not followed: the headers are not for it',
  async status => {
    await using other = await listening((_request, response) => response.end());
    await using server = await listening((_request, response) =>
      response.writeHead(status, { location: other.url }).end(),
    );
    expect(await askForChallenge(server.url, 'http', { 'x-api-key': 'secret' }, NEVER)).toEqual({});
    expect([server.seen.length, other.seen.length]).toEqual([1, 0]);
  },
);

test('a redirect to another path is followed, and its refusal read', async () => {
  await using server = await listening((request, response) => {
    if (request.url === '/mcp') response.writeHead(308, { location: '/mcp/' }).end();
    else response.writeHead(401, { 'www-authenticate': 'Bearer scope="a"' }).end();
  });
  expect(await askForChallenge(server.url, 'http', { 'x-api-key': 'secret' }, NEVER)).toEqual({ scope: 'a' });
  expect(server.seen.map(({ url, headers }) => [url, headers['x-api-key']])).toEqual([
    ['/mcp', 'secret'],
    ['/mcp/', 'secret'],
  ]);
});

test('one that sends us in a circle says nothing', async () => {
  await using server = await listening((_request, response) => response.writeHead(307, { location: '/mcp' }).end());
  expect(await askForChallenge(server.url, 'http', {}, NEVER)).toEqual({});
  expect(server.seen.length).toBe(4);
});
