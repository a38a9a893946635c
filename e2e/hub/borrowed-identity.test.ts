/** An identity cannot be borrowed: not a session by its id, not a client's token by a server. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { makeHome, promise, startHub, testServer, trusted } from '@junctor/testkit';
import { describe, expect } from 'vitest';
import { rest } from './rest-client.ts';
import { RawClient } from './rpc.ts';

/** Answers like a server, and remembers what it was sent. */
async function listeningServer() {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', piece => {
      body += piece;
    });
    request.on('end', () => {
      seen.push(`${request.method} ${request.url} ${JSON.stringify(request.rawHeaders)} ${body}`);
      const { id, method } = body === '' ? { id: undefined, method: '' } : JSON.parse(body);
      if (id === undefined) return void response.writeHead(request.method === 'POST' ? 202 : 405).end();
      const tools = [{ name: 'echo', inputSchema: { type: 'object' } }];
      const serverInfo = { name: 'listening', version: '1' };
      const result =
        method === 'initialize'
          ? { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo }
          : method === 'tools/list'
            ? { tools }
            : { content: [{ type: 'text', text: 'heard' }] };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    });
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

describe('an identity', () => {
  promise(
    '12.6p',
    'is not borrowed: sessions belong to their token, and no server gets the token of a client',
    async () => {
      await using home = await makeHome();
      await using upstream = await listeningServer();
      const web = trusted({ transport: 'http', url: upstream.url, oauth: false });
      await using hub = await startHub(home, { version: 1, servers: { demo: trusted(testServer()), web } });
      const tokenOf = async (agent: string): Promise<string> =>
        (await rest(hub, '/api/tokens', { method: 'POST', body: { agent } })).body.token;
      const [owner, thief] = [await tokenOf('codex'), await tokenOf('cursor')];
      const second = await tokenOf('codex');
      const as = (token: string) => ({
        fetch: (path: string, init?: RequestInit) => hub.fetch(path, { ...init, token }),
      });
      for (const path of ['/mcp/codex', '/servers/demo/mcp']) {
        const client = await RawClient.open(as(owner), path);
        const request = { id: 1, method: 'tools/list', params: {} };
        expect([path, (await client.post(request)).status]).toEqual([path, 200]);
        // Another token of the same agent, and one of another agent that may use the endpoint.
        const others = path === '/mcp/codex' ? [second] : [second, thief];
        for (const token of others) {
          const borrowed = client.at(as(token));
          expect([path, (await borrowed.post(request)).status]).toEqual([path, 404]);
          const ended = await hub.fetch(path, {
            method: 'DELETE',
            token,
            headers: { 'mcp-session-id': client.session },
          });
          expect(ended.status).not.toBe(200);
        }
        expect((await client.post(request)).status, 'the session goes on').toBe(200);
      }
      expect((await hub.fetch('/mcp/codex', { method: 'POST', token: thief, body: '{}' })).status).toBe(403);

      const client = await RawClient.open(as(owner), '/mcp/codex');
      await client.call(2, 'web_echo', { text: 'hi' });
      const heard = upstream.seen.join('\n');
      expect(heard).toContain('tools/call');
      expect(heard).not.toContain('jct_');
      expect(heard).not.toMatch(/"(authorization|cookie)"/i);
    },
  );
});
