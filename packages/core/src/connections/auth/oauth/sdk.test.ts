import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { boundedFetch } from './sdk.ts';

async function answering(status: number, body: string, headers: Record<string, string> = {}) {
  const server = createServer((_request, response) => response.writeHead(status, headers).end(body));
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      await new Promise(resolve => server.close(resolve).closeAllConnections());
    },
  };
}

test('an answer comes as it is', async () => {
  await using server = await answering(400, '{"error":"invalid_grant"}', { 'content-type': 'application/json' });
  const response = await boundedFetch()(server.url);
  expect([response.status, response.ok, response.headers.get('content-type')]).toEqual([
    400,
    false,
    'application/json',
  ]);
  expect(await response.json()).toEqual({ error: 'invalid_grant' });
});

test('one without a body too', async () => {
  await using server = await answering(204, '');
  expect((await boundedFetch()(server.url)).status).toBe(204);
});

test('an answer without an end is not read to its end', async () => {
  await using server = await answering(200, 'x'.repeat(2 * 1024 * 1024));
  const response = await boundedFetch()(server.url);
  await expect(response.text()).rejects.toThrow('the answer is longer than 1048576 bytes');
});

test('what is sent goes nowhere else', async () => {
  await using other = await answering(200, 'got it');
  await using server = await answering(307, '', { location: other.url });
  const response = await boundedFetch()(server.url, { method: 'POST', body: 'refresh_token=abc' });
  expect([response.status, await response.text()]).toEqual([307, '']);
});
