import { createServer } from 'node:http';
import { createHost } from '@junctor/core';
import { makeHome } from '@junctor/testkit';
import { expect, test } from 'vitest';

const RESULTS: Readonly<Record<string, object>> = {
  'server/discover': { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } },
  'tools/list': { tools: [{ name: 'here', inputSchema: { type: 'object' } }] },
};

/** A server of the 2026-07-28 era that names a session all the same, and answers what it does not know with HTTP 404. */
async function serverWithSession() {
  const seen: { readonly method: string; readonly session: unknown }[] = [];
  const http = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { id, method = '' } = body ? JSON.parse(body) : {};
    seen.push({ method: method || request.method, session: request.headers['mcp-session-id'] });
    const result = RESULTS[method];
    const answer = result ? { result } : { error: { code: -32601, message: 'never heard of it' } };
    response.writeHead(result ? 200 : 404, { 'content-type': 'application/json', 'mcp-session-id': 'session-7' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
  });
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    seen,
    async [Symbol.asyncDispose]() {
      await new Promise(resolve => http.close(resolve).closeAllConnections());
    },
  };
}

test('a session that a server of the 2026-07-28 era names is none: its 404 says no more than it says', async () => {
  await using home = await makeHome();
  await using server = await serverWithSession();
  const config = { servers: { remote: { transport: 'http', url: server.url, trust: 'trusted' } } };
  {
    await using host = await createHost({ config, data: home.data });
    expect((await host.tools()).map(({ tool }) => tool)).toEqual(['here']);
    await expect(host.call('mcp__remote__here')).rejects.toMatchObject({ code: 'server_error' });
  }
  expect(server.seen).toEqual([
    { method: 'server/discover', session: undefined },
    { method: 'tools/list', session: undefined },
    { method: 'tools/call', session: undefined },
  ]);
});
