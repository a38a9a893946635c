import { createServer, type IncomingHttpHeaders } from 'node:http';
import { createHost, isJunctorError } from '@junctor/core';
import { promise } from '@junctor/testkit';
import { startAuthority } from '@junctor/testkit/authority';
import { serveHttp } from '@junctor/testkit/test-server';
import { describe, expect } from 'vitest';

interface Seen {
  readonly method: string;
  readonly rpc: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly params: { clientInfo?: object; protocolVersion?: string } | undefined;
}

/** A server that answers `status` with `body` to everything, and remembers what it was sent. */
async function plainServer(status: number, answer: (rpc: string | undefined, id: unknown) => object | undefined) {
  const seen: Seen[] = [];
  const http = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const message = body ? JSON.parse(body) : {};
    seen.push({ method: request.method ?? '', rpc: message.method, headers: request.headers, params: message.params });
    const reply = answer(message.method, message.id);
    response.writeHead(reply ? status : 202, { 'content-type': 'application/json', 'mcp-session-id': 'session-7' });
    response.end(reply ? JSON.stringify(reply) : undefined);
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

const greeting = {
  protocolVersion: '2025-06-18',
  capabilities: { tools: {} },
  serverInfo: { name: 'plain', version: '1' },
};

const hostAt = (url: string, more: object = {}) =>
  createHost({ config: { version: 1, servers: { remote: { transport: 'http', url, trust: 'trusted', ...more } } } });

describe('a Streamable HTTP server', () => {
  promise(['2.2b', '2.2c', 'C11.1a', 'C11.4f'], 'is listed and called, its streams read', async () => {
    const server = await serveHttp(0, { tools: 30, pageSize: 7 });
    try {
      await using host = await hostAt(server.url);
      expect(await host.tools()).toHaveLength(30);
      expect((await host.call('mcp__remote__echo', { text: 'hi' })).output).toBe('hi');
      const seen: number[] = [];
      await host.call('mcp__remote__slow', { ms: 100 }, { onProgress: ({ progress }) => seen.push(progress) });
      expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    } finally {
      await server.close();
    }
  });

  promise(
    ['2.1a', '2.1b', '2.1d', '2.2e', '1.2k', 'C11.1b', 'C11.4d', 'C11.4l', 'C11.4m'],
    'is greeted in order, and gets version, session and own headers each time',
    async () => {
      await using server = await plainServer(200, (rpc, id) => {
        if (rpc === 'initialize') return { jsonrpc: '2.0', id, result: greeting };
        if (rpc === 'tools/list') return { jsonrpc: '2.0', id, result: { tools: [] } };
        return undefined;
      });
      const host = await hostAt(server.url, { protocol: 'legacy', headers: { 'X-Workspace': 'blue' } });
      await host.tools();
      // It is asked for news beside all this.
      await expect.poll(() => server.seen.map(({ method }) => method)).toContain('GET');
      await host.close();
      const said = server.seen.filter(({ method }) => method !== 'GET');
      expect(said.map(({ method, rpc }) => rpc ?? method)).toEqual([
        'initialize',
        'notifications/initialized',
        'tools/list',
        'DELETE',
      ]);
      expect(server.seen[0]?.params).toMatchObject({
        protocolVersion: '2025-11-25',
        clientInfo: { name: 'junctor', version: '0.1.0' },
      });
      const pick = ({ headers }: Seen) => [
        headers['mcp-protocol-version'],
        headers['mcp-session-id'],
        headers['x-workspace'],
      ];
      const [first, ...later] = server.seen.map(pick);
      expect(first).toEqual([undefined, undefined, 'blue']);
      expect(later).toEqual(Array(4).fill(['2025-06-18', 'session-7', 'blue']));
    },
  );

  promise('2.1g', 'that speaks an unknown version is left with a clear error', async () => {
    await using server = await plainServer(200, (_rpc, id) => ({
      jsonrpc: '2.0',
      id,
      result: { ...greeting, protocolVersion: '1999-01-01' },
    }));
    await using host = await hostAt(server.url);
    await expect(host.collect('remote')).rejects.toMatchObject({
      code: 'protocol_unsupported',
      message: "Server 'remote' speaks MCP 1999-01-01.",
    });
  });

  promise('2.1h', 'without the tools capability is ready, with no tools and no error', async () => {
    await using server = await plainServer(200, (rpc, id) =>
      rpc === 'initialize' ? { jsonrpc: '2.0', id, result: { ...greeting, capabilities: {} } } : undefined,
    );
    await using host = await hostAt(server.url);
    expect(await host.tools()).toEqual([]);
    expect([host.links.state('remote').kind, host.failures()]).toEqual(['ready', []]);
  });

  promise(['2.6e', '2.6j', 'A10l'], 'that cannot be reached says where and what to do', async () => {
    await using host = await hostAt('http://127.0.0.1:9/mcp');
    const error = await host.collect('remote').catch((reason: unknown) => reason);
    expect(isJunctorError(error, 'connection_failed') && [error.message, error.hint]).toEqual([
      "Server 'remote' could not be reached at http://127.0.0.1:9.",
      'start the server, or check its url',
    ]);
  });

  promise(['2.6i', '2.6a'], 'that answers 401 and names a sign-in is in state auth_required', async () => {
    await using authority = await startAuthority();
    await using host = await hostAt(authority.mcpUrl);
    await expect(host.collect('remote')).rejects.toMatchObject({ code: 'auth_required' });
    expect(host.links.state('remote').kind).toBe('auth_required');
  });
});
