import { createServer, type ServerResponse } from 'node:http';
import { createHost } from '@junctor/core';
import { promise } from '@junctor/testkit';
import { describe, expect } from 'vitest';

/** A server whose list grows, and that tells so on its own stream; a stream can be cut by the test. */
async function growingServer() {
  const streams: { response: ServerResponse; lastEventId: string | undefined; session: string | undefined }[] = [];
  const tools = ['one'];
  const http = createServer(async (request, response) => {
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('retry: 20\n\n');
      const { 'last-event-id': lastEventId, 'mcp-session-id': session } = request.headers as Record<
        string,
        string | undefined
      >;
      streams.push({ response, lastEventId, session });
      return;
    }
    let body = '';
    for await (const chunk of request) body += chunk;
    const { id, method } = body ? JSON.parse(body) : { id: undefined, method: undefined };
    if (id === undefined) return response.writeHead(202).end();
    const result =
      method === 'initialize'
        ? {
            protocolVersion: '2025-11-25',
            capabilities: { tools: { listChanged: true } },
            serverInfo: { name: 'g', version: '1' },
          }
        : { tools: tools.map(name => ({ name, inputSchema: { type: 'object' } })) };
    response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 'the-session' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as { port: number };
  let events = 0;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    streams,
    grow(name: string) {
      tools.push(name);
      const message = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
      streams.at(-1)?.response.write(`id: event-${++events}\ndata: ${message}\n\n`);
    },
    async [Symbol.asyncDispose]() {
      await new Promise(resolve => http.close(resolve).closeAllConnections());
    },
  };
}

describe('the stream of an HTTP server', () => {
  promise(['2.2d', '2.9e', '2.11f'], 'brings its news, and is taken up again where it broke', async () => {
    await using server = await growingServer();
    await using host = await createHost({ config: { servers: { g: { transport: 'http', url: server.url } } } });
    const changed: string[] = [];
    host.events.on('list-changed', event => changed.push(`${event.server} ${event.list}`));
    const names = async () => (await host.tools()).map(({ tool }) => tool);
    expect(await names()).toEqual(['one']);
    await expect.poll(() => server.streams.map(({ session }) => session)).toEqual(['the-session']);
    server.grow('two');
    await expect.poll(() => changed).toEqual(['g tools']);
    expect(await names()).toEqual(['one', 'two']);
    server.streams[0]?.response.destroy();
    await expect.poll(() => server.streams.map(({ lastEventId }) => lastEventId)).toEqual([undefined, 'event-1']);
    server.grow('three');
    await expect.poll(names).toEqual(['one', 'three', 'two']);
  });
});
